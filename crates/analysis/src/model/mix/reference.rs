//! The library's own `mix.exs`, whose version is that of the project.

use super::{PACKAGE, requirement, string};
use crate::model::{
    Edition,
    elixir::{Token, TokenKind, tokens},
};

/// The edition of the library's release with this `mix.exs`; `None` for all other projects.
pub(super) fn edition(text: &str) -> Option<Edition> {
    let words: Vec<_> = tokens(text).collect();
    let app = value_of(&words, "app")?;
    if app.text.strip_prefix(':') != Some(PACKAGE) {
        return None;
    }
    let version = string(value_of(&words, "version")?)?;
    requirement::release(version).map(Edition::of_release)
}

/// The first value under `key`; a module attribute is resolved.
fn value_of<'t>(words: &[Token<'t>], key: &str) -> Option<Token<'t>> {
    let after_key = words.windows(3).find_map(|it| {
        let is_key = it[0].text == key && it[1].kind == TokenKind::Colon;
        is_key.then_some(it[2])
    })?;
    if after_key.kind != TokenKind::At {
        return Some(after_key);
    }
    let is_at = |it: &Token<'_>| it.range == after_key.range;
    let at = words.iter().position(is_at)?;
    let name = words.get(at + 1)?.text;
    let attribute = words.windows(3).find(|it| {
        it[0].kind == TokenKind::At && it[1].text == name && it[2].kind != TokenKind::Comma
    })?;
    Some(attribute[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edition_of_the_library_itself() {
        let cases = [
            ("app: :ptc_runner, version: \"0.10.0\"", Some(Edition::V0_5)),
            (
                "version: \"0.13.0\",\n  app: :ptc_runner",
                Some(Edition::V0_11),
            ),
            (
                "@app :ptc_runner\n@version \"0.4.1\"\n[app: @app, version: @version]",
                Some(Edition::V0_4),
            ),
            (
                "app: :my, version: \"0.4.0\", deps: [{:ptc_runner, path: \"..\"}]",
                None,
            ),
            ("app: :ptc_runner, version: read_version()", None),
            ("app: :ptc_runner, version: @version", None),
            ("app: @app, version: \"0.4.0\"", None),
            ("app: :ptc_runner", None),
            ("", None),
        ];
        for (text, edition_of_it) in cases {
            assert_eq!(edition(text), edition_of_it, "{text}");
        }
    }
}
