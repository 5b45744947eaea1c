//! Calls of tools in PTC-Lisp: whether there is such a tool, and whether its arguments fit.

use crate::{
    contract::{Direction, Entry, FindingKind, Key, Mode, Value, ValueKind, check},
    host::lisp::{Arguments, CallStyle, NamedArgument, ToolCall},
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        rules::{Check, values},
        unit::UnitView,
    },
    model::{Signature, Type, TypeKind, type_words::distance},
    text::{TextEdit, TextRange, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[
        &UNKNOWN_TOOL,
        &POSITIONAL_ARGUMENTS,
        &UNKNOWN_ARGUMENT,
        &MISSING_ARGUMENT,
        &DUPLICATE_ARGUMENT,
    ],
    run,
};

static UNKNOWN_TOOL: Rule = Rule {
    code: "unknown-tool",
    severity: Severity::Error,
    summary: "A tool that is called exists",
    explanation: "Where a document names tools, its programs can call these and no others. In Markdown, which shows parts of \
                  many programs, only slips of names are reported.",
    wrong: Sample::Lisp(
        "{:tools {\"search\" \"(query :string) -> [:any]\"}}\n\n(tool/serach {:query \"budget\"})\n",
    ),
    right: Sample::Lisp(
        "{:tools {\"search\" \"(query :string) -> [:any]\"}}\n\n(tool/search {:query \"budget\"})\n",
    ),
};

static POSITIONAL_ARGUMENTS: Rule = Rule {
    code: "positional-arguments",
    severity: Severity::Error,
    summary: "Arguments of tools have names",
    explanation: "A tool is called with one map, or with keywords and values in turn. Models often leave the names out, mostly \
                  where a tool has just one parameter.",
    wrong: Sample::Lisp(
        "{:tools {\"search\" \"(query :string, limit :int) -> [:any]\"}}\n\n(tool/search \"budget\" 10)\n",
    ),
    right: Sample::Lisp(
        "{:tools {\"search\" \"(query :string, limit :int) -> [:any]\"}}\n\n(tool/search {:query \"budget\" :limit 10})\n",
    ),
};

static UNKNOWN_ARGUMENT: Rule = Rule {
    code: "unknown-argument",
    severity: Severity::Warning,
    summary: "A call has no arguments that the tool lacks",
    explanation: "Other arguments are allowed at run time and dropped; one that the signature does not name is mostly a slip. \
                  From edition 0.5 on `:order-count` and `order_count` are one name.",
    wrong: Sample::Lisp(
        "{:tools {\"search\" \"(query :string, limit :int?) -> [:any]\"}}\n\n(tool/search {:query \"budget\" :limt 10})\n",
    ),
    right: Sample::Lisp(
        "{:tools {\"search\" \"(query :string, limit :int?) -> [:any]\"}}\n\n(tool/search {:query \"budget\" :limit 10})\n",
    ),
};

static MISSING_ARGUMENT: Rule = Rule {
    code: "missing-argument",
    severity: Severity::Error,
    summary: "A call has every required argument",
    explanation: "A parameter without `?` must be given; otherwise the reference says `expected int, got nil`.",
    wrong: Sample::Lisp(
        "{:tools {\"search\" \"(query :string, limit :int) -> [:any]\"}}\n\n(tool/search {:query \"budget\"})\n",
    ),
    right: Sample::Lisp(
        "{:tools {\"search\" \"(query :string, limit :int) -> [:any]\"}}\n\n(tool/search {:query \"budget\" :limit 10})\n",
    ),
};

static DUPLICATE_ARGUMENT: Rule = Rule {
    code: "duplicate-argument",
    severity: Severity::Warning,
    summary: "An argument is given once",
    explanation: "Of two arguments with one name only one value arrives. `:order-count` and `:order_count` are one name.",
    wrong: Sample::Lisp(
        "{:tools {\"search\" \"(page_size :int) -> [:any]\"}}\n\n(tool/search {:page-size 1 :page_size 2})\n",
    ),
    right: Sample::Lisp(
        "{:tools {\"search\" \"(page_size :int) -> [:any]\"}}\n\n(tool/search {:page-size 1})\n",
    ),
};

fn run(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    if unit.tools.may_be_clojure() {
        return;
    }
    for call in &unit.program().calls {
        let call = Call { unit, call };
        if let Some(unknown) = call.unknown_tool() {
            found.push(unknown);
        } else if !call.call.is_threaded {
            call.arguments(found);
        }
    }
}

struct Call<'a> {
    unit: &'a UnitView<'a>,
    call: &'a ToolCall,
}

