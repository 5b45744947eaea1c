//! The languages of code blocks that can contain signatures.

use crate::host::HostKind;

/// The language of a code block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// Elixir, plain or as a session of its shell.
    Elixir,
    /// Clojure, EDN or another Lisp.
    Lisp,
    /// PTC-Lisp, by its own name.
    PtcLisp,
    /// JSON.
    Json,
    /// YAML.
    Yaml,
    /// Signatures only.
    Signatures,
}

impl Language {
    /// The language of a fence, by the first word of its info string.
    pub fn from_info(info: &str) -> Option<Self> {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let mut words = info.split(|c| !is_word(c)).filter(|word| !word.is_empty());
        let word = words.next()?;
        match HostKind::from_fence(word)? {
            HostKind::Elixir => Some(Self::Elixir),
            HostKind::Lisp if word.starts_with("ptc") => Some(Self::PtcLisp),
            HostKind::Lisp => Some(Self::Lisp),
            HostKind::Json => Some(Self::Json),
            HostKind::Yaml => Some(Self::Yaml),
            HostKind::Catalog => Some(Self::Signatures),
            HostKind::Markdown | HostKind::Livebook | HostKind::Prompt => None,
        }
    }
}
