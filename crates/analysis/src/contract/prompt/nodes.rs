//! A template as the reference parses it: nested sections, without the lines of lone tags.

/// The maximum depth of sections in the reference. What is in a deeper one is never sent, so it is not kept.
pub(super) const MAX_DEPTH: usize = 20;

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// Text between tags.
    Text(String),
    /// `{{name}}`, `{{user.name}}`
    Variable(Vec<String>),
    /// `{{.}}`
    Current,
    /// `{{! … }}`
    Comment,
    /// `{{#name}}…{{/name}}` or, inverted, `{{^name}}…{{/name}}`. The reference looks up the whole name, including
    /// dots.
    Section {
        name: String,
        is_inverted: bool,
        inner: Vec<Node>,
    },
}

/// A tag or the text between two tags, before sections are nested.
enum Item {
    Text(String),
    Variable(Vec<String>),
    Current,
    Comment,
    Open { name: String, is_inverted: bool },
    Close(String),
}

/// Parses a decoded template; `None` if it has syntax errors.
///
/// The reference accepts any text as a name, so the trees of [`signature_ls_source::syntax::template`], which report
/// such names, would reject too much.
pub(super) fn read(template: &str) -> Option<Vec<Node>> {
    let mut items = items(template)?;
    items.reverse();
    nest(items)
}

fn items(template: &str) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    let mut rest = template;
    while let Some((text, tag)) = rest.split_once("{{") {
        if !text.is_empty() {
            items.push(Item::Text(text.to_owned()));
        }
        let (content, after) = tag.split_once("}}")?;
        items.push(item(content.trim())?);
        rest = after;
    }
    if !rest.is_empty() {
        items.push(Item::Text(rest.to_owned()));
    }
    Some(items)
}

/// The tag with this text between its braces; `None` without a name.
fn item(content: &str) -> Option<Item> {
    let named = |name: &str| Some(name.trim().to_owned()).filter(|it| !it.is_empty());
    Some(match content.chars().next()? {
        '!' => Item::Comment,
        '/' => Item::Close(content[1..].trim().to_owned()),
        sigil @ ('#' | '^') => Item::Open {
            name: named(&content[1..])?,
            is_inverted: sigil == '^',
        },
        _ if content == "." => Item::Current,
        _ => Item::Variable(content.split('.').map(str::to_owned).collect()),
    })
}

/// An open section: its name, whether it is inverted, and what precedes it.
struct Open {
    name: String,
    is_inverted: bool,
    before: Vec<Node>,
}

/// Nests the items, in reverse order; `None` if opening and closing tags do not match.
fn nest(mut items: Vec<Item>) -> Option<Vec<Node>> {
    let mut open: Vec<Open> = Vec::new();
    let mut nodes = Vec::new();
    while let Some(item) = items.pop() {
        let node = match item {
            Item::Text(text) => Node::Text(text),
            Item::Variable(path) => Node::Variable(path),
            Item::Current => Node::Current,
            Item::Comment => {
                trim_around(&mut nodes, &mut items);
                Node::Comment
            }
            Item::Open { name, is_inverted } => {
                trim_around(&mut nodes, &mut items);
                open.push(Open {
                    name,
                    is_inverted,
                    before: std::mem::take(&mut nodes),
                });
                continue;
            }
            Item::Close(name) => {
                let section = open.pop().filter(|it| it.name == name)?;
                trim_around(&mut Vec::new(), &mut items);
                let mut inner = std::mem::replace(&mut nodes, section.before);
                if open.len() >= MAX_DEPTH {
                    inner.clear();
                }
                Node::Section {
                    name,
                    is_inverted: section.is_inverted,
                    inner,
                }
            }
        };
        nodes.push(node);
    }
    open.is_empty().then_some(nodes)
}

/// Removes the line of a tag that is alone on its line, between `before` and the last of `after`. If no node precedes
/// the tag, only the text after it counts, as in the reference.
fn trim_around(before: &mut Vec<Node>, after: &mut Vec<Item>) {
    let kept_before = match before.last() {
        None => None,
        Some(Node::Text(text)) => match without_indent(text) {
            None => return,
            kept => kept.map(str::to_owned),
        },
        Some(_) => return,
    };
    let kept_after = match after.last() {
        None => None,
        Some(Item::Text(text)) => match without_line_end(text) {
            None => return,
            kept => kept.map(str::to_owned),
        },
        Some(_) => return,
    };
    if let Some(kept) = kept_before {
        before.pop();
        if !kept.is_empty() {
            before.push(Node::Text(kept));
        }
    }
    if let Some(kept) = kept_after {
        after.pop();
        if !kept.is_empty() {
            after.push(Item::Text(kept));
        }
    }
}

/// `text` without the blanks after its last line end; `None` if its last line is not blank.
fn without_indent(text: &str) -> Option<&str> {
    let kept = text.trim_end_matches([' ', '\t']);
    (kept.is_empty() || kept.ends_with('\n')).then_some(kept)
}

/// `text` without its first line; `None` if that line is not blank.
fn without_line_end(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches([' ', '\t']);
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix("\r\n")
        .or_else(|| rest.strip_prefix('\n'))
}