impl Call<'_> {
    fn normal(&self, name: &str) -> String {
        self.unit.edition.normal_name(name)
    }

    fn signature(&self) -> Option<&Signature> {
        let normal = |name: &str| self.normal(name);
        self.unit.tools.signature(&self.call.name, normal)
    }

    fn unknown_tool(&self) -> Option<Diagnostic> {
        let name = self.call.name.as_str();
        let tools = self.unit.tools;
        // What `ctx/…` holds may be data, in the editions that had it.
        let may_be_data = self.call.style == CallStyle::Context;
        if may_be_data || tools.has(name, |name| self.normal(name)) {
            return None;
        }
        let near = nearest(name, tools.names());
        // A guide shows some of the tools; only what differs by a slip of the hand is one.
        let near = near.filter(|near| tools.is_complete() || distance(name, near) == 1);
        let message = match near {
            Some(near) => format!("There is no tool `{name}`; did you mean `{near}`?"),
            None if tools.is_complete() => {
                format!("There is no tool `{name}` in this file; add it to the tools.")
            }
            None => return None,
        };
        let range = self.call.name_range;
        let diagnostic = Diagnostic::new(&UNKNOWN_TOOL, range, message);
        Some(match near {
            Some(near) => {
                let edits = vec![TextEdit::replace(range, near)];
                diagnostic.with_fix(Fix::offered(format!("Write `{near}`"), edits))
            }
            None => diagnostic,
        })
    }

    fn arguments(&self, found: &mut Vec<Diagnostic>) {
        match &self.call.arguments {
            Arguments::Positional(values) => found.push(self.positional(values)),
            Arguments::Dynamic(_) => {}
            Arguments::None => self.named(&[], self.call.head, true, found),
            Arguments::Pairs(entries) => self.named(entries, self.call.head, true, found),
            Arguments::Map {
                range,
                entries,
                is_complete,
            } => self.named(entries, *range, *is_complete, found),
        }
    }

    fn positional(&self, values: &[TextRange]) -> Diagnostic {
        let message = "Arguments of a tool have names; write `{:name value}`.";
        let range = match (values.first(), values.last()) {
            (Some(first), Some(last)) => first.cover(*last),
            _ => self.call.range,
        };
        let diagnostic = Diagnostic::new(&POSITIONAL_ARGUMENTS, range, message);
        match self.with_names(values) {
            Some(fix) => diagnostic.with_fix(fix),
            None => diagnostic,
        }
    }

    /// The fix that gives the values the names of the parameters, in their order.
    fn with_names(&self, values: &[TextRange]) -> Option<Fix> {
        let params = &self.signature()?.params;
        let last = values.last()?;
        if values.len() > params.len() {
            return None;
        }
        let mut edits = Vec::new();
        for (index, (value, param)) in values.iter().zip(params).enumerate() {
            let open = if index == 0 { "{" } else { "" };
            let name = match self.unit.edition.folds_hyphens() {
                true => param.name.replace('_', "-"),
                false => param.name.clone(),
            };
            edits.push(TextEdit::insert(value.start(), format!("{open}:{name} ")));
        }
        edits.push(TextEdit::insert(last.end(), "}"));
        Some(Fix::offered("Name the arguments", edits))
    }

    fn named(
        &self,
        entries: &[NamedArgument],
        range: TextRange,
        is_complete: bool,
        found: &mut Vec<Diagnostic>,
    ) {
        let Some(signature) = self.signature() else {
            return;
        };
        let mut map: Vec<Entry> = entries.iter().map(|it| self.entry(it)).collect();
        if !is_complete {
            let key = Key { name: None, range };
            let value = Value::new(ValueKind::Dynamic, range);
            map.push(Entry { key, value });
        }
        let value = Value::new(ValueKind::Map(map), range);
        let ty = Type::new(TypeKind::Record(signature.params.clone()));
        let report = check(
            &value,
            &ty,
            Direction::Input,
            Mode::Enabled,
            self.unit.edition,
        );
        for (findings, severity) in [
            (&report.errors, Severity::Error),
            (&report.warnings, Severity::Warning),
        ] {
            for finding in findings {
                let is_argument = finding.path.0.len() == 1;
                let rule = match finding.kind {
                    FindingKind::Missing { .. } if is_argument => &MISSING_ARGUMENT,
                    FindingKind::DuplicateKey { .. } | FindingKind::SameName { .. }
                        if is_argument =>
                    {
                        &DUPLICATE_ARGUMENT
                    }
                    _ => {
                        found.push(values::diagnose(finding, severity));
                        continue;
                    }
                };
                found.push(Diagnostic::new(rule, finding.range, format!("{finding}.")));
            }
        }
        let unknown = entries.iter().filter_map(|it| self.unknown(it, signature));
        found.extend(unknown);
    }

    fn entry(&self, argument: &NamedArgument) -> Entry {
        let value = argument.value.and_then(|range| self.unit.value_at(range));
        Entry {
            key: Key {
                name: Some(argument.name.clone()),
                range: argument.key,
            },
            value: value.unwrap_or(Value::new(ValueKind::Dynamic, argument.key)),
        }
    }

    fn unknown(&self, argument: &NamedArgument, signature: &Signature) -> Option<Diagnostic> {
        let name = argument.name.as_str();
        let wanted = self.normal(name);
        let params = &signature.params;
        if params.iter().any(|it| self.normal(&it.name) == wanted) {
            return None;
        }
        let tool = &self.call.name;
        let Some(near) = nearest(&wanted, params.iter().map(|it| it.name.as_str())) else {
            let message = format!("`{tool}` has no parameter `{name}`; remove the argument.");
            return Some(Diagnostic::new(&UNKNOWN_ARGUMENT, argument.key, message));
        };
        let message = format!("`{tool}` has no parameter `{name}`; did you mean `{near}`?");
        let edits = vec![TextEdit::replace(name_range(argument), near)];
        let fix = Fix::offered(format!("Write `{near}`"), edits);
        Some(Diagnostic::new(&UNKNOWN_ARGUMENT, argument.key, message).with_fix(fix))
    }
}

/// The key without its colon or quotes.
fn name_range(argument: &NamedArgument) -> TextRange {
    let key = argument.key;
    let mark = TextSize::of(':');
    let end = match key.len() == TextSize::of(argument.name.as_str()) + mark {
        true => key.end(),
        false => key.end() - mark,
    };
    TextRange::new(key.start() + mark, end)
}

/// The candidate that `name` may be a slip of.
fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let is_near = |it: &&str| 2 * distance(name, it) <= name.len().max(it.len());
    candidates
        .filter(is_near)
        .min_by_key(|it| distance(name, it))
}

#[cfg(test)]
mod tests;
