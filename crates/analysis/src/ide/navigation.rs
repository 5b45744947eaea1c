//! Navigation from a name to its definition, its type and its references.

use crate::ide::{
    Document, flow,
    names::{self, Place, Symbol},
    program,
    unfinished::finished,
    unit::{NameKind, Target},
};
use signature_ls_source::{
    host::{
        elixir::{places::FunctionPlace, tools::Capture},
        flow::{Flowing, Written},
    },
    text::{TextRange, TextSize},
};

/// The number of targets of a name. Nobody chooses from more, but thousands of tools may have one name.
const MOST_TARGETS: usize = 64;

/// A link from a name to another place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The name, in bytes of the document.
    pub origin: TextRange,
    /// The target, in bytes of the document.
    pub target: TextRange,
}

/// The definition of the name at `offset`: the opening tag for a closing one.
pub fn definitions(document: &Document, offset: TextSize) -> Vec<Link> {
    let found = definitions_in_finished(document, offset);
    if !found.is_empty() {
        return found;
    }
    let Some(finished) = finished(document, offset) else {
        return found;
    };
    let links = definitions_in_finished(&finished.document, offset).into_iter();
    let links = links.map(|it| Link {
        origin: finished.original(it.origin),
        target: finished.original(it.target),
    });
    links.collect()
}

fn definitions_in_finished(document: &Document, offset: TextSize) -> Vec<Link> {
    let places = names::at(document, offset);
    if places.is_empty() {
        let found = agents(document, offset);
        return match found.is_empty() {
            true => bindings(document, offset),
            false => found,
        };
    }
    links(&places, |place| match place.name.kind {
        NameKind::SectionClosing { opening } => vec![opening],
        _ => {
            let symbols = names::symbols(document, place);
            let defined = symbols.iter().flat_map(|it| defined(document, it));
            defined.collect()
        }
    })
}

/// The declaration of a symbol. For a field, only its signature is read.
fn defined(document: &Document, symbol: &Symbol) -> Vec<TextRange> {
    if let Symbol::Field { signature, field } = symbol
        && let Some(range) = names::declaration(document, *signature, *field)
    {
        return vec![range];
    }
    // Thousands of calls may name it, but another file declares it.
    if matches!(symbol, Symbol::Member { .. }) {
        return Vec::new();
    }
    let places = names::places(document, symbol).into_iter();
    let defined = places.filter(names::is_definition);
    let defined = defined.map(|it| it.name.range);
    defined.take(MOST_TARGETS).collect()
}

/// Where the name of a program at `offset` is bound.
fn bindings(document: &Document, offset: TextSize) -> Vec<Link> {
    let found = program::binding(document, offset);
    let link = found.map(|(origin, target)| Link { origin, target });
    link.into_iter().collect()
}

/// The signature of the agent that the expression at `offset` comes from.
fn agents(document: &Document, offset: TextSize) -> Vec<Link> {
    let found = flow::at(document, offset, |view, given| {
        let signature = &view.source(given.source)?.signature;
        Some(match given.what {
            Flowing::Agent | Flowing::CompiledAgent => {
                let source = view.flow().sources.get(given.source)?;
                let Written::Here(text) = &source.written else {
                    return None;
                };
                TextRange::up_to(TextSize::of(&**text))
            }
            _ => signature.output.range,
        })
    });
    let link = found.and_then(|(place, target)| {
        Some(Link {
            origin: place.range,
            target: target + place.origin?,
        })
    });
    link.into_iter().collect()
}

/// A name that refers to a function of Elixir, or to a parameter of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionLink {
    /// The name, in bytes of the document.
    pub origin: TextRange,
    /// The function, with the full name of its module.
    pub function: Capture,
    /// What of it the name stands for.
    pub meaning: Meaning,
}

/// What of a function a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// The function itself.
    Function,
    /// The parameter of that name.
    Parameter(String),
    /// The agent that it returns, or a step or a result of that.
    Returned,
    /// A key of a result of the agent that it returns.
    Key,
}

