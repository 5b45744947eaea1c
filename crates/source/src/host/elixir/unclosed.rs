//! Strings that are not closed.

use rowan::GreenNode;

use crate::{
    host::token_tree::{Element, Kind},
    text::{TextRange, TextSize, closing_delimiter},
};

/// A string that is not closed, wherever it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unclosed {
    /// Where it is, in bytes of the document.
    pub range: TextRange,
    /// What closes it.
    pub closing: String,
    /// Whether that belongs on a line of its own.
    pub is_heredoc: bool,
}

/// The string around `offset` that is not closed, else the one that the text ends in.
pub fn around(tree: &GreenNode, offset: TextSize) -> Option<Unclosed> {
    let root = Element::node(tree, TextSize::default());
    at(root, offset).or_else(|| at(root, root.range.end()))
}

fn at(root: Element<'_>, offset: TextSize) -> Option<Unclosed> {
    let before = offset.checked_sub(1.into())?;
    let mut around = root;
    loop {
        let mut inside = around.elements_in(TextRange::new(before, offset));
        around = inside.find(|it| it.range.contains(before))?;
        let is_heredoc = match around.kind() {
            Kind::Heredoc | Kind::SigilHeredoc => true,
            Kind::String | Kind::Sigil => false,
            _ => continue,
        };
        if around.is_closed() {
            continue;
        }
        let opening = around.elements().next()?.text().trim_end();
        let closing = match is_heredoc {
            true => opening.get(opening.len().checked_sub(3)?..)?.to_owned(),
            false => closing_delimiter(opening.chars().next_back()?).to_string(),
        };
        return Some(Unclosed {
            range: around.range,
            closing,
            is_heredoc,
        });
    }
}
