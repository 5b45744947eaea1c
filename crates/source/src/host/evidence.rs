//! Decides for every host whether a text is a signature or a prompt of this language.
//!
//! Calls of the library, catalogs, prompt files and keys of the settings are *certain*: their texts count in any form.
//! The keys of the table (`signature`, `prompt`, `tools`) are not: other programs use them for checksums, heads of
//! functions, version ranges and templates of other engines. So under a key, the text decides. `docs/hosts.md` has the
//! reasons.

mod prompt;
mod search;
mod signature;
mod words;

pub use prompt::{has_index, is_prompt};
pub use search::{may_have_prompt, may_have_signature};
pub use signature::{of_signature, of_signature_beside};

/// The certainty that the literals of a unit count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Evidence {
    /// Other languages have such texts too. They count if something else in the document does.
    Possible,
    /// A key of the table, and the text reads like one.
    #[default]
    Likely,
    /// A call, a kind of file or a setting.
    Certain,
}
