//! Hover over agents, steps and results in code.

use super::{Hover, code, schemas};
use crate::{
    ide::{Document, flow},
    model::Signature,
};
use signature_ls_source::{host::flow::Flowing, text::TextSize};

/// Describes the agent, step or result that the expression at `offset` evaluates to.
pub(super) fn hover(document: &Document, offset: TextSize) -> Option<Hover> {
    let (place, markdown) = flow::at(document, offset, |view, given| {
        let source = view.source(given.source)?;
        Some(match given.what {
            Flowing::Agent => about_agent(&source.signature, "agent"),
            Flowing::CompiledAgent => about_agent(&source.signature, "`{:ok, agent}`"),
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

fn about_agent(signature: &Signature, what: &str) -> String {
    format!(
        "{}\n{what}{}",
        code(&signature.to_string()),
        schemas(signature)
    )
}
