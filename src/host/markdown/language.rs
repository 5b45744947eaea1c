//! The languages of code blocks in which signatures are looked for.

/// What a code block is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// Elixir, plain or as a session of its shell.
    Elixir,
    /// Clojure, EDN or PTC-Lisp.
    Lisp,
    /// JSON.
    Json,
    /// YAML.
    Yaml,
    /// Signatures and nothing else.
    Signatures,
}

impl Language {
    /// The language that the info string of a fence names with its first word.
    pub fn from_info(info: &str) -> Option<Self> {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let mut words = info.split(|c| !is_word(c)).filter(|word| !word.is_empty());
        match words.next()?.to_ascii_lowercase().as_str() {
            "elixir" | "ex" | "exs" | "iex" => Some(Self::Elixir),
            "clojure" | "clj" | "cljc" | "cljs" | "edn" | "lisp" | "ptc-lisp" | "ptc" => {
                Some(Self::Lisp)
            }
            "json" | "jsonc" => Some(Self::Json),
            "yaml" | "yml" => Some(Self::Yaml),
            "signature" | "sig" => Some(Self::Signatures),
            _ => None,
        }
    }
}
