//! Hover over a tool: its listing, the source of its signature, and its JSON Schema.

use super::{Hover, code, schemas};
use crate::{
    ide::{
        Document, description_at, description_of,
        names::{self, Place, Symbol},
        tokens,
    },
    model::{Edition, Signature, render::prompt_entry},
};
use signature_ls_source::{
    host::{
        PlacedUnit,
        elixir::tools::{Capture, Form, Tool},
    },
    text::TextSize,
};

/// The facts about a tool.
pub(super) struct Described {
    name: String,
    signature: Signature,
    description: Option<String>,
    /// The source of the signature.
    source: String,
}

impl Described {
    /// The tool with a name at `place`.
    pub(super) fn of(document: &Document, place: &Place, name: &str) -> Option<Self> {
        let symbols = names::symbols(document, place);
        let Some(Symbol::Tool {
            unit, name: normal, ..
        }) = symbols.first()
        else {
            return None;
        };
        let written = names::signatures_of(document, *unit, normal);
        let (placed, _) = document.unit(place.unit);
        let known = document.tools_of(placed);
        let signature = match written.as_slice() {
            [(_, only)] => Signature::clone(&only.signature),
            _ => {
                // No listing shows what only the head of a function tells.
                let listed = known.known(name).filter(|it| !it.gap.is_open())?;
                Signature::clone(&listed.signature)
            }
        };
        let spec = of_function(document, place, name);
        match (written.first(), spec) {
            (None, Some(of_spec)) => Some(of_spec),
            (None, None) => Some(Self {
                name: name.to_owned(),
                signature,
                description: None,
                source: format!("A tool, edition {}", document.edition()),
            }),
            (Some((start, _)), _) => Some(Self {
                name: name.to_owned(),
                signature,
                description: registered(document, place, name)
                    .and_then(|(placed, tool)| description_of(document, placed, tool))
                    .or_else(|| description_at(document, *start)),
                source: format!("The signature of a tool, edition {}", document.edition()),
            }),
        }
    }

    fn of_capture(document: &Document, name: Option<&str>, capture: &Capture) -> Option<Self> {
        let function = document.scope().resolve(capture)?;
        let read = function.signature()?;
        let (module, arity) = (&function.module.name, capture.arity);
        Some(Self {
            name: name.unwrap_or(&capture.name).to_owned(),
            signature: Signature::clone(&read.extracted.signature),
            description: function.function.doc(),
            source: format!("from the `@spec` of `{module}.{}/{arity}`", capture.name),
        })
    }

    pub(super) fn markdown(&self, edition: Edition) -> String {
        let description = self.description.as_deref();
        let entry = prompt_entry(&self.name, &self.signature, description, edition);
        let size = tokens::counted(&entry).map_or_else(String::new, |tokens| {
            format!(
                "\n\nIn the listing of tools it is {tokens} (`{}`).",
                tokens::ENCODING
            )
        });
        let schemas = schemas(&self.signature.visible(edition));
        format!("{}\n{}{size}{schemas}", code(&entry), self.source)
    }
}

/// The description of the tool `name`, which is called by it at `offset`.
pub(in crate::ide) fn description(
    document: &Document,
    offset: TextSize,
    name: &str,
) -> Option<String> {
    let places = names::at(document, offset);
    places.iter().find_map(|it| {
        let described = Described::of(document, it, name);
        let described = described.or_else(|| of_function(document, it, name));
        described?.description
    })
}

/// The tool with that name that a call in Elixir registers, and the unit of this call.
fn registered<'d>(
    document: &'d Document,
    place: &Place,
    name: &str,
) -> Option<(&'d PlacedUnit, &'d Tool)> {
    let normal = |name: &str| document.edition().normal_name(name);
    let (own, _) = document.unit(place.unit);
    let all = document.units().map(|(placed, _)| placed);
    let all = std::iter::once(own).chain(all);
    let mut tools = all.flat_map(|placed| {
        let tools = placed.unit.tools.iter().flatten();
        tools.map(move |tool| (placed, tool))
    });
    tools.find(|(_, it)| it.name.as_deref().map(normal) == Some(normal(name)))
}

/// The tool with that name whose signature is that of a function.
fn of_function(document: &Document, place: &Place, name: &str) -> Option<Described> {
    let (_, tool) = registered(document, place, name)?;
    let Form::Function(Some(capture)) = &tool.form else {
        return None;
    };
    Described::of_capture(document, tool.name.as_deref(), capture)
}

/// Describes the tool at `at`, in bytes from the unit's start: a function with a spec, or an agent.
pub(super) fn hover(document: &Document, placed: &PlacedUnit, at: TextSize) -> Option<Hover> {
    let tools = placed.unit.tools.as_deref()?;
    let covers = |it: &Tool| it.key.cover(it.range);
    let tool = tools.iter().find(|it| covers(it).contains_inclusive(at))?;
    let name = tool.name.as_deref();
    let described = match &tool.form {
        Form::Function(Some(capture)) => Described::of_capture(document, name, capture)?,
        Form::Itself | Form::Agent(_) | Form::Undescribed | Form::Unknown => Described {
            name: name?.to_owned(),
            signature: document.tools_of(placed).signature(name?)?.clone(),
            description: description_of(document, placed, tool),
            source: format!("A tool, edition {}", document.edition()),
        },
        Form::Function(None) | Form::Described(_) | Form::Result | Form::List | Form::Invalid => {
            return None;
        }
    };
    Some(Hover {
        range: covers(tool),
        markdown: described.markdown(document.edition()),
    })
}
