//! `render`: a signature as text, in one of the styles.

use serde_json::json;

use super::{Answer, Request, errors, reply};
use signature_ls_analysis::{
    ide::standalone::check_signature,
    model::{Edition, Signature, render},
};

pub(super) fn run(request: &Request<'_>) -> Answer {
    let edition = request.edition()?;
    let style = request
        .optional_text("style")?
        .unwrap_or_else(|| "canonical".to_owned());
    let name = request.optional_text("name")?;
    let description = request.optional_text("description")?;
    let tool = name.as_deref().map(|name| (name, description.as_deref()));
    let render = match style.as_str() {
        "canonical" => canonical,
        "prompt" => prompt,
        "lisp" => lisp,
        _ => {
            return Err(format!(
                "unknown style `{style}`; use canonical, prompt or lisp"
            ));
        }
    };
    let (signature, found) = check_signature(&request.text("text")?, edition);
    let rendered = signature.map(|signature| render(&signature, tool, edition));
    reply(&json!({ "text": rendered, "errors": errors(&found) }))
}

/// The name and the description of the tool.
type Tool<'a> = Option<(&'a str, Option<&'a str>)>;

fn canonical(signature: &Signature, _tool: Tool<'_>, _edition: Edition) -> String {
    signature.to_string()
}

fn prompt(signature: &Signature, tool: Tool<'_>, edition: Edition) -> String {
    match tool {
        Some((name, description)) => render::prompt_entry(name, signature, description, edition),
        None => signature.visible(edition).to_string(),
    }
}

fn lisp(signature: &Signature, tool: Tool<'_>, edition: Edition) -> String {
    match tool {
        Some((name, description)) => render::lisp_entry(name, signature, description, edition),
        None => render::lisp(signature, edition),
    }
}
