//! `fn %{"qury" => q} -> … end`: a key that no call of the tool passes.

#[cfg(test)]
mod tests;

use std::cell::OnceCell;

use foldhash::HashSet;

use crate::{
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        rules::Check,
        tools::{signature_of_fields, with_signature},
        unit::UnitView,
    },
    model::{
        Edition, Lowered, lower,
        spelling::{is_slip, nearest},
    },
};
use signature_ls_source::{
    host::{
        Notation,
        elixir::{
            head::string_keys_of_fn,
            module::Function,
            tools::{Capture, Form, Tool},
        },
    },
    syntax::{fragment::Fragment, kind::SyntaxNode, signature},
    text::{TextEdit, TextRange, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unknown-head-key",
    severity: Severity::Warning,
    summary: "Tool function matches a key that no call passes",
    explanation: "Programs call a tool with the arguments of its signature. A clause that matches another key does not match \
                  them, and the call raises. Keys arrive with underscores, so that one with a hyphen never matches. For a \
                  named function, the diagnostic is at the entry in `tools:`. Without a signature, the `@spec` of \
                  `def search(%{\"query\" => q})` gives one parameter with the name `map`, which nothing matches.",
    wrong: Sample::elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {fn %{\"qury\" => q} -> q end, \"(query :string) -> :string\"}})\n",
    ),
    right: Sample::elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {fn %{\"query\" => q} -> q end, \"(query :string) -> :string\"}})\n",
    ),
};

/// The number of keys of a named function that are checked where it is a tool: thousands of tools may be the same function.
const MOST_KEYS: usize = 64;

/// The number of its keys that are reported one by one. All are reported at the same place.
const MOST_TOLD: usize = 8;

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    // Programs of this edition pass atoms.
    if unit.edition < Edition::V0_5 {
        return;
    }
    // Parameters with types form a signature in any context.
    let is_ours = |it: &Lowered| unit.is_certain() || !it.signature.params.is_empty();
    for tool in unit.tools_registered().unwrap_or_default() {
        if tool.contract.is_none() && unit.takes_tools() {
            let before = found.len();
            hyphens(unit, tool, found);
            if found.len() == before {
                found.extend(unnamed(unit, tool));
            }
        } else if matches_keys(unit, tool)
            && let Some(lowered) = lowered(unit, tool).filter(is_ours)
        {
            Heads::new(unit, lowered).of_function(tool, found);
        }
    }
    if let Some(lowered) = of_tuple(unit).filter(is_ours) {
        Heads::new(unit, lowered).of_fn(found);
    }
}

/// Finds the keys with hyphens that the function of a tool without a signature matches.
fn hyphens(unit: &UnitView<'_>, tool: &Tool, found: &mut Vec<Diagnostic>) {
    let named = tool
        .details
        .function
        .as_ref()
        .map(|it| (&it.name, &tool.details.head));
    let captured = function_of(unit, tool).map(|(it, function)| (&it.name, &*function.string_keys));
    for (function, keys) in named.into_iter().chain(captured) {
        let unknown = keys.iter().take(MOST_KEYS).filter_map(|it| hyphenated(it));
        let unknown = unknown.take(MOST_TOLD);
        let message = |it: Unknown<'_>| it.message(&format!("`{function}`"));
        found.extend(unknown.map(|it| Diagnostic::new(&RULE, tool.range, message(it))));
    }
    if tool.details.arity != Some(1) {
        return;
    }
    let code = unit.code(tool.range);
    for range in string_keys_of_fn(&code).into_iter().flatten() {
        if let Some(unknown) = hyphenated(code[range].trim_matches('"')) {
            found.push(unknown.diagnostic(range + tool.range.start()));
        }
    }
}

/// The diagnostic about a function whose spec does not name the map that it matches.
fn unnamed(unit: &UnitView<'_>, tool: &Tool) -> Option<Diagnostic> {
    let Form::Function(Some(capture)) = &tool.form else {
        return None;
    };
    let function = unit.scope.resolve(capture).filter(|it| it.is_own)?;
    let of_fields = signature_of_fields(&function)?;
    let callee = format!("`{}/{}`", capture.name, capture.arity);
    let told =
        format!("By its `@spec`, models pass {callee} one argument `map`, which it does not match");
    let Some(signature) = of_fields else {
        let message = format!("{told}; write a signature that names its keys.");
        return Some(Diagnostic::new(&RULE, tool.range, message));
    };
    let message = format!("{told}; write the signature `{signature}`.");
    let fix = Fix::offered(
        format!("Write `{signature}`"),
        with_signature(tool.range, &signature),
    );
    Some(Diagnostic::new(&RULE, tool.range, message).with_fix(fix))
}

/// The key `name` if it has a hyphen.
fn hyphenated(name: &str) -> Option<Unknown<'_>> {
    let is_plain = name.contains('-') && !name.contains(['#', '\\']);
    is_plain.then(|| Unknown {
        name,
        near: Some(name.replace('-', "_")),
        is_spelling: true,
    })
}

/// Whether the function of `tool` matches any keys, so that its signature has to be read.
fn matches_keys(unit: &UnitView<'_>, tool: &Tool) -> bool {
    let has_head = tool.details.function.is_some() && !tool.details.head.is_empty();
    has_head || function_of(unit, tool).is_some_and(|(_, it)| !it.string_keys.is_empty())
}

/// The function that `tool` captures, if it is known.
fn function_of<'a>(unit: &UnitView<'a>, tool: &'a Tool) -> Option<(&'a Capture, &'a Function)> {
    let (Form::Function(Some(capture)) | Form::Described(Some(capture))) = &tool.form else {
        return None;
    };
    Some((capture, unit.scope.resolve(capture)?.function))
}

