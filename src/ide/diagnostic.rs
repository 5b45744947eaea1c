//! Diagnostics, their rules and their fixes, as plain data.

use crate::{
    model::FieldId,
    text::{TextEdit, TextRange, TextSize},
};

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A suggestion; shown discreetly.
    Hint,
    /// Probably not what was meant.
    Warning,
    /// The reference rejects it, or it fails at run time.
    Error,
}

/// A rule: what all its diagnostics have in common.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable name, in kebab case.
    pub code: &'static str,
    /// The severity unless a project sets another.
    pub severity: Severity,
    /// One line without a full stop.
    pub summary: &'static str,
    /// Why it is wrong and what to do, in Markdown.
    pub explanation: &'static str,
    /// An example that the rule reports, once and nothing else.
    pub wrong: Sample,
    /// The same example, fixed.
    pub right: Sample,
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
    /// A list in a list, this many deep: too long to be written down.
    NestedLists(usize),
    /// So many parameters: too long to be written down.
    ManyParameters(usize),
}

/// One diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule found it.
    pub rule: &'static Rule,
    /// How much it weighs here.
    pub severity: Severity,
    /// Just the fault, in bytes; empty where something is missing between two bytes.
    pub range: TextRange,
    /// What is wrong and what to write instead, in one sentence.
    pub message: String,
    /// The other places that it speaks of.
    pub related: Vec<Related>,
    /// The ways to correct it, the best first.
    pub fixes: Vec<Fix>,
    /// The places among the other ones that are outside of its unit, until it is reported.
    pub(crate) elsewhere: Vec<Elsewhere>,
}

/// Another place that a finding speaks of, outside of its unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Elsewhere {
    /// What the place is in.
    pub(crate) outside: Outside,
    /// The place, in bytes from where that begins.
    pub(crate) range: TextRange,
    /// What is there, in one sentence.
    pub(crate) message: String,
}

/// A text outside of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outside {
    /// A signature that flows into the unit, by its index.
    Source(usize),
    /// A parameter or field in the signature of the tool of that name.
    Parameter(String, FieldId),
    /// The name of the first tool that has it.
    ToolName(String),
}

/// Another place that a finding speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The place, in bytes of the same document.
    pub range: TextRange,
    /// What is there, in one sentence.
    pub message: String,
}

/// A way to correct a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as the editor's menu shows it.
    pub title: String,
    /// Disjoint edits, in bytes of the document before any of them.
    pub edits: Vec<TextEdit>,
    /// Whether it surely keeps what the author meant, so that it may be applied unseen.
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
    /// A finding of `rule` with the rule's own severity and no fix.
    pub fn new(rule: &'static Rule, range: TextRange, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.severity,
            range,
            message: message.into(),
            related: Vec::new(),
            fixes: Vec::new(),
            elsewhere: Vec::new(),
        }
    }

    /// The same finding with one more way to fix it.
    pub fn with_fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Finds its places outside of its unit in the document, given where what each is in begins.
    pub(crate) fn resolve(&mut self, origins: &[Option<TextSize>]) {
        let elsewhere = std::mem::take(&mut self.elsewhere).into_iter();
        let found = elsewhere.zip(origins).filter_map(|(it, origin)| {
            Some(Related {
                range: it.range + (*origin)?,
                message: it.message,
            })
        });
        self.related.extend(found);
    }

    /// The same finding, `offset` bytes further on.
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
