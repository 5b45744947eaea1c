//! Diagnostics, their rules and their fixes, as plain data.

use crate::{
    ide::distant::{Distant, Origin},
    model::FieldId,
};
use signature_ls_source::text::{TextEdit, TextRange, TextSize};

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A suggestion; shown discreetly.
    Hint,
    /// Probably a mistake.
    Warning,
    /// The reference rejects it, or it fails at run time.
    Error,
}

impl Severity {
    /// Its name in settings and in what is printed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A rule: what all its diagnostics have in common.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable code, in kebab case.
    pub code: &'static str,
    /// The default severity.
    pub severity: Severity,
    /// A summary on one line, without a full stop.
    pub summary: &'static str,
    /// What is wrong and what to write, in Markdown.
    pub explanation: &'static str,
    /// An example that the rule reports once, and no other rule.
    pub wrong: Sample,
    /// The same example, fixed.
    pub right: Sample,
}

impl Rule {
    /// Whether it reports text that could be left out, which editors fade. The codes of such rules say so.
    pub fn is_unnecessary(&self) -> bool {
        self.code.starts_with("unused-")
    }
}

/// An example of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    /// A signature.
    Signature(&'static str),
    /// A prompt under a signature.
    Prompt {
        /// The signature of the prompt's inputs.
        signature: &'static str,
        /// The prompt.
        prompt: &'static str,
    },
    /// A prompt file with its front matter.
    PromptFile(&'static str),
    /// Elixir source.
    Elixir(&'static str),
    /// PTC-Lisp source.
    Lisp(&'static str),
    /// A catalog.
    Catalog(&'static str),
    /// Nested lists of this depth: too long to write.
    NestedLists(usize),
    /// This many parameters: too long to write.
    ManyParameters(usize),
}

impl Sample {
    /// A signature.
    pub const fn signature(text: &'static str) -> Self {
        Self::Signature(kept(text))
    }

    /// A prompt under a signature.
    pub const fn prompt(signature: &'static str, prompt: &'static str) -> Self {
        Self::Prompt {
            signature: kept(signature),
            prompt: kept(prompt),
        }
    }

    /// A prompt file with its front matter.
    pub const fn prompt_file(text: &'static str) -> Self {
        Self::PromptFile(kept(text))
    }

    /// Elixir source.
    pub const fn elixir(text: &'static str) -> Self {
        Self::Elixir(kept(text))
    }

    /// PTC-Lisp source.
    pub const fn lisp(text: &'static str) -> Self {
        Self::Lisp(kept(text))
    }

    /// A catalog.
    pub const fn catalog(text: &'static str) -> Self {
        Self::Catalog(kept(text))
    }
}

/// Only the command line prints samples; they are left out of the browser module.
const fn kept(text: &'static str) -> &'static str {
    if cfg!(feature = "native") { text } else { "" }
}

/// A diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that reported it.
    pub rule: &'static Rule,
    /// Its severity here.
    pub severity: Severity,
    /// The range of the error, in bytes; empty if something is missing.
    pub range: TextRange,
    /// What is wrong and what to write instead, in one sentence.
    pub message: String,
    /// Related places.
    pub related: Vec<Related>,
    /// Related places that are looked up by the function that has them, because it may be in another file.
    pub distant: Vec<Distant>,
    /// The fixes, best first.
    pub fixes: Vec<Fix>,
    /// Related places outside of its unit, until it is reported.
    pub(crate) elsewhere: Vec<Elsewhere>,
    /// The number of faults that it is about: what is missing in one place shares a diagnostic.
    pub(crate) faults: usize,
}

/// A related place outside of the unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Elsewhere {
    /// The text that contains the place.
    pub(crate) outside: Outside,
    /// The place, in bytes from the start of that text.
    pub(crate) range: TextRange,
    /// A description in one sentence.
    pub(crate) message: String,
}

/// A text outside of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outside {
    /// A signature that flows into the unit, by its index.
    Source(usize),
    /// A parameter or field in the signature of a tool.
    Parameter {
        /// The name of the tool.
        tool: String,
        /// Its place in the signature; `None` if the tool has that from the `@spec` of its function.
        field: Option<FieldId>,
        /// The name of the parameter or field.
        name: String,
    },
    /// The name of the first tool that has it.
    ToolName(String),
}

/// A related place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The place, in bytes of the same document.
    pub range: TextRange,
    /// A description in one sentence.
    pub message: String,
}

/// A fix of a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// Its title in the editor's menu.
    pub title: String,
    /// Disjoint edits, in bytes of the document before any of them.
    pub edits: Vec<TextEdit>,
    /// Whether it certainly keeps the author's intent, so that it can be applied without asking.
    pub safe: bool,
}

impl Fix {
    /// A fix that keeps the author's intent.
    pub fn safe(title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        Self {
            title: title.into(),
            edits,
            safe: true,
        }
    }

    /// A fix that the author has to choose.
    pub fn offered(title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        Self {
            title: title.into(),
            edits,
            safe: false,
        }
    }
}

impl Diagnostic {
    /// A diagnostic of `rule` with the rule's severity and no fix.
    pub fn new(rule: &'static Rule, range: TextRange, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.severity,
            range,
            message: message.into(),
            related: Vec::new(),
            distant: Vec::new(),
            fixes: Vec::new(),
            elsewhere: Vec::new(),
            faults: 1,
        }
    }

    /// The same diagnostic with one more fix.
    pub fn with_fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Whether its best fix is safe.
    pub fn has_safe_fix(&self) -> bool {
        self.fixes.first().is_some_and(|fix| fix.safe)
    }

    /// Resolves its places outside of its unit, given where they are.
    pub(crate) fn resolve(&mut self, origins: &[Origin]) {
        let elsewhere = std::mem::take(&mut self.elsewhere).into_iter();
        for (Elsewhere { range, message, .. }, origin) in elsewhere.zip(origins) {
            match origin {
                Origin::At(start) => self.related.push(Related {
                    range: range + *start,
                    message,
                }),
                Origin::Of(declaration) => self.distant.push(Distant {
                    declaration: declaration.clone(),
                    message,
                }),
                Origin::Unknown => {}
            }
        }
    }

    /// Frees room for more. A document may have tens of thousands, with one fix each.
    pub(crate) fn shrink(&mut self) {
        self.message.shrink_to_fit();
        self.related.shrink_to_fit();
        self.distant.shrink_to_fit();
        self.fixes.shrink_to_fit();
        self.elsewhere.shrink_to_fit();
    }

    /// The same diagnostic after an `edit` outside of its places; `None` if it touches one of them.
    pub(crate) fn after(&self, edit: &TextEdit) -> Option<Self> {
        let mut moved = self.clone();
        let related = moved.related.iter_mut().map(|it| &mut it.range);
        let fixes = moved.fixes.iter_mut().flat_map(|fix| &mut fix.edits);
        let places = related.chain(fixes.map(|it| &mut it.range));
        for place in places.chain([&mut moved.range]) {
            if place.end() < edit.range.start() {
                continue;
            }
            let after = place
                .checked_sub(edit.range.end())
                .filter(|it| it.start() > TextSize::default())?;
            *place = after + edit.inserted_range().end();
        }
        Some(moved)
    }

    /// The same diagnostic, moved by `offset` bytes.
    pub fn moved_by(mut self, offset: TextSize) -> Self {
        self.range += offset;
        for related in &mut self.related {
            related.range += offset;
        }
        for edit in self.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.range += offset;
        }
        self
    }
}
