//! Tests of what is read along paths into results, and of functions that are given the elements of their lists.

use crate::{ide::testing::found_in, model::Edition};
use signature_ls_source::host::HostKind;

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

/// Each call passes elements of a list to each function in the place of `FN`, which reads `KEY` of them.
#[track_caller]
fn are_given_elements(calls: &[&str], functions: &[&str]) {
    for call in calls {
        for function in functions {
            let code = call.replace("FN", function);
            finds_one(&[&code.replace("KEY", "xid")]);
            finds_nothing(&[&code.replace("KEY", "id")]);
        }
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

#[test]
fn functions_are_given_elements() {
    let calls = [
        "Enum.all?(rows, FN)",
        "Enum.any?(rows, FN)",
        "Enum.chunk_by(rows, FN)",
        "Enum.count(rows, FN)",
        "Enum.count_until(rows, FN, 3)",
        "Enum.dedup_by(rows, FN)",
        "Enum.drop_while(rows, FN)",
        "Enum.each(rows, FN)",
        "Enum.filter(rows, FN)",
        "Enum.find(rows, FN)",
        "Enum.find(rows, nil, FN)",
        "Enum.find_index(rows, FN)",
        "Enum.find_value(rows, FN)",
        "Enum.find_value(rows, 0, FN)",
        "Enum.flat_map(rows, FN)",
        "Enum.frequencies_by(rows, FN)",
        "Enum.group_by(rows, FN)",
        "Enum.group_by(rows, & &1[\"id\"], FN)",
        "Enum.into(rows, %{}, FN)",
        "Enum.map(rows, FN)",
        "Enum.map_every(rows, 2, FN)",
        "Enum.map_intersperse(rows, 0, FN)",
        "Enum.map_join(rows, FN)",
        "Enum.map_join(rows, \", \", FN)",
        "Enum.max_by(rows, FN)",
        "Enum.max_by(rows, FN, &>=/2)",
        "Enum.min_by(rows, FN, fn -> nil end)",
        "Enum.min_max_by(rows, FN)",
        "Enum.product_by(rows, FN)",
        "Enum.reject(rows, FN)",
        "Enum.sort_by(rows, FN)",
        "Enum.sort_by(rows, FN, :desc)",
        "Enum.split_while(rows, FN)",
        "Enum.split_with(rows, FN)",
        "Enum.sum_by(rows, FN)",
        "Enum.take_while(rows, FN)",
        "Enum.uniq_by(rows, FN)",
        "Map.new(rows, FN)",
        "MapSet.new(rows, FN)",
        "Keyword.new(rows, FN)",
        "List.update_at(rows, 0, FN)",
        "Stream.chunk_by(rows, FN)",
        "Stream.each(rows, FN)",
        "Stream.flat_map(rows, FN)",
        "Stream.into(rows, sink, FN)",
        "Stream.map(rows, FN)",
        "Stream.map_every(rows, 2, FN)",
        "Stream.uniq_by(rows, FN)",
        "Task.async_stream(rows, FN)",
        "Task.async_stream(rows, FN, max_concurrency: 2)",
        "Task.Supervisor.async_stream(Sup, rows, FN)",
        "Task.Supervisor.async_stream_nolink(Sup, rows, FN)",
        "get_in(step.return, [\"rows\", Access.filter(FN), \"id\"])",
        "get_in(rows, [Access.find(FN), \"id\"])",
        "rows |> get_in([Access.filter(FN), \"id\"])",
        "put_in(step.return, [\"rows\", Access.filter(FN), \"more\"], 1)",
        "update_in(rows, [Access.filter(FN), \"meta\", \"score\"], &(&1 + 1))",
        "rows |> Map.new(FN)",
        "rows |> MapSet.new(FN)",
        "rows |> Enum.into(%{}, FN)",
        "rows |> Enum.group_by(& &1[\"id\"], FN)",
        "rows |> Stream.filter(FN)",
        "rows |> Stream.filter(& &1[\"id\"]) |> Enum.map(FN)",
        "rows |> Enum.take_every(2) |> Enum.map(FN)",
    ];
    let functions = [
        r#"fn row -> row["KEY"] end"#,
        r#"fn %{"KEY" => it} -> it end"#,
        r#"& &1["KEY"]"#,
        r#"&{&1["KEY"], &1}"#,
        r#"&Map.get(&1, "KEY")"#,
    ];
    are_given_elements(&calls, &functions);
}

#[test]
fn functions_of_several_arguments_are_given_elements_first() {
    let calls = [
        "Enum.chunk_while(rows, [], FN, &{:cont, &1})",
        "Enum.flat_map_reduce(rows, 0, FN)",
        "Enum.map_reduce(rows, 0, FN)",
        "Enum.max(rows, FN)",
        "Enum.min(rows, FN, fn -> nil end)",
        "Enum.reduce(rows, FN)",
        "Enum.reduce(rows, 0, FN)",
        "Enum.reduce_while(rows, 0, FN)",
        "Enum.scan(rows, FN)",
        "Enum.scan(rows, 0, FN)",
        "Enum.sort(rows, FN)",
        "Enum.with_index(rows, FN)",
        "Enum.zip_with(rows, others, FN)",
        "Enum.zip_reduce(rows, others, 0, FN)",
        "List.foldl(rows, 0, FN)",
        "List.foldr(rows, 0, FN)",
        "Stream.scan(rows, FN)",
        "Stream.transform(rows, 0, FN)",
        "Stream.transform(rows, fn -> 0 end, FN, fn _ -> :ok end)",
        "Stream.with_index(rows, FN)",
        "Stream.zip_with(rows, others, FN)",
        "rows |> Enum.reduce(0, FN)",
        "rows |> Enum.zip_with(others, FN)",
    ];
    let functions = [
        r#"fn row, _ -> row["KEY"] end"#,
        r#"fn %{"KEY" => it}, _ -> it end"#,
        r#"&f(&1["KEY"], &2)"#,
    ];
    are_given_elements(&calls, &functions);
}

#[test]
fn functions_that_are_given_something_else_are_no_finding() {
    finds_nothing(&[
        r#"Enum.reduce(rows, %{}, fn _, all -> all["x"] end)"#,
        r#"Enum.zip_with([rows, others], fn all -> all["x"] end)"#,
        r#"Enum.zip_with([rows, others], fn [row, other] -> other["x"] end)"#,
        r#"Enum.zip_with(others, rows, fn other, _ -> other["x"] end)"#,
        r#"Enum.zip_reduce([rows, others], 0, fn all, _ -> all["x"] end)"#,
        r#"Enum.sort_by(rows, & &1["meta"], fn one, other -> one["score"] > other["score"] end)"#,
        r#"Enum.max_by(rows, & &1["meta"], &(&1["score"] >= &2["score"]))"#,
        r#"Enum.chunk_while(rows, %{}, fn row, all -> {:cont, row, all} end, fn all -> {:cont, all["x"], %{}} end)"#,
        r#"Stream.transform(rows, fn -> %{} end, fn row, all -> {[row], all} end, fn all -> all["x"] end)"#,
        r#"Enum.map(Enum.chunk_every(rows, 2, 1, others), fn [_, row] -> row["x"] end)"#,
        r#"Enum.map(Enum.group_by(rows, & &1["id"]), fn {_, all} -> all["x"] end)"#,
        r#"Map.new(step.return, fn {key, value} -> {key, value["x"]} end)"#,
        r#"Map.new(others, & &1["x"])"#,
        r#"Enum.with_index(rows) |> Enum.map(fn pair -> pair["x"] end)"#,
        r#"Task.Supervisor.async_stream(rows, others, fn other -> other["x"] end)"#,
        r#"MyApp.Enum.map(rows, fn row -> row["x"] end)"#,
        r#"Enum.map(rows, fn row -> Map.put(row, "x", 1) end) |> Enum.map(& &1["x"])"#,
    ]);
    finds_one(&[
        r#"Enum.map(Enum.chunk_every(rows, 2), fn [row | _] -> row["xid"] end)"#,
        r#"rows |> Enum.chunk_by(& &1["id"]) |> Enum.map(fn chunk -> hd(chunk)["xid"] end)"#,
    ]);
}

#[test]
fn a_key_is_reported_only_where_it_is_written() {
    finds_one(&[
        "held = %{a: step.return[\"xa\"]}\n# …\nheld.a[\"name\"]",
        "held = [a: step.return[\"xa\"]]\n# …\nheld[:a][\"name\"]",
        "go = fn -> SubAgent.run!(finder).return[\"xa\"] end\n# …\ngo.()[\"name\"]",
        "all = Enum.map(list, fn _ -> SubAgent.run!(finder).return[\"xa\"] end)\n# …\nhd(all)[\"name\"]",
        "all = get_in(step.return, [\"rows\", Access.all(), \"xa\"])\n# …\nhd(all)[\"score\"]",
    ]);
    finds_one(&[
        "held = %{a: step.return[\"by\"]}\n# …\nheld.a[\"xname\"]",
        "go = fn -> SubAgent.run!(finder).return[\"by\"] end\n# …\ngo.()[\"xname\"]",
    ]);
}
