//! Sample values against the types of the signature beside them.
//!
//! In front matter, `input:`, `output:` and `examples:` are samples; in a call, `context:` has the inputs.

use crate::{
    contract::{Direction, Entry, Finding, FindingKind, Mode, ValueKind, check_first},
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        rules::{
            Check, MAX_FINDINGS,
            missing::{Checked, join_misspelled},
        },
        unit::{self, UnitView, most_findings},
    },
    model::{Signature, Type, TypeKind, spelling::nearest},
};
use signature_ls_source::{
    host::Notation,
    text::{TextEdit, TextRange, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[
        &VALUE_TYPE,
        &MISSING_VALUE,
        &UNKNOWN_INPUT,
        &COERCED_VALUE,
        &DUPLICATE_KEY,
    ],
    run,
};

pub(super) static VALUE_TYPE: Rule = Rule {
    code: "value-type",
    severity: Severity::Error,
    summary: "Sample value of the wrong type",
    explanation: "Samples are validated against the signature beside them, as the reference does at run time: \
                  inputs are coerced and then validated, outputs are validated as they are. A mode \
                  (`signature_validation:`, `validation:`) decides what is an error.",
    wrong: Sample::prompt_file(
        "---\nsignature: \"(limit :int) -> :any\"\ninput: {limit: many}\n---\n{{limit}}",
    ),
    right: Sample::prompt_file(
        "---\nsignature: \"(limit :int) -> :any\"\ninput: {limit: 10}\n---\n{{limit}}",
    ),
};

pub(super) static MISSING_VALUE: Rule = Rule {
    code: "missing-value",
    severity: Severity::Error,
    summary: "Missing value in a sample",
    explanation: "A field or input without `?` is required. Without it the reference reports `expected int, got \
                  nil`. A preview (`preview_prompt`) validates nothing: there, this is a warning.",
    wrong: Sample::prompt_file(
        "---\nsignature: \"(limit :int) -> :any\"\ninput: {}\n---\n{{limit}}",
    ),
    right: Sample::prompt_file(
        "---\nsignature: \"(limit :int) -> :any\"\ninput: {limit: 10}\n---\n{{limit}}",
    ),
};

static UNKNOWN_INPUT: Rule = Rule {
    code: "unknown-input",
    severity: Severity::Warning,
    summary: "Unknown input in a sample",
    explanation: "Other keys are allowed at run time, except in strict mode, but an input that the signature does \
                  not name is usually a typo.",
    wrong: Sample::prompt_file(
        "---\nsignature: \"(limit :int) -> :any\"\ninput: {limit: 1, topic: a}\n---\n{{limit}}",
    ),
    right: Sample::prompt_file(
        "---\nsignature: \"(limit :int) -> :any\"\ninput: {limit: 1}\n---\n{{limit}}",
    ),
};

pub(super) static COERCED_VALUE: Rule = Rule {
    code: "coerced-value",
    severity: Severity::Warning,
    summary: "Sample value needs coercion",
    explanation: "Models sometimes quote numbers, so the reference coerces inputs and logs a warning. A sample \
                  should have the right type.",
    wrong: Sample::prompt_file(
        "---\nsignature: \"(limit :int) -> :any\"\ninput: {limit: \"10\"}\n---\n{{limit}}",
    ),
    right: Sample::prompt_file(
        "---\nsignature: \"(limit :int) -> :any\"\ninput: {limit: 10}\n---\n{{limit}}",
    ),
};

static DUPLICATE_KEY: Rule = Rule {
    code: "duplicate-key",
    severity: Severity::Warning,
    summary: "Duplicate key in a sample",
    explanation: "Only one of two values with the same key is kept. `order-count` and `order_count` are the same \
                  key.",
    wrong: Sample::prompt_file(
        "---\nsignature: \"(order_count :int) -> :any\"\ninput: {order_count: 1, order-count: 2}\n---\n{{order_count}}",
    ),
    right: Sample::prompt_file(
        "---\nsignature: \"(order_count :int) -> :any\"\ninput: {order_count: 1}\n---\n{{order_count}}",
    ),
};

fn run(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let Some(signature) = unit.signature() else {
        return;
    };
    let samples = Samples {
        unit,
        signature,
        mode: unit.mode(),
    };
    for sample in unit.samples() {
        // The others would be left out.
        if found.len() >= MAX_FINDINGS {
            return;
        }
        match sample.direction {
            Direction::Input => samples.input(&sample, found),
            Direction::Output | Direction::Returned => {
                samples.check(&sample, &signature.output, found)
            }
        }
    }
}

struct Samples<'a> {
    unit: &'a UnitView<'a>,
    signature: &'a Signature,
    mode: Mode,
}

