//! Prompts as a model receives them: templates with values in place of the placeholders.
//!
//! The rules are those of the reference, including its oddities: what it does not expand is not expanded here, and the
//! result says why.

pub mod calling;
mod expand;
pub mod inventory;
mod legacy;
pub mod legacy_inventory;
mod nodes;
mod room;
mod sample;
mod sketch;
#[cfg(test)]
mod tests;
mod text;

pub use room::Room;
pub use sketch::sketch;

use crate::{contract::Value, model::Edition};

/// The output mode of an agent, which decides how its prompt shows values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OutputMode {
    /// The agent writes a program. Its prompt refers to the values (`~{data/name}`), followed by a list of them.
    #[default]
    PtcLisp,
    /// The agent answers in text or JSON. Its prompt contains the values.
    Text,
}

/// An expanded prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expanded {
    /// The text that is sent.
    pub text: String,
    /// Why parts of the template were not expanded, in the order of the text.
    pub problems: Vec<Problem>,
}

/// Why the reference does not expand a template or a placeholder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The template cannot be parsed; it is sent unchanged.
    Unreadable,
    /// There is no value of this name; the placeholder is sent unchanged.
    Missing(String),
    /// There is no value at this path; the whole template is sent unchanged.
    MissingPath(String),
    /// The value is a list or a map where a text is needed; the whole template is sent unchanged.
    NotText(String),
    /// The value is a list or a map that cannot be converted to text, so that the run raises.
    Raises(String),
    /// Sections nest too deeply; the whole template is sent unchanged.
    TooDeep,
    /// What is filled in is too long to be shown.
    TooLong,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreadable => {
                f.write_str("the template has syntax errors and is sent unexpanded")
            }
            Self::Missing(name) => {
                write!(f, "`{name}` has no value; its placeholder is sent as it is")
            }
            Self::MissingPath(path) => {
                write!(
                    f,
                    "`{path}` has no value; the whole template is sent unexpanded"
                )
            }
            Self::NotText(path) => write!(
                f,
                "`{path}` is a list or a map; the whole template is sent unexpanded"
            ),
            Self::Raises(path) => {
                write!(f, "`{path}` is a list or a map, so the run raises here")
            }
            Self::TooDeep => {
                f.write_str("sections nest too deep; the whole template is sent unexpanded")
            }
            Self::TooLong => f.write_str("the text is too long; the rest of it is not shown"),
        }
    }
}

/// The text that the reference sends for `template` with the values in the map `context`.
///
/// `template` is decoded: the string value of the literal. If there is no `room` left, the text is cut off.
pub fn expand(
    template: &str,
    context: &Value,
    mode: OutputMode,
    edition: Edition,
    room: &Room,
) -> Expanded {
    room.add(template.len());
    if !edition.has_sections() {
        return legacy::expand(template, context, room);
    }
    let Some(nodes) = nodes::read(template) else {
        return Expanded::unchanged(template, Problem::Unreadable);
    };
    if mode == OutputMode::PtcLisp
        && let Some(text) = expand::refer(&nodes, context, room)
    {
        return Expanded {
            text,
            problems: Vec::new(),
        };
    }
    expand::expand(template, &nodes, context, room)
}

impl Expanded {
    fn unchanged(template: &str, problem: Problem) -> Self {
        Self {
            text: template.to_owned(),
            problems: vec![problem],
        }
    }
}
