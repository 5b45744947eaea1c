//! Reads of results: keys that the signature does not have, and atoms where keys are strings.

use crate::{
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        diagnostic::{Elsewhere, Outside},
        rules::Check,
        unit::UnitView,
    },
    model::{FirstNames, Primitive, Type, TypeKind, spelling::nearest},
};
use signature_ls_source::{
    host::flow::{Flowing, Given, Key, KeyForm},
    text::{TextEdit, TextRange, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[&UNKNOWN_KEY, &ATOM_KEY],
    run,
};

static UNKNOWN_KEY: Rule = Rule {
    code: "unknown-result-key",
    severity: Severity::Warning,
    summary: "Unknown key of a result",
    explanation: "`step.return` has the fields of the output in the agent's signature. The agent is followed through names, \
                  functions, pipes and patterns; where it is uncertain, nothing is reported. An unknown key is nil at run time, and \
                  a pattern with it does not match.",
    wrong: Sample::elixir(
        "agent = SubAgent.new(prompt: \"Count.\", signature: \"{count :int}\")\n\
         {:ok, step} = SubAgent.run(agent, llm: llm)\nstep.return[\"conut\"]\n",
    ),
    right: Sample::elixir(
        "agent = SubAgent.new(prompt: \"Count.\", signature: \"{count :int}\")\n\
         {:ok, step} = SubAgent.run(agent, llm: llm)\nstep.return[\"count\"]\n",
    ),
};

static ATOM_KEY: Rule = Rule {
    code: "atom-result-key",
    severity: Severity::Warning,
    summary: "Atom as the key of a result",
    explanation: "From release 0.5.2 on, the keys of `step.return` are strings at every depth. `step.return.count` raises, \
                  `step.return[:count]` is nil, and `%{count: n}` does not match. Programs before that return atoms. \
                  The program of a compiled agent chooses its own keys, so they are not checked.",
    wrong: Sample::elixir(
        "agent = SubAgent.new(prompt: \"Count.\", signature: \"{count :int}\")\n\
         step = SubAgent.run!(agent, llm: llm)\nstep.return.count\n",
    ),
    right: Sample::elixir(
        "agent = SubAgent.new(prompt: \"Count.\", signature: \"{count :int}\")\n\
         step = SubAgent.run!(agent, llm: llm)\nstep.return[\"count\"]\n",
    ),
};

fn run(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let reads = unit.flow().reads.iter();
    for read in reads.filter(|it| it.what == Flowing::Data && !it.is_binding) {
        found.extend(check(unit, read));
    }
}

/// Checks the keys of one read. After the first error, nothing is certain.
fn check(unit: &UnitView<'_>, read: &Given) -> Option<Diagnostic> {
    let mut ty = unit.type_before_keys(read)?;
    for key in &read.keys {
        let name = key.name.as_deref()?;
        let TypeKind::Record(fields) = &ty.kind else {
            return not_a_record(unit, read, key, ty);
        };
        if fields.is_empty() {
            return None;
        }
        let known = unit.field(ty, name);
        let is_same = |it: &&str| *it == name;
        let spelling = known.map(|(field, _)| unit.edition.normal_name(&field.name));
        let Some((_, next)) = known.filter(|_| spelling.as_deref().iter().any(is_same)) else {
            if key.may_be_missing {
                return None;
            }
            let names = fields.first_names(unit.edition);
            let near = spelling.or_else(|| nearest(name, names.iter()).map(str::to_owned));
            let may_be = unit.may_have_field(read, ty, name, near.as_deref());
            return (!may_be).then(|| unknown(unit, read, (key, name), &names, near));
        };
        if unit.is_atom(read, key) {
            return Some(atom(unit, read, key, name));
        }
        ty = next;
    }
    None
}

fn unknown(
    unit: &UnitView<'_>,
    read: &Given,
    (key, name): (&Key, &str),
    names: &FirstNames<'_>,
    near: Option<String>,
) -> Diagnostic {
    let message = match &near {
        Some(near) => format!("The result has no `{name}`; did you mean `{near}`?"),
        None => {
            let names: Vec<_> = names.iter().take(8).map(|it| format!("`{it}`")).collect();
            format!("The result has no `{name}`, only {}.", names.join(", "))
        }
    };
    let mut found = Diagnostic::new(&UNKNOWN_KEY, key.name_range, message);
    found.elsewhere.extend(output(unit, read));
    found.fixes.extend(near.map(|near| {
        let edits = vec![match unit.is_atom(read, key) {
            true => string_key(unit, key, &near),
            false => TextEdit::replace(key.name_range, near.clone()),
        }];
        Fix::offered(format!("Write `{near}`"), edits)
    }));
    found
}

fn atom(unit: &UnitView<'_>, read: &Given, key: &Key, name: &str) -> Diagnostic {
    let write = match key.form {
        KeyForm::Pattern => format!("\"{name}\" =>"),
        KeyForm::Dot => format!("[\"{name}\"]"),
        KeyForm::Atom | KeyForm::String => format!("\"{name}\""),
    };
    let message = format!("The keys of a result are strings; write `{write}`.");
    let mut found = Diagnostic::new(&ATOM_KEY, key.name_range, message);
    found.elsewhere.extend(output(unit, read));
    let edits = vec![string_key(unit, key, name)];
    found.with_fix(Fix::offered(format!("Write `{write}`"), edits))
}

/// The edit that writes `key` as the string `name`.
fn string_key(unit: &UnitView<'_>, key: &Key, name: &str) -> TextEdit {
    match key.form {
        KeyForm::String | KeyForm::Atom => TextEdit::replace(key.range, format!("\"{name}\"")),
        KeyForm::Pattern => {
            let is_arrow = unit.code(key.range).starts_with(':');
            let arrow = if is_arrow { "" } else { " =>" };
            TextEdit::replace(key.range, format!("\"{name}\"{arrow}"))
        }
        KeyForm::Dot => {
            let dot = key.range.start().checked_sub(TextSize::of('.'));
            let start = dot.unwrap_or(key.range.start());
            let range = TextRange::new(start, key.range.end());
            TextEdit::replace(range, format!("[\"{name}\"]"))
        }
    }
}

/// A key of a value without keys.
fn not_a_record(unit: &UnitView<'_>, read: &Given, key: &Key, ty: &Type) -> Option<Diagnostic> {
    let name = key.name.as_deref()?;
    let message = match &ty.kind {
        TypeKind::List(_) => {
            format!("`{name}` is read from a list; read it from one of its elements.")
        }
        TypeKind::Primitive(
            word @ (Primitive::String | Primitive::Int | Primitive::Float | Primitive::Bool),
        ) => format!(
            "`{name}` is read from a `:{}`, which has no keys.",
            word.word()
        ),
        _ => return None,
    };
    let mut found = Diagnostic::new(&UNKNOWN_KEY, key.name_range, message);
    found.elsewhere.extend(output(unit, read));
    Some(found)
}

/// The output type of the result.
fn output(unit: &UnitView<'_>, read: &Given) -> Option<Elsewhere> {
    let output = &unit.source(read.source)?.signature.output;
    Some(Elsewhere {
        outside: Outside::Source(read.source),
        range: output.range,
        message: "The output of the agent is declared here.".to_owned(),
    })
}