/// The signature of a unit that is a tuple of a function and its signature.
fn of_tuple(unit: &UnitView<'_>) -> Option<Lowered> {
    let first = TextRange::up_to(TextSize::of('{')).intersect(TextRange::up_to(unit.len()))?;
    if unit.notation() != Notation::Elixir || unit.code(first) != "{" {
        return None;
    }
    // Most tools are functions with a name.
    if !unit.code(TextRange::up_to(unit.len())).contains("fn") {
        return None;
    }
    let signature = unit.signatures().next()?;
    let is_whole = signature.lowered.problems.is_empty();
    let is_read = is_whole || !signature.lowered.signature.params.is_empty();
    let is_read = is_read && !is_elided(&signature.root().text().to_string());
    is_read.then(|| signature.lowered.clone())
}

/// The signature beside the function of `tool`; `None` if it cannot be read.
fn lowered(unit: &UnitView<'_>, tool: &Tool) -> Option<Lowered> {
    let literal = tool.signature()?;
    let text = unit.code(literal.content);
    if !tool.range.contains_range(literal.content) || text.contains('\\') || is_elided(&text) {
        return None;
    }
    let root = SyntaxNode::new_root(signature::parse(Fragment::plain(&text)));
    let lowered = lower(&root, unit.edition);
    let is_read = lowered.problems.is_empty() || !lowered.signature.params.is_empty();
    is_read.then_some(lowered)
}

/// Whether parts of the signature `text` are left out.
fn is_elided(text: &str) -> bool {
    text.contains("...") || text.contains('…')
}

/// The heads of a tool's function.
struct Heads<'a> {
    unit: &'a UnitView<'a>,
    lowered: Lowered,
    /// The names of the parameters in normal form, on request.
    names: OnceCell<HashSet<String>>,
}

/// A key that no call passes, and the most similar parameter.
struct Unknown<'n> {
    name: &'n str,
    near: Option<String>,
    /// Whether these differ only in hyphens.
    is_spelling: bool,
}

impl<'a> Heads<'a> {
    fn new(unit: &'a UnitView<'a>, lowered: Lowered) -> Self {
        Self {
            unit,
            lowered,
            names: OnceCell::new(),
        }
    }

    fn names(&self) -> &HashSet<String> {
        self.names.get_or_init(|| {
            let params = self.lowered.signature.params.iter();
            let names = params.map(|it| self.unit.edition.normal_name(&it.name));
            names.collect()
        })
    }

