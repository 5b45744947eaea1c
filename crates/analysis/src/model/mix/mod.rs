//! Detects the edition of a project in the text of its `mix.lock` or `mix.exs`.
//!
//! `workspace` decides which project a file belongs to.

mod reference;
mod requirement;

use memchr::memmem;

use crate::model::{
    Edition,
    elixir::{Token, TokenKind, tokens},
};
use requirement::Requirement;
use signature_ls_source::work;

/// The number of tokens of a dependency that are read.
const MOST_WORDS: usize = 48;

/// The package of the reference.
const PACKAGE: &str = "ptc_runner";

/// The edition of the release in a `mix.lock`. A git dependency counts if it has a tag; a path dependency does not.
pub fn edition_of_lock(text: &str) -> Option<Edition> {
    mentions(text).find_map(|at| {
        let quote = text[..at].strip_suffix('"')?;
        if let Some(tag) = option(&text[quote.len()..], "tag") {
            return of_tag(tag);
        }
        let words = first_words::<8>(&text[quote.len()..])?;
        let [_, colon, brace, source, _, package, _, version] = words;
        let is_release = colon.kind == TokenKind::Colon
            && brace.kind == TokenKind::LeftBrace
            && source.text == ":hex"
            && package.text == ":ptc_runner";
        let version = is_release.then(|| string(version))??;
        requirement::release(version).map(Edition::of_release)
    })
}

/// The edition of the newest release that a `mix.exs` allows, or of the git tag, or of the library itself if it is the
/// library's `mix.exs`. For a path dependency, see [`folder_of_dependency`].
pub fn edition_of_project(text: &str) -> Option<Edition> {
    reference::edition(text).or_else(|| edition_of_dependency(text, None))
}

/// Whether a `mix.exs` depends on the library, in any version.
pub fn depends(text: &str) -> bool {
    mentions(text).any(|at| {
        let before = text[..at].strip_suffix(':').map(str::trim_end);
        before.is_some_and(|before| before.ends_with('{'))
    })
}

/// The edition that a script or a notebook installs: `Mix.install([{:ptc_runner, "~> 0.13"}])`. If the requirement
/// allows several editions, that of the `project` is preferred.
pub fn edition_of_script(text: &str, project: Edition) -> Option<Edition> {
    is_script(text).then(|| edition_of_dependency(text, Some(project)))?
}

/// Whether a text calls `Mix.install`.
pub fn is_script(text: &str) -> bool {
    memmem::find(text.as_bytes(), b"Mix.install").is_some()
}

/// The path in a path dependency, as the `mix.exs` writes it.
pub fn folder_of_dependency(text: &str) -> Option<&str> {
    mentions(text).find_map(|at| option(tuple(text, at)?, "path"))
}

fn edition_of_dependency(text: &str, preferred: Option<Edition>) -> Option<Edition> {
    mentions(text).find_map(|at| {
        if let Some(tag) = tuple(text, at).and_then(|it| option(it, "tag")) {
            return of_tag(tag);
        }
        let requirement =
            requirement_in_tuple(text, at).or_else(|| requirement_under_key(text, at))?;
        let requirement = Requirement::parse(requirement)?;
        let preferred = preferred.filter(|it| requirement.allows_edition(*it));
        preferred.or_else(|| requirement.newest_edition())
    })
}

fn of_tag(tag: &str) -> Option<Edition> {
    let version = tag.strip_prefix('v').unwrap_or(tag);
    requirement::release(version).map(Edition::of_release)
}

/// The text from the name of the package on, in a tuple such as `{:ptc_runner, …}`.
fn tuple(text: &str, at: usize) -> Option<&str> {
    let colon = text[..at].strip_suffix(':')?;
    let is_tuple = colon.trim_end().ends_with('{');
    let rest = &text[at + PACKAGE.len()..];
    (is_tuple && rest.trim_start().starts_with(',')).then_some(rest)
}

/// The string under `key` among the first tokens of `text`, up to the end of the tuple.
fn option<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let words = tokens(text).take(MOST_WORDS);
    let words: Vec<_> = words
        .take_while(|it| it.kind != TokenKind::RightBrace)
        .collect();
    let found = words
        .windows(3)
        .find(|it| it[0].text == key && it[1].kind == TokenKind::Colon)?;
    string(found[2])
}

/// `{:ptc_runner, "~> 0.10"`.
fn requirement_in_tuple(text: &str, at: usize) -> Option<&str> {
    let colon = text[..at].strip_suffix(':')?;
    if !colon.trim_end().ends_with('{') {
        return None;
    }
    let [package, comma, requirement] = first_words(&text[colon.len()..])?;
    let is_dependency = package.text.len() == PACKAGE.len() + 1 && comma.kind == TokenKind::Comma;
    is_dependency.then(|| string(requirement))?
}

