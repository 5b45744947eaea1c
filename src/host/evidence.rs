//! Decides whether a text is ours, for every host.
//!
//! A call of the library, a catalog, a prompt file and a key of the settings are *certain*: whatever is
//! there is ours, however it reads. The keys of the table (`signature`, `prompt`, `tools`) are not: other
//! programs use them for checksums, heads of functions, version ranges and templates of other engines. So under
//! a key the text itself decides. `docs/hosts.md` has the reasons.

mod prompt;
mod signature;

pub use prompt::is_prompt;
pub use signature::of_signature;

/// How sure it is that the literals of a unit are ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Evidence {
    /// Other languages write such texts too. They count where something else in the document is ours.
    Possible,
    /// A key of the table says so, and the text reads as ours.
    #[default]
    Likely,
    /// A call, a kind of file or a setting says so.
    Certain,
}
