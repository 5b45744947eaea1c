//! The tools that a unit registers.

use super::{Blind, BlindKind, Found, Name, NameKind, Owner, Target};
use crate::{
    ide::{fragment::Fragment, unit::UnitView},
    model::Edition,
};
use signature_ls_source::{
    host::{
        Notation, Role, Site,
        elixir::{
            head::{keys_read_by_fn, string_keys_of_fn},
            tools::{Capture, Form},
        },
    },
    text::{TextRange, TextSize},
};

/// Adds the names of the tools that a unit registers, and the functions that it registers as tools.
pub(super) fn add(view: &UnitView<'_>, found: &mut Found) {
    let names = &mut found.names;
    if let Some(tools) = view.tools_registered() {
        for tool in tools {
            let key = tool.name.as_ref().and_then(|name| {
                Some(Name {
                    range: view.name_in(tool.key, name)?,
                    kind: NameKind::ToolEntry,
                    target: Target::Tool(name.to_string()),
                })
            });
            names.extend(key);
            if let Form::Function(Some(capture)) | Form::Described(Some(capture)) = &tool.form {
                names.extend(of_capture(view, tool.range, Capture::clone(capture)));
            }
        }
        return;
    }
    let mut fragments = view.fragments.iter().enumerate();
    let tool = fragments.find(|(_, it)| it.role == Role::Tool && it.name.is_some());
    if let Some((index, tool)) = tool {
        names.extend(of_tool(view, &view.unit.sites[index]));
        add_keys(view, index, tool, found);
    }
    found.names.extend(unsigned(view));
}

/// Adds the keys that the function in a tuple with a signature matches in its head or reads in its body.
fn add_keys(view: &UnitView<'_>, index: usize, tool: &Fragment, found: &mut Found) {
    let code = view.code(TextRange::up_to(view.unit.len));
    let is_tuple = view.notation() == Notation::Elixir && code.starts_with('{');
    // Programs of this edition pass atoms.
    if !is_tuple || view.edition < Edition::V0_5 {
        return;
    }
    let Some(lowered) = tool.lowered() else {
        return;
    };
    let blind = |range: TextRange, path: Vec<String>| Blind {
        range,
        what: BlindKind::Key,
        owner: Owner::Inputs,
        path,
    };
    let (signature, edition) = (&lowered.signature, view.edition);
    let inputs = lowered
        .names
        .iter()
        .filter(|(it, _)| lowered.names.is_input(*it));
    let paths = inputs.filter_map(|(it, _)| lowered.names.path(signature, it, edition));
    let Some(read) = keys_read_by_fn(&code) else {
        found
            .blind
            .extend(paths.map(|it| blind(TextRange::up_to(view.unit.len), it)));
        return;
    };
    let matched = string_keys_of_fn(&code).into_iter().flatten();
    let keys = matched.chain(read.certain).filter_map(|key| {
        let name = code[key].trim_matches('"');
        let field = lowered
            .names
            .input(signature, &[edition.normal_name(name)], edition)?;
        let start = key.start() + TextSize::of('"');
        Some(Name {
            range: TextRange::at(start, TextSize::of(name)),
            kind: NameKind::HeadKey,
            target: Target::Field {
                fragment: index,
                field,
            },
        })
    });
    found.names.extend(keys);
    if read.possible.is_empty() {
        return;
    }
    let paths: Vec<_> = paths.collect();
    for key in read.possible {
        let name = edition.normal_name(code[key].trim_matches('"'));
        let named = paths.iter().filter(|it| it.last() == Some(&name));
        found
            .blind
            .extend(named.map(|path| blind(key, path.clone())));
    }
}

/// The name of a tool without a signature, which is the whole unit.
fn unsigned(view: &UnitView<'_>) -> Option<Name> {
    let tool = view.unit.tool_name().filter(|it| !it.is_signed)?;
    Some(Name {
        range: view.name_in(TextRange::up_to(view.unit.len), &tool.name)?,
        kind: NameKind::ToolEntry,
        target: Target::Tool(tool.name.to_string()),
    })
}

/// The name of the tool with the signature at `site`, if it is in the same unit.
fn of_tool(view: &UnitView<'_>, site: &Site) -> Option<Name> {
    let name = site.name.as_ref()?;
    let entry = view.catalog_entry().and_then(|it| it.name());
    let range = match (entry, view.unit.argument("name")) {
        (Some(token), _) => token.text_range(),
        (None, Some(argument)) => view.name_in(argument.value, name)?,
        // The key before a signature that is the whole value.
        (None, None) => key_in(view, TextRange::up_to(site.literal.start()), name)?,
    };
    Some(Name {
        range,
        kind: NameKind::ToolEntry,
        target: Target::Tool(name.to_string()),
    })
}

/// The key `name` in the code at `range`, with quotes or a colon around it or nothing after it, so that it is not a
/// function with that name.
fn key_in(view: &UnitView<'_>, range: TextRange, name: &str) -> Option<TextRange> {
    let code = view.code(range);
    let mut found = code.match_indices(name).map(|(at, _)| at);
    let at = found.find(|&at| {
        let rest = &code[at + name.len()..];
        rest.is_empty() || rest.starts_with(['"', '\'', ':']) || code[..at].ends_with(':')
    })?;
    let start = range.start() + TextSize::try_from(at).ok()?;
    Some(TextRange::at(start, TextSize::of(name)))
}

/// The function's name in a capture somewhere in the code at `range`.
fn of_capture(view: &UnitView<'_>, range: TextRange, capture: Capture) -> Option<Name> {
    let code = view.code(range);
    let written = match &capture.module {
        Some(module) => format!("{module}.{}/{}", capture.name, capture.arity),
        None => format!("{}/{}", capture.name, capture.arity),
    };
    let at = code.find(&format!("&{written}"))?;
    let ahead = written.len() - capture.name.len() - format!("/{}", capture.arity).len();
    let start = TextSize::try_from(at + 1 + ahead).ok()?;
    Some(Name {
        range: TextRange::at(range.start() + start, TextSize::of(capture.name.as_str())),
        kind: NameKind::Capture,
        target: Target::Function(capture),
    })
}
