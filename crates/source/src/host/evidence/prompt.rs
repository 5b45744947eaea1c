//! Whether the value of a key reads like a prompt template.

/// Whether `text` has a placeholder, and no tag of other template languages.
///
/// `{{#if user}}`, `{{ name | upper }}`, `{{> header}}` and `{{{raw}}}` belong to other engines, as do `{% if %}`
/// and the braces of LaTeX, C and Go. Empty tags and numbers say nothing.
pub fn is_prompt(text: &str) -> bool {
    if text.contains("{%") {
        return false;
    }
    let mut has_placeholder = false;
    let mut at = 0;
    while let Some(found) = text[at..].find("{{") {
        let start = at + found;
        let rest = &text[start + 2..];
        let Some(len) = rest.find("}}") else {
            break;
        };
        match tag(&text[..start], &rest[..len], &rest[len + 2..]) {
            Tag::Ours => has_placeholder = true,
            Tag::Other => return false,
            Tag::Untold => {}
        }
        at = start + 2 + len + 2;
    }
    has_placeholder
}

/// The owner of a tag.
pub(super) enum Tag {
    Ours,
    Other,
    /// Unknown: it is empty, a number, a comment, or shown as code.
    Untold,
}

/// Words that begin tags of other template languages.
const OTHER_WORDS: &[&str] = &["else", "this", "end", "endif", "endfor"];

/// The blocks of Handlebars.
const HELPERS: [&str; 4] = ["if", "each", "unless", "with"];

/// The owner of `tag`, which has `before` and `following` around its braces.
pub(super) fn tag(before: &str, tag: &str, following: &str) -> Tag {
    // `\boxed{{x}}`
    let command = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if command.len() < before.len() && command.ends_with('\\') || following.starts_with('}') {
        return Tag::Other;
    }
    if tag.starts_with('!') || before.ends_with(['`', '$']) {
        return Tag::Untold;
    }
    let name = tag.strip_prefix(['#', '^', '/']).unwrap_or(tag).trim();
    if name.is_empty() || name == "." || has_index(name) && is_path(name) {
        return Tag::Untold;
    }
    let is_helper = name.len() < tag.trim().len() && HELPERS.contains(&name);
    match is_path(name)
        && !is_helper
        && !OTHER_WORDS.contains(&name)
        && !name.starts_with(['.', '-'])
    {
        true => Tag::Ours,
        false => Tag::Other,
    }
}

/// Whether a name of a path begins with a digit: other template languages enter lists with numbers.
pub fn has_index(path: &str) -> bool {
    let mut names = path.split('.');
    names.any(|name| name.starts_with(|c: char| c.is_ascii_digit()))
}

fn is_path(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    name.chars().all(is_part)
}
