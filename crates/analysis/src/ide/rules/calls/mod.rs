//! Calls of tools in PTC-Lisp: whether the tool exists, and whether the arguments fit.
//!
//! Each rule has a file; shared code is here.

pub(super) mod argument_without_value;
mod declared;
mod duplicate_argument;
mod missing_argument;
pub(super) mod positional_arguments;
#[cfg(test)]
mod tests;
mod unknown_argument;
mod unknown_tool;

use crate::{
    contract::{Direction, Entry, Finding, FindingKind, Key, Mode, Report, Value, ValueKind},
    ide::{
        Diagnostic, Severity,
        rules::{
            Check, MAX_FINDINGS,
            missing::{self, Checked},
            namespaces::is_tool_call,
            values,
        },
        tools::{ToolSignature, built_in},
        unit::UnitView,
    },
    model::{Edition, Signature, Type, TypeKind, gaps::Gap},
};
use signature_ls_source::{
    host::Notation,
    host::lisp::{Arguments, CallStyle, NamedArgument, Namespace, ToolCall},
    text::{TextRange, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[
        &unknown_tool::RULE,
        &positional_arguments::RULE,
        &argument_without_value::RULE,
        &unknown_argument::RULE,
        &missing_argument::RULE,
        &duplicate_argument::RULE,
    ],
    run,
};

/// Calls of a tool with more parameters are not checked: each call visits all of them.
const MAX_PARAMS: usize = 256;

fn run(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let namespaces = unit.tools.namespaces();
    let calls = unit.program().calls.iter();
    for call in calls.filter(|it| !namespaces.claims_call(it.style)) {
        if found.len() >= MAX_FINDINGS {
            break;
        }
        let call = Call { unit, call };
        if call.is_upstream() {
            continue;
        }
        if call.is_of_others() {
            continue;
        }
        let first = found.len();
        if let Some(unknown) = unknown_tool::find(&call) {
            found.push(unknown);
        } else if !call.call.is_threaded {
            found.extend(positional_arguments::find(&call));
            found.extend(argument_without_value::find(&call));
            named(&call, found);
        }
        declared::add(&call, &mut found[first..]);
    }
    // In earlier editions, a tool is no value.
    if unit.edition >= Edition::V0_11 && !namespaces.claims(Namespace::Tool) {
        unknown_tool::in_values(unit, found);
    }
}

fn named(call: &Call<'_>, found: &mut Vec<Diagnostic>) {
    let Some(named) = Named::of(call) else {
        return;
    };
    let first = found.len();
    missing_argument::find(call, &named, found);
    duplicate_argument::find(&named, found);
    unknown_argument::find(call, &named, found);
    missing::join_misspelled(found, first);
    found.extend(named.of_values(call.unit));
    if named.missing().all(|it| !is_of_argument(it)) {
        let checked = named.checked(call.unit);
        found.extend(checked.missing(&values::MISSING_VALUE, named.missing()));
    }
}

/// A call of a tool.
struct Call<'a> {
    unit: &'a UnitView<'a>,
    call: &'a ToolCall,
}

impl<'a> Call<'a> {
    /// The normal form of `name`, for comparisons.
    fn normal(&self, name: &str) -> String {
        self.unit.edition.normal_name(name)
    }

    /// Whether it is `(tool/call 'server/tool {…})`, a call of another server's tool.
    fn is_upstream(&self) -> bool {
        let Arguments::Positional(values) = &self.call.arguments else {
            return false;
        };
        let is_reference = |range: &TextRange| {
            let code = self.unit.code(*range);
            code.starts_with(|c: char| c == '\'' || c.is_alphabetic())
        };
        self.call.name == "call"
            && matches!(values.as_slice(), [first] | [first, _] if is_reference(first))
    }

    /// Whether it has the form of an early edition and is not a call of a tool.
    fn is_of_others(&self) -> bool {
        let is_early = self.unit.edition == Edition::V0_4;
        !is_early && self.call.style != CallStyle::Tool && !is_tool_call(self.unit, self.call)
    }

    /// Whether arguments need names. Early releases pass those without as a list under the key `args`.
    fn needs_names(&self) -> bool {
        self.unit.edition >= Edition::V0_5
    }

