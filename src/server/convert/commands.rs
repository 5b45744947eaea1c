//! `workspace/executeCommand`: the commands of the VS Code extension, for all editors.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tower_lsp::ls_types as lsp;

use super::APPLY_EDIT;
use crate::{
    server::{client::Client, document::Snapshot, paths::path_of},
    workspace::agent_name,
};
use signature_ls_analysis::{
    contract::{self, Direction, Mode, check},
    ide::{Listed, listing, shown_first},
    model::{
        Type, TypeKind,
        json_schema::{input_schema, output_schema},
        render::prompt_entry,
    },
};

/// The listing of the tools and agents of a document.
const LISTING: &str = "signature-ls.listing";
/// The JSON Schemas of the inputs and outputs of the tools and agents of a document.
const JSON_SCHEMA: &str = "signature-ls.jsonSchema";
/// The validation of a value against a signature.
const VALIDATE: &str = "signature-ls.validate";

/// The names of all commands.
pub(in crate::server) fn commands() -> Vec<String> {
    let all = [APPLY_EDIT, LISTING, JSON_SCHEMA, VALIDATE];
    all.map(str::to_owned).into()
}

/// A command about a document, with its arguments.
pub(in crate::server) enum Command {
    /// The listing of its tools and agents.
    Listing(lsp::Uri),
    /// Their JSON Schemas.
    JsonSchema(lsp::Uri),
    /// The validation of a value against one of its signatures.
    Validate(lsp::Uri, Validation),
}

/// The arguments of a validation.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::server) struct Validation {
    /// A position in the literal of the signature.
    position: lsp::Position,
    /// Whether the value is an input or an output.
    #[serde(default)]
    direction: ValueIs,
    /// The validation mode.
    mode: Option<String>,
    value: Value,
}

/// The direction of a value.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ValueIs {
    /// The arguments of a call: coerced, then validated.
    Input,
    /// A result, validated without coercion.
    #[default]
    Output,
}

impl Command {
    /// Parses a command. The error is for the sender.
    pub(in crate::server) fn new(name: &str, arguments: Vec<Value>) -> Result<Self, String> {
        let mut arguments = arguments.into_iter();
        let mut uri = || {
            let uri = arguments
                .next()
                .and_then(|it| serde_json::from_value(it).ok());
            uri.ok_or_else(|| format!("`{name}` takes the URI of a document"))
        };
        match name {
            LISTING => Ok(Self::Listing(uri()?)),
            JSON_SCHEMA => Ok(Self::JsonSchema(uri()?)),
            VALIDATE => {
                let uri = uri()?;
                let validation = arguments.next().unwrap_or_default();
                let validation = serde_json::from_value(validation);
                let validation = validation.map_err(|error| format!("`{name}`: {error}"))?;
                Ok(Self::Validate(uri, validation))
            }
            _ => Err(format!("there is no command `{name}`")),
        }
    }

    /// The document.
    pub(in crate::server) fn uri(&self) -> &lsp::Uri {
        match self {
            Self::Listing(uri) | Self::JsonSchema(uri) | Self::Validate(uri, _) => uri,
        }
    }

    /// The result; the error is for the user.
    pub(in crate::server) fn run(
        &self,
        client: &Client,
        snapshot: &Snapshot,
    ) -> Result<Value, String> {
        let value = match self {
            Self::Listing(uri) => Ok(shown(snapshot, uri)?.into()),
            Self::JsonSchema(uri) => serde_json::to_value(schemas(client, snapshot, uri)?),
            Self::Validate(_, validation) => {
                let found = validation.run(client, snapshot)?;
                serde_json::to_value(found)
            }
        };
        value.map_err(|error| error.to_string())
    }
}

/// The tools and agents of a document whose signatures have no errors, each with its name. The error says that they are
/// too long together.
fn sound<'a>(
    snapshot: &Snapshot,
    uri: &'a lsp::Uri,
) -> Result<impl Iterator<Item = (String, Listed)> + 'a, String> {
    let document = &snapshot.document;
    let mut listed = listing(document);
    listed.retain(|it| it.is_sound);
    let (all, most) = (listed.len(), shown_first(document, &listed));
    if most < all {
        return Err(format!(
            "the signatures are too long to be shown together: only the first {most} of {all} are short enough"
        ));
    }
    Ok(listed.into_iter().map(move |it| {
        let path = path_of(uri).unwrap_or_else(|| uri.path().as_str().into());
        (agent_name(it.name.as_deref(), &path), it)
    }))
}

fn shown(snapshot: &Snapshot, uri: &lsp::Uri) -> Result<String, String> {
    let edition = snapshot.document.edition();
    let entries = sound(snapshot, uri)?
        .map(|(name, it)| prompt_entry(&name, &it.signature, it.description.as_deref(), edition));
    Ok(entries.collect::<Vec<_>>().join("\n\n"))
}

/// A tool or an agent with its JSON Schemas.
#[derive(Serialize)]
struct Schemas {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    range: lsp::Range,
    signature: String,
    input: Value,
    output: Value,
}

fn schemas(client: &Client, snapshot: &Snapshot, uri: &lsp::Uri) -> Result<Vec<Schemas>, String> {
    let schemas = sound(snapshot, uri)?.map(|(name, it)| Schemas {
        name,
        range: client.encoding.range(snapshot.text(), it.range),
        signature: it.signature.to_string(),
        input: input_schema(&it.signature),
        output: output_schema(&it.signature),
        description: it.description,
    });
    Ok(schemas.collect())
}

/// The result of a validation.
#[derive(Serialize)]
struct Checked {
    /// The signature.
    signature: String,
    findings: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    severity: &'static str,
    path: contract::Path,
    message: String,
}

impl Validation {
    fn run(&self, client: &Client, snapshot: &Snapshot) -> Result<Checked, String> {
        let offset = client.encoding.offset(snapshot.text(), self.position);
        let listed = listing(&snapshot.document).into_iter();
        let here = listed.filter(|it| it.range.contains_inclusive(offset));
        let here = here.min_by_key(|it| it.range.len());
        let Some(signature) = here.filter(|it| it.is_sound).map(|it| it.signature) else {
            return Err("there is no signature without errors at that position".to_owned());
        };
        let mode = self
            .mode
            .as_deref()
            .map_or(Ok(Mode::default()), str::parse)?;
        let text = self.value.to_string();
        let value = contract::json::read(&text).map_err(|error| error.to_string())?;
        let name = signature.to_string();
        let (direction, ty) = match self.direction {
            ValueIs::Input => {
                let record = Type::new(TypeKind::Record(signature.params));
                (Direction::Input, record)
            }
            ValueIs::Output => (Direction::Output, signature.output),
        };
        let report = check(&value, &ty, direction, mode, snapshot.document.edition());
        let errors = report.errors.into_iter().map(|it| ("error", it));
        let warnings = report.warnings.into_iter().map(|it| ("warning", it));
        let findings = errors.chain(warnings).map(|(severity, it)| Found {
            severity,
            message: it.kind.to_string(),
            path: it.path,
        });
        Ok(Checked {
            signature: name,
            findings: findings.collect(),
        })
    }
}
