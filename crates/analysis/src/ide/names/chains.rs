//! Names along chains: a field of one agent's output is the input with that name of the next one.

use std::collections::BTreeSet;

use super::{Symbol, signatures::units_using};
use crate::{
    ide::{Document, analysis::UnitAnalysis, unit::UnitView},
    model::{FieldId, TypeKind},
};
use signature_ls_source::{host::PlacedUnit, text::TextSize};

/// A field of an output and the input that gets it.
type Link = [(TextSize, FieldId); 2];

/// The fields and inputs connected with `symbol` in the chains of the document.
pub(crate) fn chained(document: &Document, symbol: &Symbol) -> Vec<Symbol> {
    let Symbol::Field { signature, field } = symbol else {
        return Vec::new();
    };
    let own = (*signature, *field);
    let around = document.host().units_around(*signature).into_iter();
    let units = around.chain(units_using(document, *signature));
    let units: BTreeSet<_> = units.collect();
    let units = units.into_iter().map(|it| document.unit(it));
    let chains = units.filter(|(placed, _)| placed.unit.flow.context.is_some());
    let links = chains.flat_map(|(placed, analysis)| links(document, placed, analysis));
    let others = links.filter_map(|[output, input]| match own {
        _ if own == output => Some(input),
        _ if own == input => Some(output),
        _ => None,
    });
    let symbols = others.map(|(signature, field)| Symbol::Field { signature, field });
    symbols.collect()
}

fn links(document: &Document, placed: &PlacedUnit, analysis: &UnitAnalysis) -> Vec<Link> {
    document.with_view(placed, analysis, |view| {
        of_view(view, placed, analysis).unwrap_or_default()
    })
}

fn of_view(view: &UnitView<'_>, placed: &PlacedUnit, analysis: &UnitAnalysis) -> Option<Vec<Link>> {
    let given = view.flow().context.as_ref()?;
    let output = placed.origin(given.source)?;
    let source = view.source(given.source)?;
    let TypeKind::Record(fields) = &view.type_of(given)?.kind else {
        return None;
    };
    let (input, taken) = match view.flow().agent.as_ref() {
        Some(agent) if view.agents_signature().is_none() => {
            let start = placed.origin(agent.source)?;
            (start, view.source(agent.source)?)
        }
        _ => {
            let mut fragments = analysis.fragments.iter();
            let (start, lowered) = fragments.find_map(|it| Some((it.start, it.lowered()?)))?;
            (placed.start + start, lowered)
        }
    };
    let links = taken.signature.params.iter().filter_map(|param| {
        let field = fields.named(&param.name, view.edition)?;
        let output = (output, source.names.at(field.name_range)?);
        Some([output, (input, taken.names.at(param.name_range)?)])
    });
    Some(links.collect())
}