    /// The signature of the tool, if it is known.
    fn signature(&self) -> Option<&'a ToolSignature> {
        let name = &self.call.name;
        if self.unit.tools.names_one(name) {
            return self.unit.tools.known(name);
        }
        let (Arguments::Pairs(entries) | Arguments::Map { entries, .. }) = &self.call.arguments
        else {
            return None;
        };
        let names = entries.iter().map(|it| it.name.as_str());
        built_in::signature(&self.normal(name), names)
    }

    fn entry(&self, argument: &NamedArgument) -> Entry {
        let value = argument
            .value
            .and_then(|range| self.unit.program_value(range));
        Entry {
            key: Key {
                name: (!argument.name.is_empty()).then(|| argument.name.as_str().into()),
                range: argument.key,
                is_atom: false,
            },
            value: value.unwrap_or(Value::new(ValueKind::Dynamic, argument.key)),
        }
    }
}

/// Named arguments, compared with the tool's signature.
struct Named<'a> {
    arguments: &'a [NamedArgument],
    signature: &'a Signature,
    /// What the signature may have beside the parameters that could be read.
    gap: &'a Gap,
    /// All arguments together, and their type.
    value: Value,
    ty: Type,
    report: Report,
}

impl<'a> Named<'a> {
    fn of(call: &Call<'a>) -> Option<Self> {
        let (arguments, range, is_complete) = match &call.call.arguments {
            Arguments::Positional(_) | Arguments::Dynamic(_) => return None,
            Arguments::None => (&[][..], call.call.head, true),
            Arguments::Pairs(entries) => {
                // Together they have no names.
                let is_odd = entries.last().is_some_and(|it| it.value.is_none());
                if is_odd && !call.needs_names() {
                    return None;
                }
                (entries.as_slice(), call.call.head, true)
            }
            Arguments::Map {
                range,
                entries,
                is_complete,
            } => (entries.as_slice(), *range, *is_complete),
        };
        let ToolSignature { signature, gap } = call.signature()?;
        if signature.params.len() > MAX_PARAMS {
            return None;
        }
        let mut entries: Vec<_> = arguments.iter().map(|it| call.entry(it)).collect();
        if !is_complete {
            entries.push(unknown_entry(range));
        }
        let value = Value::new(ValueKind::map(entries), range);
        let ty = Type::new(TypeKind::Record(signature.params.clone()));
        let unit = call.unit;
        let report = unit.check_of_program(&value, &ty, Direction::Input, Mode::Enabled);
        Some(Self {
            arguments,
            signature,
            gap,
            value,
            ty,
            report,
        })
    }

    /// The diagnostics about the arguments as a whole: missing or duplicate ones.
    fn of_arguments(&self) -> impl Iterator<Item = &Finding> {
        let all = self.report.errors.iter().chain(&self.report.warnings);
        all.filter(|it| is_of_argument(it))
    }

    /// What is missing among the arguments and in their values.
    fn missing(&self) -> impl Iterator<Item = &Finding> {
        let all = self.report.errors.iter();
        all.filter(|it| it.is_missing())
    }

    fn checked<'c>(&'c self, unit: &'c UnitView<'c>) -> Checked<'c> {
        Checked {
            unit,
            value: &self.value,
            start: TextSize::default(),
            ty: &self.ty,
            notation: Notation::Lisp,
        }
    }

    /// The diagnostics about their values.
    fn of_values(&self, unit: &UnitView<'_>) -> impl Iterator<Item = Diagnostic> {
        let errors = self.report.errors.iter().map(|it| (it, Severity::Error));
        let warnings = self.report.warnings.iter();
        let all = errors.chain(warnings.map(|it| (it, Severity::Warning)));
        let of_values = all.filter(|(it, _)| !is_of_argument(it) && !it.is_missing());
        of_values.map(|(it, severity)| {
            let mut diagnostic = values::diagnose(it, severity);
            let fix = values::uncoerced(unit, it, Notation::Lisp);
            diagnostic.fixes.extend(fix);
            diagnostic
        })
    }
}

fn is_of_argument(finding: &Finding) -> bool {
    let is_whole = matches!(
        finding.kind,
        FindingKind::Missing { .. }
            | FindingKind::DuplicateKey { .. }
            | FindingKind::SameName { .. }
    );
    is_whole && finding.path.0.len() == 1
}

/// Stands for entries that are only known at run time.
fn unknown_entry(range: TextRange) -> Entry {
    Entry {
        key: Key {
            name: None,
            range,
            is_atom: false,
        },
        value: Value::new(ValueKind::Dynamic, range),
    }
}