impl Samples<'_> {
    fn input(&self, sample: &unit::Sample<'_>, found: &mut Vec<Diagnostic>) {
        let ty = Type::new(TypeKind::Record(self.signature.params.clone()));
        let first = found.len();
        self.check(sample, &ty, found);
        if let (ValueKind::Map(entries), true) = (
            &sample.value.kind,
            matches!(self.mode, Mode::Enabled | Mode::WarnOnly),
        ) {
            let params = &self.signature.params;
            let is_known = |name: &str| params.named(name, self.unit.edition).is_some();
            let is_unknown = |it: &&Entry| {
                let name = it.key.name.as_deref();
                name.is_some_and(|name| !name.is_empty() && !is_known(name))
            };
            let unknown = entries.iter().filter(is_unknown).take(MAX_FINDINGS);
            found.extend(
                unknown.filter_map(|entry| self.unknown_input(entry, entries, sample.start)),
            );
        }
        join_misspelled(found, first);
    }

    fn check(&self, sample: &unit::Sample<'_>, ty: &Type, found: &mut Vec<Diagnostic>) {
        let unit::Sample {
            direction,
            value,
            start,
        } = *sample;
        let edition = self.unit.edition;
        let most = most_findings(value);
        let mut report = check_first(value, ty, direction, self.mode, edition, most);
        report.errors.retain(|it| is_certain(self.unit, it));
        for finding in report.errors.iter_mut().chain(&mut report.warnings) {
            finding.range += start;
        }
        let notation = self.unit.notation();
        let checked = Checked {
            unit: self.unit,
            value,
            start,
            ty,
            notation,
        };
        let errors = report.errors.iter().map(|it| (it, Severity::Error));
        let warnings = report.warnings.iter().map(|it| (it, Severity::Warning));
        for (finding, severity) in errors.chain(warnings) {
            // The others would be left out.
            if found.len() >= MAX_FINDINGS {
                return;
            }
            if finding.is_missing() || is_only_spelling(finding, notation) {
                continue;
            }
            let mut diagnostic = diagnose(finding, severity);
            diagnostic
                .fixes
                .extend(uncoerced(self.unit, finding, notation));
            found.push(diagnostic);
        }
        let of_severity = |severity| move |it: Diagnostic| Diagnostic { severity, ..it };
        let missing = checked.missing(&MISSING_VALUE, report.errors.iter());
        found.extend(missing.into_iter().map(of_severity(Severity::Error)));
        let missing = checked.missing(&MISSING_VALUE, report.warnings.iter());
        found.extend(missing.into_iter().map(of_severity(Severity::Warning)));
    }

    fn normal(&self, name: &str) -> String {
        self.unit.edition.normal_name(name)
    }

    fn unknown_input(&self, entry: &Entry, all: &[Entry], start: TextSize) -> Option<Diagnostic> {
        let name = entry.key.name.as_ref()?;
        let params = &self.signature.params;
        // A signature without inputs, as for top-level agents, does not describe the context.
        if params.is_empty() {
            return None;
        }
        let near = nearest(name, params.iter().map(|param| param.name.as_str()));
        if self.unit.may_have_param(&self.normal(name), near) {
            return None;
        }
        let edition = self.unit.edition;
        let is_given = |near: &&str| {
            let mut names = all.iter().filter_map(|it| it.key.name.as_deref());
            names.any(|it| edition.is_same_name(it, near))
        };
        let near = near.filter(|it| !is_given(it));
        let message = match near {
            Some(near) => {
                format!("`{name}` is not an input of the signature; did you mean `{near}`?")
            }
            None => {
                format!("`{name}` is not an input of the signature; remove it, or add it there.")
            }
        };
        let mut diagnostic = Diagnostic::new(&UNKNOWN_INPUT, entry.key.range + start, message);
        diagnostic.fixes.extend(near.map(|near| {
            let edits = vec![TextEdit::replace(name_range(entry, name) + start, near)];
            Fix::offered(format!("Write `{near}`"), edits)
        }));
        let is_plain = is_name(&self.normal(name));
        let add = is_plain.then(|| self.unit.add_parameter(name));
        diagnostic.fixes.extend(add.flatten());
        Some(diagnostic)
    }
}

