//! The names that the reference finds in a template.
//!
//! The reference splits tags without error recovery, each at the next `}}`, so a template with mistakes may have other
//! names there than in our parser. Without mistakes they are the same.

use foldhash::HashSet;

/// The names of the placeholders and sections of `text` outside of any section, without duplicates, in the order of
/// the text, as the reference lists them.
pub fn names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut known = HashSet::default();
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some((content, after)) = next_tag(rest) {
        rest = after;
        let content = content.trim();
        let (sigil, name) = match content.chars().next() {
            Some(sigil @ ('#' | '^' | '/' | '!')) => (sigil, content[1..].trim()),
            _ => (' ', content),
        };
        let is_listed = depth == 0 && !matches!(sigil, '/' | '!') && !matches!(name, "" | ".");
        if is_listed && known.insert(name) {
            names.push(name);
        }
        match sigil {
            '#' | '^' => depth += 1,
            '/' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    names
}

/// The text between the first braces of `text`, and the text after them.
fn next_tag(text: &str) -> Option<(&str, &str)> {
    let (_, inside) = text.split_once("{{")?;
    inside.split_once("}}")
}