impl FunctionLink {
    /// Which place of the function a name refers to.
    pub fn targets(&self, places: &[FunctionPlace]) -> Vec<TextRange> {
        let Meaning::Parameter(parameter) = &self.meaning else {
            return places.iter().map(|it| it.name).collect();
        };
        let parameters = places.iter().flat_map(|it| &it.parameters);
        let named = parameters.filter(|(name, _)| name == parameter);
        named.map(|(_, range)| *range).collect()
    }
}

/// The functions that the name at `offset` refers to, in any file: that of a capture, and that of a tool whose
/// arguments get their names from it.
pub fn functions_at(document: &Document, offset: TextSize) -> Vec<FunctionLink> {
    let mut found = Vec::new();
    for place in names::at(document, offset) {
        let (captures, meaning) = match &place.name.target {
            Target::Function(capture) => (vec![capture.clone()], Meaning::Function),
            Target::Argument { tool, path } => match path.as_slice() {
                [only] if !has_field(document, &place) => (
                    names::captures_of(document, place.unit, tool),
                    Meaning::Parameter(only.clone()),
                ),
                _ => continue,
            },
            Target::Result { tool, .. } => (
                names::captures_of(document, place.unit, tool),
                Meaning::Function,
            ),
            _ => continue,
        };
        let scope = document.scope();
        let functions = captures.iter().flat_map(|it| scope.full_names(it));
        found.extend(functions.take(MOST_TARGETS).map(|function| FunctionLink {
            origin: place.name.range,
            function,
            meaning: meaning.clone(),
        }));
    }
    if found.is_empty() {
        found = makers(document, offset);
    }
    found
}

/// The function that returns the agent that the expression at `offset` comes from.
fn makers(document: &Document, offset: TextSize) -> Vec<FunctionLink> {
    let found = flow::at(document, offset, |view, given| {
        let function = view.flow().sources.get(given.source)?.function()?;
        view.source(given.source)?;
        Some(function.clone())
    });
    let is_key = !names::at(document, offset).is_empty();
    let functions = found.into_iter().flat_map(|(place, function)| {
        let full = document.scope().full_names(&function).into_iter();
        full.map(move |function| FunctionLink {
            origin: place.range,
            function,
            meaning: if is_key {
                Meaning::Key
            } else {
                Meaning::Returned
            },
        })
    });
    functions.collect()
}

fn has_field(document: &Document, place: &Place) -> bool {
    let mut symbols = names::symbols(document, place).into_iter();
    symbols.any(|it| matches!(it, Symbol::Field { .. }))
}

/// Where the type of the name at `offset` is defined.
pub fn type_definitions(document: &Document, offset: TextSize) -> Vec<Link> {
    let places = names::at(document, offset);
    links(&places, |place| {
        let symbols = names::symbols(document, place).into_iter();
        symbols.filter_map(|it| type_range(document, &it)).collect()
    })
}

fn type_range(document: &Document, symbol: &Symbol) -> Option<TextRange> {
    let Symbol::Field { signature, field } = symbol else {
        return None;
    };
    let lowered = names::signature_at(document, *signature)?;
    let field = lowered.names.field(&lowered.signature, *field)?;
    (!field.ty.range.is_empty()).then(|| field.ty.range + *signature)
}

/// All occurrences of the name at `offset`, in the order of the text.
pub fn references(
    document: &Document,
    offset: TextSize,
    includes_definitions: bool,
) -> Vec<TextRange> {
    let places = names::all_places(document, offset).into_iter();
    let wanted = places.filter(|it| includes_definitions || !names::is_definition(it));
    wanted.map(|it| it.name.range).collect()
}