/// Whether a finding is one however the author goes on: an incomplete signature may name an unexpected field in its other
/// part, and an empty key is not finished.
pub(super) fn is_certain(unit: &UnitView<'_>, finding: &Finding) -> bool {
    match &finding.kind {
        FindingKind::Extra { key } => unit.knows_all_params() && !key.is_empty(),
        _ => true,
    }
}

/// Whether a string is given for a keyword in a notation without keywords.
fn is_only_spelling(finding: &Finding, notation: Notation) -> bool {
    let is_keyword = matches!(finding.kind, FindingKind::Coerced { to: "keyword", .. });
    is_keyword && matches!(notation, Notation::Yaml | Notation::Json)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The fix that replaces a coerced value by the result.
pub(super) fn uncoerced(unit: &UnitView<'_>, finding: &Finding, notation: Notation) -> Option<Fix> {
    let FindingKind::Coerced { to, .. } = finding.kind else {
        return None;
    };
    let written = unit.code(finding.range);
    let text = written.trim_matches(['"', '\'', '\\']);
    let plain = match to {
        "int" | "float" | "bool" => text.to_owned(),
        "string" => format!("\"{}\"", written.strip_prefix(':')?),
        "keyword" if is_name(text) && matches!(notation, Notation::Elixir | Notation::Lisp) => {
            format!(":{text}")
        }
        _ => return None,
    };
    let title = format!("Write `{plain}`");
    let edits = vec![TextEdit::replace(finding.range, plain)];
    Some(match to {
        "int" | "float" | "bool" => Fix::safe(title, edits),
        _ => Fix::offered(title, edits),
    })
}

/// The place of an entry's name, without quotes.
pub(super) fn name_range(entry: &Entry, name: &str) -> TextRange {
    let range = entry.key.range;
    let quote = TextSize::of('"');
    if range.len() != TextSize::of(name) + quote + quote {
        return range;
    }
    TextRange::new(range.start() + quote, range.end() - quote)
}

pub(super) fn diagnose(finding: &Finding, severity: Severity) -> Diagnostic {
    let rule = match finding.kind {
        FindingKind::Mismatch { .. } | FindingKind::NaiveDatetime { .. } => &VALUE_TYPE,
        FindingKind::Missing { .. } => &MISSING_VALUE,
        FindingKind::Extra { .. } => &UNKNOWN_INPUT,
        FindingKind::DuplicateKey { .. } | FindingKind::SameName { .. } => &DUPLICATE_KEY,
        FindingKind::Coerced { .. } | FindingKind::Shifted { .. } => &COERCED_VALUE,
    };
    // Readers keep one of the two values, so nothing fails.
    let severity = match finding.kind {
        FindingKind::DuplicateKey { .. } => rule.severity,
        _ => severity,
    };
    let instead = match &finding.kind {
        FindingKind::Mismatch {
            expected: "datetime",
            got,
        } if got.starts_with("string") => {
            "; write a date and a time with an offset, such as \"2026-05-03T09:14:00Z\""
        }
        _ => "",
    };
    Diagnostic {
        severity,
        ..Diagnostic::new(rule, finding.range, format!("{finding}{instead}."))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::ide::{Document, Settings, Severity};
    use signature_ls_source::host::HostKind;

    /// The limit of findings may be reached within the fields that one map lacks.
    #[test]
    fn maps_that_lack_hundreds_of_fields_are_reported_however_many_they_are() {
        let fields: Vec<_> = (0..200).map(|it| format!("f{it} :int")).collect();
        let signature = format!("() -> {{a [{{{}}}]}}", fields.join(", "));
        for count in 90..106 {
            let maps = vec!["{}"; count].join(",");
            let text = format!(r#"{{"signature": "{signature}", "output": {{"a": [{maps}]}}}}"#);
            let document = Document::new(HostKind::Json, &text, Settings::default());
            let found = document.diagnostics();
            assert!(found.len() > 60, "{count}: {}", found.len());
            let has_others = |it: &str| it.contains(" and ") && it.contains(" more are missing");
            assert!(found.iter().all(|it| has_others(&it.message)), "{count}");
        }
    }

    #[test]
    fn a_key_that_is_given_twice_is_a_warning() {
        let text =
            r#"{"signature": "(x :int) -> :any", "prompt": "{{x}}", "input": {"x": 1, "x": 2}}"#;
        let document = Document::new(HostKind::Json, text, Settings::default());
        let found = document.diagnostics().into_iter();
        let found: Vec<_> = found.map(|it| (it.rule.code, it.severity)).collect();
        assert_eq!(found, [("duplicate-key", Severity::Warning)]);
    }

    /// A preview validates nothing, and leaves a placeholder without a value as it is.
    #[test]
    fn the_context_of_a_preview_has_no_errors() {
        let agent = r#"SubAgent.new(prompt: "{{a}} {{b}}", signature: "(a :int, b :int) -> :int")"#;
        for (call, severity) in [
            ("SubAgent.preview_prompt(agent", Severity::Warning),
            ("SubAgent.run(agent", Severity::Error),
            ("agent |> SubAgent.preview_prompt(", Severity::Warning),
        ] {
            let comma = if call.ends_with('(') { "" } else { ", " };
            let text = format!("agent = {agent}\n{call}{comma}context: %{{a: \"x\"}})\n");
            let document = Document::new(HostKind::Elixir, &text, Settings::default());
            let found = document.diagnostics().into_iter();
            let found: Vec<_> = found.map(|it| (it.rule.code, it.severity)).collect();
            let mut expected = [("missing-value", severity), ("value-type", severity)];
            expected.sort_unstable_by_key(|it| found.first() != Some(it));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn the_context_of_a_call_is_checked_against_its_signature() {
        let text = r##"
SubAgent.run("{{topic}} {{limit}}",
  signature: "(topic :string, limit :int, at :datetime?) -> :any",
  context: %{
    :topic => :elixir, "limit" => "10", at: ~U[2026-05-03 09:14:00Z], topc: 1
  }
)
SubAgent.run("{{topic}}", signature: "(topic :string) -> :any", context: %{topic: f(x)})
SubAgent.run("{{topic}}", signature: "(topic :string) -> :any", context: %{"t#{x}" => 1})
SubAgent.run("{{topic}}", signature: "(topic :string) -> :any", context: context)
SubAgent.run("{{topic}}", signature: "(topic :string) -> :any", context: [])
SubAgent.run("{{n}}", signature: "(n :int) -> :any", context: %{n: "1"}, signature_validation: :strict)
SubAgent.run("{{n}}", signature: "(n :int) -> :any", context: %{n: "x"}, signature_validation: :disabled)
SubAgent.run("{{n}}", signature: "(n :int) -> :any", context: %{n: nil}, input: 1, examples: [1])
"##;
        let document = Document::new(HostKind::Elixir, text, Settings::default());
        let lines = document.diagnostics().into_iter().map(|it| {
            let code = it.rule.code;
            format!("{code} {:?} {}\n", &text[it.range], it.message)
        });
        expect![[r#"
            unused-parameter "at" No placeholder uses `at`; write `{{#at}}…` in the prompt if the model is to see it.
            coerced-value ":elixir" topic: coerced keyword :elixir to string.
            coerced-value "\"10\"" limit: coerced string "10" to int.
            unknown-input "topc" `topc` is not an input of the signature; remove it, or add it there.
            value-type "\"1\"" n: expected int, got string "1".
            value-type "nil" n: expected int, got nil.
        "#]].assert_eq(&lines.collect::<String>());
    }
}
