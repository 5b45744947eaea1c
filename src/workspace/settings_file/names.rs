//! The names in the lists of keys and calls.

use signature_ls_source::host::{KeyRole, NameKind, fixed_role};

/// The pattern of a key in JSON Schema: [`bare`] and not empty.
pub(super) const KEY: &str = r#"^[^\s:"@]([\s\S]*[^\s:"@])?$"#;

/// The pattern of a call in JSON Schema: see [`is_call`].
pub(super) const CALL: &str =
    r"^[^\s\x00-/:-@\[-^`{-\x7f]+[!?]?(\.[^\s\x00-/:-@\[-^`{-\x7f]+[!?]?)*$";

/// Checks that `name` in `list` can occur in a document and has no other meaning.
///
/// # Errors
/// A sentence for the user, and the name to write instead in TOML, if that is known.
pub(super) fn check(
    name: &str,
    kind: NameKind,
    role: KeyRole,
    list: &str,
) -> Result<(), (String, Option<String>)> {
    let bare = match kind {
        NameKind::Key => bare(name),
        NameKind::Call => name.trim(),
    };
    let message = match kind {
        _ if bare.is_empty() => {
            format!("A name in `{list}` is empty; write the name or take it out.")
        }
        NameKind::Key if name != bare => {
            let instead = serde_json::json!(bare).to_string();
            let message = format!("Write `{bare}` instead of `{name}` in `{list}`.");
            return Err((message, Some(instead)));
        }
        NameKind::Call if !is_call(name) => format!(
            "`{name}` in `{list}` is not a call; write a function with its module, such as `Contracts.parse`."
        ),
        _ if fixed_role(kind, name).is_some_and(|fixed| fixed != role) => {
            format!("`{name}` in `{list}` already has another meaning; take it out.")
        }
        _ => return Ok(()),
    };
    Err((message, None))
}

/// A key without punctuation.
fn bare(key: &str) -> &str {
    key.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '"' | '@'))
}

/// Whether `name` is the name of a function, with or without its module.
fn is_call(name: &str) -> bool {
    let is_letter = |c: char| match c.is_ascii() {
        true => c.is_ascii_alphanumeric() || c == '_',
        false => !c.is_whitespace(),
    };
    let is_part = |part: &str| {
        let part = part.strip_suffix(['!', '?']).unwrap_or(part);
        !part.is_empty() && part.chars().all(is_letter)
    };
    name.split('.').all(is_part)
}
