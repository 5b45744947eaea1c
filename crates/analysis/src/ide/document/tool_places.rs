//! The declarations of tools in a document, for related places in other units.

use std::{cell::OnceCell, sync::Arc};

use foldhash::HashMap;

use crate::{
    ide::{Document, Returned, analysis::UnitAnalysis, distant::Declaration, names},
    model::names::{FieldId, Names},
};
use signature_ls_source::{
    host::{
        PlacedUnit, Role,
        elixir::tools::{Capture, Form},
    },
    text::{Text, TextRange, TextSize, size},
};

/// The maximum number of units that are searched.
pub(super) const MOST_UNITS: usize = 1_000;

/// The declaration of a tool.
#[derive(Debug, Clone, Copy)]
struct ToolPlace<'a> {
    /// The start of the unit.
    unit: TextSize,
    /// The start of its name, without quotes.
    name: Option<TextSize>,
    /// The start of its signature, and the signature's names.
    signature: Option<(TextSize, &'a Names)>,
    /// The function that it is.
    function: Option<&'a Capture>,
}

/// The tools of a document, computed when they are first needed.
pub(in crate::ide) struct ToolPlaces<'a> {
    document: &'a Document,
    by_name: OnceCell<HashMap<String, Vec<ToolPlace<'a>>>>,
}

impl<'a> ToolPlaces<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        Self {
            document,
            by_name: OnceCell::new(),
        }
    }

    /// Where the name of a parameter or field of the tool `name` begins: in the last unit that begins at or before
    /// `offset`, else in the first one.
    pub(in crate::ide) fn parameter(
        &self,
        name: &str,
        field: FieldId,
        offset: TextSize,
    ) -> Option<TextSize> {
        let signed = self.of(name).iter().filter(|it| it.signature.is_some());
        let last = signed.clone().rfind(|it| it.unit <= offset);
        let (start, names) = last.or_else(|| signed.clone().next())?.signature?;
        Some(names.get(field)?.range.start() + start)
    }

    /// Where the name of the tool `name` is: the last one before `offset`, else the first one.
    pub(in crate::ide) fn name(&self, name: &str, offset: TextSize) -> Option<TextSize> {
        let names = self.of(name).iter().filter_map(|it| it.name);
        let last = names.clone().rfind(|it| *it < offset);
        last.or_else(|| names.clone().next())
    }

    /// The parameter `param` of the tool `name`, if that is a function.
    pub(in crate::ide) fn of_function(
        &self,
        name: &str,
        param: &str,
        offset: TextSize,
    ) -> Option<Declaration> {
        let functions = self.of(name).iter().filter(|it| it.function.is_some());
        let last = functions.clone().rfind(|it| it.unit <= offset);
        let function = last.or_else(|| functions.clone().next())?.function?;
        let function = self.document.scope().full_name(function)?;
        Some(Declaration::Parameter(function, param.to_owned()))
    }

    /// What is at `range` of the signature that flows into a unit from `source`, if a function returns its agent.
    pub(in crate::ide) fn returned(
        &self,
        (placed, analysis): (&PlacedUnit, &UnitAnalysis),
        source: usize,
        range: TextRange,
    ) -> Option<Declaration> {
        let function = placed.unit.flow.sources.get(source)?.function()?;
        let function = self.document.scope().full_name(function)?;
        let lowered = analysis.source(source)?;
        let Some(field) = lowered.names.at(range) else {
            return Some(Declaration::Function(function));
        };
        Some(Declaration::Returned(Returned {
            function,
            is_input: lowered.names.is_input(field),
            path: names::path_of(lowered, field, self.document.edition())?,
        }))
    }

    fn of(&self, name: &str) -> &[ToolPlace<'a>] {
        let edition = self.document.edition();
        let by_name = self.by_name.get_or_init(|| {
            let document = self.document;
            let units = { document.naming_tools.iter() }.map(|index| document.unit(index));
            let mut by_name: HashMap<_, Vec<_>> = HashMap::default();
            for (placed, analysis) in units.take(MOST_UNITS) {
                for (name, place) in places(&document.text, placed, analysis) {
                    let name = edition.normal_name(&name);
                    by_name.entry(name).or_default().push(place);
                }
            }
            by_name
        });
        let places = by_name.get(&edition.normal_name(name));
        places.map(Vec::as_slice).unwrap_or_default()
    }
}

/// The tools that a unit names.
fn places<'a>(
    text: &Text,
    placed: &'a PlacedUnit,
    analysis: &'a UnitAnalysis,
) -> Vec<(Arc<str>, ToolPlace<'a>)> {
    let unit = placed.start;
    let fragments = analysis.fragments.iter();
    let signed = fragments
        .filter(|it| it.role == Role::Tool)
        .filter_map(|it| {
            let name = it.name.clone()?;
            let place = ToolPlace {
                unit,
                name: name_start(text, placed, &name),
                signature: it
                    .lowered()
                    .map(|lowered| (it.start + unit, &lowered.names)),
                function: None,
            };
            Some((name, place))
        });
    let bare = placed.unit.tool_name().filter(|it| !it.is_signed);
    let bare = bare.map(|it| {
        let place = ToolPlace {
            unit,
            name: name_start(text, placed, &it.name),
            signature: None,
            function: None,
        };
        (it.name.clone(), place)
    });
    let registered = placed.unit.tools.iter().flatten();
    let registered = registered.filter_map(|it| {
        let name = it.name.clone()?;
        let place = ToolPlace {
            unit,
            name: after_quote(text, it.key.start() + unit, &name),
            signature: None,
            function: match &it.form {
                Form::Function(capture) => capture.as_deref(),
                _ => None,
            },
        };
        Some((name, place))
    });
    signed.chain(bare).chain(registered).collect()
}

/// Where the name of a tool begins: it is the first one in its unit, or the value of a key.
fn name_start(text: &Text, placed: &PlacedUnit, name: &str) -> Option<TextSize> {
    let of_key = placed.unit.argument("name").map(|it| it.value.start());
    let starts = [Some(TextSize::default()), of_key];
    let mut starts = starts.into_iter().flatten().map(|it| it + placed.start);
    starts.find_map(|it| after_quote(text, it, name))
}

/// Where `name` begins: at `start`, or after one character there.
fn after_quote(text: &Text, start: TextSize, name: &str) -> Option<TextSize> {
    let starts = [start, start + TextSize::from(1)];
    let is_name = |it: &TextSize| text.slice(TextRange::at(*it, size(name.len()))) == name;
    starts.into_iter().find(is_name)
}
