//! Tests of what is read along paths into results, and of functions that are given the elements of their lists.

use crate::{host::HostKind, ide::testing::found_in, model::Edition};

const AGENT: &str = r#"
finder = SubAgent.new(prompt: "Find.", signature: "{count :int, by {name :string}, rows [{id :int, tags [:string], meta {score :float}}]}")
{:ok, step} = SubAgent.run(finder)
rows = step.return["rows"]
"#;

fn found(code: &str) -> Vec<String> {
    let code = format!("{AGENT}{code}\n");
    found_in(HostKind::Elixir, &code, Edition::V0_11)
}

/// Each code has one finding: an unknown key that begins with `x`.
#[track_caller]
fn finds_one(codes: &[&str]) {
    for code in codes {
        let found = found(code);
        let is_one = found.len() == 1 && found[0].starts_with("unknown-result-key: x");
        assert!(is_one, "{code}: {found:?}");
    }
}

#[track_caller]
fn finds_nothing(codes: &[&str]) {
    let nothing: [&str; 0] = [];
    for code in codes {
        assert_eq!(found(code), nothing, "{code}");
    }
}

#[test]
fn nothing_is_read_where_a_value_is_put() {
    finds_nothing(&[
        r#"put_in(step.return["extra"], 1)"#,
        r#"put_in(step.return["extra"], ["a", "b"])"#,
        r#"put_in(step.return["by"]["extra"], 1)"#,
        r#"put_in(step.return[:count], 1)"#,
        r#"put_in(step.return["count"], 1)"#,
        r#"put_in step.return["extra"], 1"#,
        r#"return = put_in(step.return["extra"], 1)"#,
        r#"put_in(step.return, ["extra"], 1)"#,
        r#"put_in(step.return, ["by", "extra"], 1)"#,
        r#"put_in(step, [Access.key(:return), "extra"], 1)"#,
        r#"put_in(step.return, [Access.key("extra", %{}), "more"], 1)"#,
        r#"put_in(step.return, [Access.key("extra")], 1)"#,
        r#"put_in(step.return, ["rows", Access.all(), "extra"], 1)"#,
        r#"step.return |> put_in(["rows", Access.at(0), "extra"], 1)"#,
        r#"put_in(step.return, path, 1)"#,
        r#"put_in(step.return, ["rows", Access.all()], 1)"#,
        r#"update_in(step.return["extra"], fn _ -> 1 end)"#,
        r#"update_in(step.return, ["extra"], fn _old -> 1 end)"#,
        r#"update_in(step.return, [Access.key("extra", 0)], &(&1 + 1))"#,
        r#"update_in(step.return["count"], &(&1 + 1))"#,
        r#"update_in(step.return, ["rows", Access.all(), "id"], &(&1 + 1))"#,
        r#"pop_in(step.return, ["rows", Access.all(), "id"])"#,
        r#"Map.put(step.return, "extra", 1)"#,
        r#"Map.put_new(step.return, "extra", 1)"#,
        r#"Map.update(step.return, "extra", 1, & &1)"#,
        r#"Map.delete(step.return, "extra")"#,
    ]);
}

#[test]
fn what_leads_to_the_place_of_a_value_is_read() {
    finds_one(&[
        r#"put_in(step.return["xrows"]["a"], 1)"#,
        r#"put_in(step.return["count"]["x"], 1)"#,
        r#"put_in step.return["xrows"]["a"], 1"#,
        r#"put_in(step.return, ["xby", "name"], 1)"#,
        r#"put_in(step.return["xby"], ["name"], 1)"#,
        r#"put_in(step.return, [Access.key!("xby")], 1)"#,
        r#"put_in(step.return, ["rows", Access.all(), "xmeta", "score"], 1)"#,
        r#"step.return |> put_in(["xrows", Access.at(0), "extra"], 1)"#,
        // A dot is for a key that there is.
        r#"put_in(step.return.xtra, 1)"#,
        r#"update_in(step.return["xtra"], &(&1 + 1))"#,
        r#"update_in(step.return, ["xtra"], &(&1 + 1))"#,
        r#"update_in(step.return, ["rows", Access.all(), "xid"], fn id -> id + 1 end)"#,
        r#"get_and_update_in(step.return, ["xtra"], &{&1, 1})"#,
        r#"pop_in(step.return["xtra"])"#,
        r#"pop_in(step.return, ["rows", Access.all(), "xid"])"#,
        r#"Map.replace!(step.return, "xtra", 1)"#,
    ]);
}