fn links(places: &[Place], targets: impl Fn(&Place) -> Vec<TextRange>) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for place in places {
        if links.len() >= MOST_TARGETS {
            break;
        }
        for target in targets(place) {
            let link = Link {
                origin: place.name.range,
                target,
            };
            if !links.contains(&link) {
                links.push(link);
            }
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::ide::testing::{document, located, marked};
    use signature_ls_source::host::HostKind;

    #[track_caller]
    fn check(kind: HostKind, fixture: &str, expected: Expect) {
        let (document, offset) = marked(kind, fixture);
        let mut found = String::new();
        let mut add = |what: &str, ranges: Vec<TextRange>| {
            for range in ranges {
                found.push_str(&format!("{what} {}\n", located(&document, range)));
            }
        };
        let targets = |links: Vec<Link>| links.into_iter().map(|it| it.target).collect();
        add("definition", targets(definitions(&document, offset)));
        add("type", targets(type_definitions(&document, offset)));
        add("reference", references(&document, offset, false));
        expected.assert_eq(&found);
    }

    #[test]
    fn placeholders_lead_to_fields() {
        check(
            HostKind::Prompt,
            "---\nsignature: \"(user {name :string, tags [:string]}) -> :any\"\ninput: {user: {name: x}}\n---\n{{user.na$0me}} {{#user.tags}}{{.}}{{/user.tags}}",
            expect![[r#"
                definition 2:20 name
                type 2:25 :string
                reference 3:16 name
                reference 5:8 name
            "#]],
        );
    }

    #[test]
    fn a_signature_that_is_written_for_its_anchor_is_one() {
        check(
            HostKind::Yaml,
            "sig: &s \"(user {name :string}) -> :int\"\nother: &o \"(see there) -> here\"\nagent:\n  signature: *s\n  prompt: \"{{user.na$0me}} {{user.name}}\"\n",
            expect![[r#"
                definition 1:17 name
                type 1:22 :string
                reference 5:19 name
                reference 5:33 name
            "#]],
        );
    }

    #[test]
    fn a_closing_tag_leads_to_its_opening() {
        check(
            HostKind::Prompt,
            "---\nsignature: \"(user {tags [:string]}) -> :any\"\n---\n{{#user.tags}}{{.}}{{/user.$0tags}}",
            expect![[r#"
                definition 4:9 tags
                type 2:25 [:string]
                reference 4:9 tags
                reference 4:17 .
                reference 4:28 tags
            "#]],
        );
    }

    #[test]
    fn data_leads_to_the_context_or_the_signature() {
        check(
            HostKind::Elixir,
            "Lisp.run(\"(count data/ord$0ers)\", context: %{orders: [1]})\n",
            expect![[r#"
                definition 1:44 orders
                reference 1:23 orders
            "#]],
        );
        check(
            HostKind::Elixir,
            "Lisp.run(\"(count data/ord$0ers)\", context: %{orders: [1]}, signature: \"(orders [:int]) -> :int\")\n",
            expect![[r#"
                definition 1:71 orders
                type 1:78 [:int]
                reference 1:23 orders
                reference 1:44 orders
            "#]],
        );
    }

    #[test]
    fn calls_lead_to_the_tools_of_their_program() {
        check(
            HostKind::Elixir,
            r#"
Lisp.run("(tool/get {:$0id 1})", tools: %{"get" => {&A.get/1, "(id :int) -> :any"}})
Lisp.run("(tool/get {:id 2})", tools: %{"get" => {&B.get/1, "(id :string) -> :any"}})
"#,
            expect![[r#"
                definition 2:63 id
                type 2:66 :int
                reference 2:23 id
            "#]],
        );
        check(
            HostKind::Elixir,
            r#"
Lisp.run("(tool/g$0et {:id 1})", tools: %{"get" => {&A.get/1, "(id :int) -> :any"}})
Lisp.run("(tool/get {:id 2})", tools: %{"get" => {&B.get/1, "(id :string) -> :any"}})
"#,
            expect![[r#"
                definition 2:42 get
                reference 2:17 get
            "#]],
        );
    }

    #[test]
    fn a_name_leads_to_a_limited_number_of_definitions() {
        let catalog = document(HostKind::Catalog, &"f(a :int) -> :int\n".repeat(100));
        assert_eq!(definitions(&catalog, 0.into()).len(), MOST_TARGETS);
        let imports: String = (0..100).map(|it| format!("import A{it}\n")).collect();
        let (document, offset) = marked(
            HostKind::Elixir,
            &format!("{imports}SubAgent.new(prompt: \"x\", tools: %{{\"a\" => &f$0/1}})\n"),
        );
        assert_eq!(functions_at(&document, offset).len(), MOST_TARGETS);
    }
}
