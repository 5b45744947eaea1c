//! The words of each group of hosts, each with a check of what stands around it.

use super::{
    in_elixir,
    place::{
        Place, anywhere, begins_template, begins_word, heads_list, is_alias_of_ours, is_anchor,
        is_entry, is_fence, is_import_of_ours, is_key, is_key_or_fence, may_call, may_call_new,
        may_call_or_make, may_call_parse, may_call_run,
    },
};

/// A word, a check of its context, and what it shows. Entries of the same word stand together, and the first one counts
/// whose context fits.
pub(super) type Word = (&'static str, fn(Place<'_>) -> bool, Shows);

/// What a word in a text says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    /// The text may have units that count by themselves.
    Ours,
    /// Its units count if one of their texts reads like a signature.
    Signature,
    /// They count if one of their texts reads like a prompt.
    Prompt,
    /// It may have code blocks.
    Code,
    /// It may run a program that the text holds.
    Program,
    /// Its units only count if something else does.
    Possible,
    /// It names the library, so its units count. By itself, it has none.
    Library,
    /// It calls a parser, which is ours if the text names the module around it.
    Parser,
}

use Shows::{Code, Library, Ours, Parser, Possible, Program, Prompt, Signature};

/// The start of our comments, which counts in every host.
pub(super) const DIRECTIVE: Word = ("signature-ls:", anywhere, Ours);

pub(super) const ELIXIR: &[Word] = &[
    DIRECTIVE,
    ("signature", in_elixir::may_have_text, Signature),
    ("prompt", in_elixir::may_have_text, Prompt),
    ("tools", in_elixir::may_have_tools, Signature),
    ("validation", in_elixir::may_have_mode, Signature),
    ("import", in_elixir::is_import_of_ours, Ours),
    ("PtcRunner", anywhere, Library),
    ("SubAgent", may_call_or_make, Ours),
    ("LLMTool", may_call_or_make, Ours),
    ("Signature", may_call_parse, Ours),
    ("Signature", may_call, Library),
    ("Parser", may_call_parse, Parser),
    ("Lisp", in_elixir::may_run_program, Program),
    ("Lisp", may_call, Library),
    ("Tool", may_call_new, Ours),
    ("as:", is_alias_of_ours, Ours),
    ("~T\"", begins_template, Ours),
    ("~PROMPT\"", anywhere, Ours),
    ("```", anywhere, Code),
    ("~~~", anywhere, Code),
];

pub(super) const LISP: &[Word] = &[
    DIRECTIVE,
    (":signature", anywhere, Ours),
    (":prompt", anywhere, Ours),
    (":tools", anywhere, Ours),
    ("tool/", begins_word, Ours),
    ("data/", begins_word, Ours),
    ("ctx/", begins_word, Ours),
    ("call", heads_list, Ours),
    ("return", heads_list, Ours),
];

pub(super) const KEYED: &[Word] = &[
    DIRECTIVE,
    ("signature", is_entry, Signature),
    ("prompt", is_entry, Prompt),
    ("tools", is_entry, Signature),
    ("&", is_anchor, Signature),
];

/// Code blocks are in any language; the fence of a block of signatures is in any case.
pub(super) const MARKDOWN: &[Word] = &[
    DIRECTIVE,
    ("signature", is_key_or_fence, Signature),
    ("Signature:", anywhere, Signature),
    ("Signature", may_call_parse, Ours),
    ("Signature", is_fence, Ours),
    ("Signature", may_call, Library),
    ("Parser", may_call_parse, Parser),
    ("sig", is_fence, Signature),
    ("Sig", is_fence, Signature),
    ("SIG", is_fence, Signature),
    ("prompt", is_key, Prompt),
    ("tools", is_key, Signature),
    ("validation", is_key, Signature),
    ("import", is_import_of_ours, Ours),
    ("PtcRunner", anywhere, Library),
    ("SubAgent", may_call_or_make, Ours),
    ("LLMTool", may_call_or_make, Ours),
    ("Lisp", may_call_run, Ours),
    ("Lisp", may_call, Library),
    ("Tool", may_call_new, Ours),
    ("as:", is_alias_of_ours, Ours),
    ("~T\"", begins_template, Ours),
    ("~PROMPT\"", anywhere, Ours),
    ("ptc", is_fence, Ours),
    ("tool/", begins_word, Ours),
    ("data/", begins_word, Possible),
    ("ctx/", begins_word, Possible),
    ("call", heads_list, Possible),
    ("return", heads_list, Possible),
];