#[test]
fn paths_lead_into_lists() {
    finds_one(&[
        r#"get_in(step.return, ["rows", Access.all(), "xid"])"#,
        r#"get_in(step.return, ["xrows", Access.all(), "id"])"#,
        r#"get_in(step.return, ["rows", Access.at(0), "xid"])"#,
        r#"get_in(step.return, ["rows", Access.at!(-1), "meta", "xscore"])"#,
        r#"get_in(step.return, ["rows", Access.filter(&(&1["id"] > 1)), "xid"])"#,
        r#"get_in(step.return, ["rows", Access.find(&(&1["id"] > 1)), "xid"])"#,
        r#"get_in(step.return, ["rows", Access.slice(0..1), "xid"])"#,
        r#"get_in(step.return, [Access.key("rows"), Access.all(), Access.key!("xid")])"#,
        r#"get_in(step.return, [Access.key("xrows", [])])"#,
        r#"get_in(step, [Access.key(:return), "rows", Access.all(), "xid"])"#,
        r#"get_in(step.return["rows"], [Access.all(), "xid"])"#,
        r#"step.return["rows"] |> get_in([Access.all(), "xid"])"#,
        r#"step.return["xrows"] |> get_in([Access.all(), "id"])"#,
        r#"get_in(rows, [Access.all(), "meta", "xscore"])"#,
        r#"get_in(step.return, ["rows", Access.all()]) |> Enum.map(& &1["xid"])"#,
        r#"get_in(step.return, ["rows", Access.all(), "tags", Access.all()]) |> hd() |> hd() |> Map.get("x")"#,
        "metas = get_in(step.return, [\"rows\", Access.all(), \"meta\"])\nfor meta <- metas, do: meta[\"xscore\"]",
        "first = get_in(step.return, [\"rows\", Access.at(0)])\nfirst[\"xid\"]",
    ]);
    finds_nothing(&[
        r#"get_in(step.return, ["rows", Access.all(), "id"])"#,
        r#"get_in(step.return, ["rows", Access.at(0), "meta", "score"])"#,
        r#"get_in(step.return, ["rows", Access.filter(& &1["id"]), "tags", Access.at(0)])"#,
        r#"get_in(step.return, ["rows", Access.all()]) |> Enum.map(& &1["id"])"#,
        r#"get_in(step.return, ["by", Access.all(), "x"])"#,
        r#"get_in(step.return, ["rows", Access.elem(0), "x"])"#,
        r#"get_in(step.return, ["rows", index(), "x"])"#,
        r#"get_in(step.return, ["rows", MyApp.Access.all(), "x"])"#,
        r#"get_in(other, ["rows", Access.all(), "x"])"#,
        r#"get_in(step.return, ["rows", Access.all(), "id"]) |> Enum.sum()"#,
    ]);
}

#[test]
fn keys_before_a_list_is_followed_are_read() {
    finds_one(&[
        r#"step.return["xrows"] |> hd() |> Map.get("id")"#,
        r#"step.return["xrows"] |> Enum.map(& &1["id"])"#,
        r#"step.return["xrows"] |> Enum.map(& &1["id"]) |> hd()"#,
        r#"step.return["xrows"] |> Enum.filter(& &1["id"]) |> hd() |> Map.take(["id"])"#,
        r#"step.return |> Map.get("xrows") |> List.first() |> Map.get("id")"#,
        r#"step.return["xrows"] |> Task.async_stream(& &1["id"])"#,
        r#"step.return["xrows"] |> Enum.chunk_every(2)"#,
        r#"hd(step.return["xrows"])["id"]"#,
    ]);
}