    /// Checks a function that is defined in the tuple.
    fn of_fn(&self, found: &mut Vec<Diagnostic>) {
        let code = self.unit.code(TextRange::up_to(self.unit.len()));
        let clauses = string_keys_of_fn(&code);
        let is_only_clause = clauses.len() == 1;
        for range in clauses.into_iter().flatten() {
            let name = code[range].trim_matches('"');
            if let Some(unknown) = self.unknown(name, is_only_clause) {
                found.push(unknown.diagnostic(range));
            }
        }
    }

    /// Checks a function with a name, which can only be fixed at its definition.
    fn of_function(&self, tool: &Tool, found: &mut Vec<Diagnostic>) {
        if let Some(function) = &tool.details.function {
            let callee = format!("`{}`", function.name);
            self.of_keys(&tool.details.head, true, (tool, &callee), found);
        }
        if let Some((capture, function)) = function_of(self.unit, tool) {
            let callee = format!("`{}/{}`", capture.name, capture.arity);
            let is_only_clause = function.clauses == 1;
            self.of_keys(
                &function.string_keys,
                is_only_clause,
                (tool, &callee),
                found,
            );
        }
    }

    /// Checks the keys that the `callee`, the function of `tool`, matches.
    fn of_keys(
        &self,
        keys: &[String],
        is_only_clause: bool,
        (tool, callee): (&Tool, &str),
        found: &mut Vec<Diagnostic>,
    ) {
        let keys = keys.iter().take(MOST_KEYS);
        let mut unknown = keys.filter_map(|it| self.unknown(it, is_only_clause));
        let told = unknown.by_ref().take(MOST_TOLD);
        found.extend(told.map(|it| Diagnostic::new(&RULE, tool.range, it.message(callee))));
        if unknown.next().is_some() {
            let message = format!(
                "{callee} matches more keys that its signature lacks; add them there, or match other keys."
            );
            found.push(Diagnostic::new(&RULE, tool.range, message));
        }
    }

    /// The key `name`, if no call passes it.
    fn unknown<'n>(&self, name: &'n str, is_only_clause: bool) -> Option<Unknown<'n>> {
        if let Some(hyphenated) = hyphenated(name) {
            return Some(hyphenated);
        }
        let normal = |name: &str| self.unit.edition.normal_name(name);
        let params = &self.lowered.signature.params;
        if name.contains(['#', '\\']) || self.names().contains(&*normal(name)) {
            return None;
        }
        let near = nearest(name, params.iter().map(|it| it.name.as_str()));
        let is_near = || near.is_some_and(|near| is_slip(&normal(name), near));
        if self.lowered.gaps.params.may_hold(&normal(name), is_near) {
            return None;
        }
        // One of several clauses may be for calls from elsewhere.
        let is_certain = is_only_clause || near.is_some_and(|near| is_slip(name, near));
        is_certain.then_some(Unknown {
            name,
            near: near.map(str::to_owned),
            is_spelling: false,
        })
    }
}

impl Unknown<'_> {
    /// The diagnostic about the key at `range`.
    fn diagnostic(&self, range: TextRange) -> Diagnostic {
        let diagnostic = Diagnostic::new(&RULE, range, self.message("The tool"));
        let Some(near) = &self.near else {
            return diagnostic;
        };
        let edits = vec![TextEdit::replace(range, format!("\"{near}\""))];
        diagnostic.with_fix(Fix::offered(format!("Match `\"{near}\"`"), edits))
    }

    fn message(&self, callee: &str) -> String {
        if let (true, Some(near)) = (self.is_spelling, &self.near) {
            return format!(
                "{callee} matches `\"{}\"`, but keys arrive with underscores; match `\"{near}\"`.",
                self.name
            );
        }
        let matches = format!(
            "{callee} matches `\"{}\"`, which its signature lacks",
            self.name
        );
        match &self.near {
            Some(near) => format!("{matches}; did you mean `{near}`?"),
            None => format!("{matches}; add it there, or match another key."),
        }
    }
}
