//! Names outside of signatures and prompts: keys of samples, arguments and results, `data/x`, parameters of
//! functions, and tools.

use super::{Hover, code, firewall_note, presence, tools};
use crate::{
    ide::{
        Document,
        names::{self, Member, Place, Symbol},
        unit::{NameKind, Target},
    },
    model::{Edition, Field, FieldId, Lowered, Signature, names::record_in},
};
use signature_ls_source::text::{TextRange, TextSize};

/// The longest namespace with its slash, in bytes: `tool/`, `data/`.
const NAMESPACE: u32 = 5;

/// Describes the name at `offset`, a byte of the document, or the name whose namespace is there.
pub(super) fn hover(document: &Document, offset: TextSize) -> Option<Hover> {
    hover_at(document, offset).or_else(|| {
        let mut hover = hover_at(document, after_namespace(document, offset)?)?;
        hover.range = hover.range.cover_offset(offset);
        Some(hover)
    })
}

/// The start of the name whose namespace is at `offset`, as in `tool/search`.
fn after_namespace(document: &Document, offset: TextSize) -> Option<TextSize> {
    let ahead = TextRange::at(offset, NAMESPACE.into());
    let text = document.text().slice(ahead);
    let (namespace, _) = text.split_once('/')?;
    let is_name = namespace.bytes().all(|it| it.is_ascii_lowercase());
    (is_name && !namespace.is_empty()).then(|| offset + TextSize::of(namespace) + TextSize::of('/'))
}

fn hover_at(document: &Document, offset: TextSize) -> Option<Hover> {
    let places = names::at(document, offset);
    places.iter().rev().find_map(|place| {
        Some(Hover {
            range: place.name.range,
            markdown: about(document, place)?,
        })
    })
}

fn about(document: &Document, place: &Place) -> Option<String> {
    let edition = document.edition();
    if let Target::Tool(name) = &place.name.target {
        let tool = tools::Described::of(document, place, name)?;
        return Some(tool.markdown(edition));
    }
    let symbols = names::symbols(document, place);
    let tool = match &place.name.target {
        Target::Argument { tool, .. } | Target::Result { tool, .. } => Some(tool.as_str()),
        _ => None,
    };
    match symbols.first()? {
        Symbol::Field { signature, field } => {
            let lowered = names::signature_at(document, *signature)?;
            about_declared(lowered, *field, tool, edition)
        }
        Symbol::Member { member, .. } => {
            let (placed, _) = document.unit(place.unit);
            let tools = document.tools_of(placed);
            let path = path_to(member, tools.signature(tool?)?, edition)?;
            about_field(&path, member.is_input, tool, edition)
        }
        Symbol::Returned(_) => {
            let Target::Elsewhere { source, field } = place.name.target else {
                return None;
            };
            let (placed, analysis) = document.unit(place.unit);
            document.with_view(placed, analysis, |view| {
                about_declared(view.source(source)?, field, tool, edition)
            })
        }
        Symbol::Context { name, .. } => {
            let where_from = match place.name.kind {
                NameKind::Data | NameKind::SampleKey => "a value of the context",
                _ => return None,
            };
            Some(format!(
                "`{name}` — {where_from}; no signature declares it."
            ))
        }
        Symbol::Tool { .. } | Symbol::Function(_) => None,
    }
}

/// A member of the tool with `signature`, with its parents before it.
fn path_to<'s>(
    member: &Member,
    signature: &'s Signature,
    edition: Edition,
) -> Option<Vec<&'s Field>> {
    let mut fields = match member.is_input {
        true => &signature.params,
        false => record_in(&signature.output)?,
    };
    let found = member.path.iter().map(|name| {
        let field = fields.named(name, edition)?;
        fields = record_in(&field.ty).unwrap_or_default();
        Some(field)
    });
    found.collect()
}

fn about_declared(
    lowered: &Lowered,
    field: FieldId,
    tool: Option<&str>,
    edition: Edition,
) -> Option<String> {
    let path = lowered.names.ancestry(field).into_iter();
    let path = path.filter_map(|it| lowered.names.field(&lowered.signature, it));
    let is_input = lowered.names.is_input(field);
    about_field(&path.collect::<Vec<_>>(), is_input, tool, edition)
}

fn about_field(
    path: &[&Field],
    is_input: bool,
    tool: Option<&str>,
    edition: Edition,
) -> Option<String> {
    let (field, outer) = path.split_last()?;
    let names: Vec<_> = path.iter().map(|it| it.name.as_str()).collect();
    let what = match (outer, is_input) {
        ([], true) => "parameter".to_owned(),
        ([], false) => "field of the output".to_owned(),
        ([outer, ..], _) => format!("field in `{}`", outer.name),
    };
    let of_tool = tool.map(|it| format!(" of the tool `{it}`"));
    Some(format!(
        "{}\n{what}{}{}{}",
        code(&format!("{} {}", names.join("."), field.ty)),
        of_tool.unwrap_or_default(),
        presence(&field.ty),
        firewall_note(&field.name, edition),
    ))
}
