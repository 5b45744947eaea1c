//! Agents, steps and results where code names them.

use super::{Hover, code};
use crate::{
    host::flow::Flowing,
    ide::{Document, flow},
    text::TextSize,
};

/// Describes the agent, step or result that the expression at `offset` comes to.
pub(super) fn hover(document: &Document, offset: TextSize) -> Option<Hover> {
    let (place, markdown) = flow::at(document, offset, |view, given| {
        let source = view.source(given.source)?;
        Some(match given.what {
            Flowing::Agent => format!("{}\nagent", code(&source.signature.to_string())),
            Flowing::CompiledAgent => {
                format!("{}\n`{{:ok, agent}}`", code(&source.signature.to_string()))
            }
            Flowing::Step => format!(
                "{}\nwhat the step returns",
                code(&source.signature.output.to_string())
            ),
            Flowing::Outcome => format!(
                "{}\nwhat the step returns in `{{:ok, step}}`",
                code(&source.signature.output.to_string())
            ),
            Flowing::Data => {
                let ty = match given.is_binding {
                    true => view.type_of(given),
                    false => view.type_before_keys(given),
                };
                format!("{}\nresult", code(&ty?.to_string()))
            }
        })
    })?;
    Some(Hover {
        range: place.range,
        markdown,
    })
}
