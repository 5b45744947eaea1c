//! What a model receives with the user's inputs, and whether these fit the signature.

use serde::Serialize;
use signature_ls_analysis::{
    contract::{Direction, Mode, Value, check, json as values},
    ide::{self, Document, Severity},
    model::{Type, TypeKind},
};
use signature_ls_source::text::{Text, TextSize};

use super::{diagnostics::severity, distance, listed_near};
use crate::{
    positions::{Range, range, to_byte},
    request,
    session::{Answer, json},
};

#[derive(Serialize)]
struct Preview {
    name: Option<String>,
    range: Range,
    samples: usize,
    parts: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    title: &'static str,
    text: String,
    problems: Vec<String>,
    characters: usize,
}

/// What a model receives for the agent nearest to the offset.
pub(super) fn preview(document: &Document, asked: &request::Preview) -> Answer {
    let offset = to_byte(document.text(), asked.at);
    let inputs = match asked.inputs.as_deref() {
        Some(text) if !text.trim().is_empty() => Some(read(text)?),
        _ => None,
    };
    let previews = match inputs {
        Some(inputs) => ide::previews_with(document, &inputs),
        None => ide::previews(document, asked.sample),
    };
    let nearest = previews
        .into_iter()
        .min_by_key(|it| distance(it.range, offset));
    json(nearest.map(|it| Preview {
        name: it.name,
        range: range(document.text(), it.range),
        samples: it.samples,
        parts: it.parts.into_iter().map(part).collect(),
    }))
}

fn part(part: ide::Part) -> Part {
    Part {
        title: part.kind.title(),
        characters: part.text.chars().count(),
        text: part.text,
        problems: part.problems,
    }
}

fn read(text: &str) -> Result<Value, String> {
    values::read(text).map_err(|error| format!("The inputs are not JSON: {error}."))
}

#[derive(Serialize)]
struct Finding {
    #[serde(flatten)]
    range: Range,
    severity: &'static str,
    message: String,
}

/// The errors in inputs, a JSON text, under the signature of the tool or agent nearest to `offset`.
pub(super) fn check_inputs(document: &Document, offset: TextSize, inputs: &str) -> Answer {
    if inputs.trim().is_empty() {
        return json([(); 0]);
    }
    let Some(listed) = listed_near(document, offset) else {
        return json([(); 0]);
    };
    let text = Text::from(inputs);
    let value = match values::read(inputs) {
        Ok(value) => value,
        Err(error) => {
            return json([Finding {
                range: range(&text, error.range),
                severity: severity(Severity::Error),
                message: error.to_string(),
            }]);
        }
    };
    let params = Type::new(TypeKind::Record(listed.signature.params));
    let edition = document.edition();
    let report = check(&value, &params, Direction::Input, Mode::default(), edition);
    let errors = report.errors.iter().map(|it| (Severity::Error, it));
    let warnings = report.warnings.iter().map(|it| (Severity::Warning, it));
    let findings = errors.chain(warnings).map(|(of, it)| Finding {
        range: range(&text, it.range),
        severity: severity(of),
        message: it.to_string(),
    });
    json(findings.collect::<Vec<_>>())
}
