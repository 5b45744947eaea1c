//! The kinds of document that can hold signatures: the one table of them.

use std::path::Path;

/// The kinds of documents that can contain signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HostKind {
    /// Elixir source.
    Elixir,
    /// A prompt file: front matter with a signature, the body a template.
    Prompt,
    /// Markdown, a prompt file as soon as its front matter has `signature`.
    Markdown,
    /// Livebook: Markdown in which names flow from cell to cell.
    Livebook,
    /// YAML.
    Yaml,
    /// JSON, JSONC and JSON5.
    Json,
    /// Clojure, EDN and PTC-Lisp.
    Lisp,
    /// Catalogs of tools.
    Catalog,
}

/// The properties of a kind of document.
#[derive(Debug)]
pub struct Facts {
    /// The extensions of its files, without the dot; the longest match counts.
    pub extensions: &'static [&'static str],
    /// The language ids that editors use for it.
    pub language_ids: &'static [&'static str],
    /// The first words of Markdown fences whose code is of this kind.
    pub fences: &'static [&'static str],
    /// Whether it has functions, which can be tools.
    pub has_functions: bool,
    /// Whether the server formats whole documents; others have their own formatters.
    pub is_formatted: bool,
}

impl HostKind {
    /// Every kind.
    pub const ALL: &[HostKind] = &[
        Self::Elixir,
        Self::Prompt,
        Self::Markdown,
        Self::Livebook,
        Self::Yaml,
        Self::Json,
        Self::Lisp,
        Self::Catalog,
    ];