/// `ptc_runner: "~> 0.10"`.
fn requirement_under_key(text: &str, at: usize) -> Option<&str> {
    let is_whole = |char: char| char.is_whitespace() || matches!(char, '[' | ',' | '(');
    if !text[..at].ends_with(is_whole) {
        return None;
    }
    let [key, colon, requirement] = first_words(&text[at..])?;
    let is_dependency = key.text == PACKAGE && colon.kind == TokenKind::Colon;
    is_dependency.then(|| string(requirement))?
}

/// Where the package is named, outside of comments.
fn mentions(text: &str) -> impl Iterator<Item = usize> {
    let mut read = 0;
    let mut is_in_comment = false;
    memmem::find_iter(text.as_bytes(), PACKAGE).filter(move |at| {
        let unread = &text[read..*at];
        work::count(unread.len());
        let line_start = unread.rfind('\n');
        let line = line_start.map_or(unread, |start| &unread[start..]);
        is_in_comment = is_in_comment && line_start.is_none() || line.contains('#');
        read = *at;
        !is_in_comment
    })
}

fn first_words<const N: usize>(text: &str) -> Option<[Token<'_>; N]> {
    let words: Vec<Token<'_>> = tokens(text).take(N).collect();
    words.try_into().ok()
}

fn string(token: Token<'_>) -> Option<&str> {
    token.text.strip_prefix('"')?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_the_mentions_are_twice_the_work() {
        for unit in [
            "ptc_runner ",
            "# ptc_runner ",
            "ptc_runner\n",
            "ptc_runner # ptc_runner\n",
        ] {
            let read = |count| {
                let text = format!("Mix.install([])\nx = \"{}\"\n", unit.repeat(count));
                work::counted(|| edition_of_script(&text, Edition::V0_11))
            };
            let (few, many) = (read(500), read(1_000));
            assert!(
                few > 0 && many <= 2 * few + 64,
                "{unit:?}: {few} bytes, then {many}"
            );
        }
    }

    #[test]
    fn a_comment_hides_what_its_line_mentions_after_it() {
        let text = "ptc_runner # ptc_runner ptc_runner\n ptc_runner\n# ptc_runner";
        assert_eq!(mentions(text).collect::<Vec<_>>(), [0, 36]);
    }

    #[test]
    fn the_edition_of_a_lock() {
        let lock = |entry: &str| {
            let hpax = r#""hpax": {:hex, :hpax, "1.0.0", "aa", [:mix], [], "hexpm", "bb"},"#;
            edition_of_lock(&format!("%{{\n  {hpax}\n  {entry}\n}}\n"))
        };
        let hex = |version: &str| {
            lock(&format!(
                r#""ptc_runner": {{:hex, :ptc_runner, "{version}", "aa", [:mix], [{{:jason, "~> 1.4"}}], "hexpm", "bb"}},"#
            ))
        };
        let cases = [
            ("0.3.4", Edition::V0_4),
            ("0.4.0", Edition::V0_4),
            ("0.5.0", Edition::V0_5_0),
            ("0.5.1", Edition::V0_5_0),
            ("0.5.2", Edition::V0_5),
            ("0.6.0", Edition::V0_5),
            ("0.10.1", Edition::V0_5),
            ("0.11.0-rc.1", Edition::V0_11),
            ("0.11.0", Edition::V0_11),
            ("0.13.7", Edition::V0_11),
            ("0.14.0", Edition::Next),
            ("1.0.0", Edition::Next),
        ];
        for (version, edition) in cases {
            assert_eq!(hex(version), Some(edition), "{version}");
        }
        let tagged = r#""ptc_runner": {:git, "https://github.com/andreasronge/ptc_runner.git", "abc", [tag: "v0.10.0"]},"#;
        assert_eq!(lock(tagged), Some(Edition::V0_5));
        let none = [
            "",
            r#""ptc_runner": {:git, "https://github.com/andreasronge/ptc_runner.git", "abc", []},"#,
            r#""ptc_runner": {:git, "https://github.com/andreasronge/ptc_runner.git", "abc", [tag: "new"]},"#,
            r#""other": {:hex, :other, "1.0.0", "aa", [:mix], [{:ptc_runner, "~> 0.4.0"}], "hexpm", "bb"},"#,
            r#""ptc_runner": {:hex, :ptc_runner, "#,
            r#""ptc_runner": {:hex, :ptc_runner, "new"},"#,
        ];
        for entry in none {
            assert_eq!(lock(entry), None, "{entry}");
        }
    }

    #[test]
    fn the_edition_of_a_requirement() {
        let project = |dependency: &str| {
            edition_of_project(&format!(
                "defmodule My.MixProject do\n  def project, do: [app: :my, deps: deps()]\n\n  defp deps do\n    [\n      {{:jason, \"~> 1.4\"}},\n      {dependency}\n    ]\n  end\nend\n"
            ))
        };
        let cases = [
            (r#"{:ptc_runner, "0.4.1"}"#, Some(Edition::V0_4)),
            (r#"{:ptc_runner, "== 0.5.2"},"#, Some(Edition::V0_5)),
            (
                r#"{:ptc_runner, "~> 0.10.0", only: [:dev, :test]}"#,
                Some(Edition::V0_5),
            ),
            (
                "{\n        :ptc_runner,\n        \"~> 0.4.0\"\n      }",
                Some(Edition::V0_4),
            ),
            (
                r#"{:ptc_runner, ">= 0.5.2 and < 0.11.0"}"#,
                Some(Edition::V0_5),
            ),
            // The newest release that this allows is 0.13.
            (r#"{:ptc_runner, "~> 0.10"}"#, Some(Edition::V0_11)),
            (r#"{:ptc_runner, ">= 0.0.0"}"#, Some(Edition::V0_11)),
            (r#"{:ptc_runner, "~> 0.14"}"#, Some(Edition::Next)),
            (r#"{:ptc_runner, "~> 0.10.7"}"#, Some(Edition::V0_5)),
            (r#"ptc_runner: "~> 0.4.0""#, Some(Edition::V0_4)),
            (
                "# {:ptc_runner, \"~> 0.4.0\"},\n      {:ptc_runner, \"~> 0.9.0\"}",
                Some(Edition::V0_5),
            ),
            (r#"{:ptc_runner, path: "../ptc_runner"}"#, None),
            (
                r#"{:ptc_runner, github: "andreasronge/ptc_runner", tag: "v0.4.0"}"#,
                Some(Edition::V0_4),
            ),
            (
                "{:ptc_runner,\n       git: \"https://example.com/ptc_runner.git\",\n       tag: \"0.10.0\"}",
                Some(Edition::V0_5),
            ),
            (
                r#"{:ptc_runner, github: "andreasronge/ptc_runner", branch: "main"}, {:other, tag: "v0.4.0"}"#,
                None,
            ),
            (r#"{:ptc_runner_extra, "~> 0.4.0"}"#, None),
            (r#"{:my_ptc_runner, "~> 0.4.0"}"#, None),
            (r#"{:ptc_runner, version()}"#, None),
            (r#"{:ptc_runner, "~> new"}"#, None),
            (r#"{:ptc_runner, "~> 0.4"#, None),
            (r#"{:ptc_runner"#, None),
            ("", None),
        ];
        for (dependency, edition) in cases {
            assert_eq!(project(dependency), edition, "{dependency}");
        }
    }

    #[test]
    fn a_script_installs_a_release() {
        let script = |dependency: &str| {
            edition_of_script(&format!("Mix.install([{dependency}])"), Edition::V0_11)
        };
        assert_eq!(script("{:ptc_runner, \"~> 0.4.0\"}"), Some(Edition::V0_4));
        assert_eq!(
            script("{:req, \"~> 0.5\"}, {:ptc_runner, github: \"a/b\", tag: \"v0.9.0\"}"),
            Some(Edition::V0_5)
        );
        assert_eq!(script("{:ptc_runner, path: \"..\"}"), None);
        let no_install = "[{:ptc_runner, \"~> 0.4.0\"}]";
        assert_eq!(edition_of_script(no_install, Edition::V0_11), None);
    }

    #[test]
    fn a_script_prefers_the_release_of_its_project() {
        for (requirement, project, expected) in [
            ("~> 0.1", Edition::V0_4, Edition::V0_4),
            ("~> 0.1", Edition::V0_5, Edition::V0_5),
            (">= 0.4.0", Edition::V0_5, Edition::V0_5),
            ("~> 0.13", Edition::V0_4, Edition::V0_11),
            ("~> 0.4.0", Edition::V0_11, Edition::V0_4),
            ("~> 0.5.2", Edition::V0_4, Edition::V0_5),
        ] {
            let text = format!("Mix.install([{{:ptc_runner, \"{requirement}\"}}])");
            let found = edition_of_script(&text, project);
            assert_eq!(found, Some(expected), "{requirement} in {project:?}");
        }
    }

    #[test]
    fn a_dependency_comes_from_a_folder() {
        let project = "[{:jason, path: \"../jason\"}, {:ptc_runner, path: \"../ptc_runner\"}]";
        assert_eq!(folder_of_dependency(project), Some("../ptc_runner"));
        assert_eq!(
            folder_of_dependency("[{:ptc_runner, \"~> 0.4\"}, {:a, path: \"..\"}]"),
            None
        );
    }
}