    /// The table: a new kind gets a line here, and a reader in `HostDocument`.
    pub fn facts(self) -> &'static Facts {
        match self {
            Self::Elixir => &Facts {
                extensions: &["ex", "exs"],
                language_ids: &["elixir"],
                fences: &["elixir", "ex", "exs", "iex"],
                has_functions: true,
                is_formatted: false,
            },
            Self::Prompt => &Facts {
                extensions: &["prompt", "prompt.md"],
                language_ids: &["prompt", "signature-prompt"],
                fences: &[],
                has_functions: false,
                is_formatted: true,
            },
            Self::Markdown => &Facts {
                extensions: &["md", "markdown", "mdx"],
                language_ids: &["markdown", "mdx"],
                fences: &[],
                has_functions: true,
                is_formatted: false,
            },
            Self::Livebook => &Facts {
                extensions: &["livemd"],
                language_ids: &["livebook"],
                fences: &[],
                has_functions: true,
                is_formatted: false,
            },
            Self::Yaml => &Facts {
                extensions: &["yaml", "yml"],
                language_ids: &["yaml", "dockercompose"],
                fences: &["yaml", "yml"],
                has_functions: false,
                is_formatted: false,
            },
            Self::Json => &Facts {
                extensions: &["json", "jsonc", "json5"],
                language_ids: &["json", "jsonc", "json5"],
                fences: &["json", "jsonc", "json5"],
                has_functions: false,
                is_formatted: false,
            },
            Self::Lisp => &Facts {
                extensions: &["clj", "cljc", "cljs", "edn", "ptc"],
                language_ids: &["clojure", "clojurescript", "edn"],
                fences: &[
                    "clojure", "clj", "cljc", "cljs", "edn", "lisp", "ptc-lisp", "ptc",
                ],
                has_functions: false,
                is_formatted: false,
            },
            Self::Catalog => &Facts {
                extensions: &["sig"],
                language_ids: &["signature-catalog"],
                fences: &["signature", "sig"],
                has_functions: false,
                is_formatted: true,
            },
        }
    }

    /// The kind of the document at `path`, by its name; `None` for files without signatures.
    pub fn from_path(path: &Path) -> Option<Self> {
        // A name need not be UTF-8, but its extension must be.
        let name = path.file_name()?.as_encoded_bytes();
        let ends = |extension: &str| {
            let before = name.strip_suffix(extension.as_bytes());
            before.is_some_and(|it| it.ends_with(b"."))
        };
        let fitting = Self::ALL.iter().flat_map(|kind| {
            let extensions = kind.facts().extensions.iter();
            extensions.filter(|it| ends(it)).map(|it| (it.len(), *kind))
        });
        fitting.max_by_key(|(len, _)| *len).map(|(_, kind)| kind)
    }

    /// Whether the file at `path` is ours by its name alone: nobody else writes PTC-Lisp.
    pub fn is_named_as_ours(path: &Path) -> bool {
        path.extension().is_some_and(|it| it == "ptc")
    }

    /// The kind of a document in a language of an editor.
    pub fn from_language_id(id: &str) -> Option<Self> {
        Self::find(|facts| facts.language_ids.contains(&id))
    }

    /// The kind of a code block in Markdown with the info string `word`.
    pub fn from_fence(word: &str) -> Option<Self> {
        let word = word.to_ascii_lowercase();
        Self::find(|facts| facts.fences.contains(&word.as_str()))
    }

    fn find(is_meant: impl Fn(&Facts) -> bool) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|kind| is_meant(kind.facts()))
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs};

    use super::*;

    fn file(path: &str) -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(path);
        fs::read_to_string(&path).unwrap_or_else(|_| panic!("{} is there", path.display()))
    }

    /// The quoted words of `text` between `before` and `after`.
    fn quoted(text: &str, before: &str, after: &str) -> BTreeSet<String> {
        let from = text.find(before).expect(before) + before.len();
        let len = text[from..].find(after).expect(after);
        let words = text[from..from + len].split(['\'', '"']).skip(1).step_by(2);
        words.map(str::to_owned).collect()
    }

    #[test]
    fn a_name_means_one_kind() {
        let mut seen = BTreeSet::new();
        for kind in HostKind::ALL {
            let facts = kind.facts();
            let ids = facts.language_ids.iter().map(|it| format!("language {it}"));
            let fences = facts.fences.iter().map(|it| format!("fence {it}"));
            let extensions = facts.extensions.iter().map(|it| format!("extension {it}"));
            for name in ids.chain(fences).chain(extensions) {
                assert!(seen.insert(name.clone()), "{name}");
            }
            for extension in facts.extensions {
                let path = format!("a/b.c.{extension}");
                assert_eq!(HostKind::from_path(Path::new(&path)), Some(*kind));
            }
        }
        for path in ["a", "md", "prompt", "a.txt", "", "a.mdx5"] {
            assert_eq!(HostKind::from_path(Path::new(path)), None, "{path}");
        }
    }

    /// Editors select a language for each kind, and no other language.
    #[track_caller]
    fn check_languages(what: &str, languages: &BTreeSet<String>) {
        let mut kinds = Vec::new();
        for id in languages {
            kinds.push(HostKind::from_language_id(id).unwrap_or_else(|| panic!("{id} in {what}")));
        }
        for kind in HostKind::ALL {
            assert!(kinds.contains(kind), "{kind:?} is missing in {what}");
        }
    }

    #[test]
    fn editors_select_the_languages_of_every_kind() {
        let vscode = file("editors/vscode/src/selector.ts");
        check_languages("VS Code", &quoted(&vscode, "LANGUAGES = [", "]"));
        let neovim = file("editors/neovim/lsp/signature_ls.lua");
        let mut neovim = quoted(&neovim, "filetypes = {", "}");
        assert!(neovim.remove("toml"), "the settings file");
        check_languages("Neovim", &neovim);

        let manifest: serde_json::Value =
            serde_json::from_str(&file("editors/vscode/package.json")).expect("JSON");
        let events = manifest["activationEvents"].as_array().expect("a list");
        let activated = events
            .iter()
            .filter_map(|it| it.as_str()?.strip_prefix("onLanguage:"));
        // A language that the extension adds activates it anyway.
        let added = manifest["contributes"]["languages"]
            .as_array()
            .expect("a list");
        let added = added.iter().filter_map(|it| it["id"].as_str());
        let all = activated.chain(added).map(str::to_owned).collect();
        check_languages("package.json", &all);
    }
}
