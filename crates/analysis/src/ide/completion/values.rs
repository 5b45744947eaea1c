//! In values beside a signature: the missing keys of `context:`, of inputs and of samples.

use super::{
    Completion, CompletionKind, Completions, Place,
    block::{Above, Block},
    front_matter, not_given,
};
use crate::{
    ide::{
        Document,
        scan::{Keys, Open, Scan, scan},
    },
    model::{Edition, Field, Signature, Type, TypeKind},
};
use signature_ls_source::{
    host::{Notation, PlacedUnit},
    text::{TextRange, TextSize},
};

/// The completions in the value around the place.
pub(super) fn complete(document: &Document, place: &Place<'_>) -> Option<Completions> {
    let mut units = document.innermost_at(place.offset);
    units.find_map(|(placed, analysis)| {
        let signature = analysis.signature(&placed.unit)?;
        let edition = document.edition();
        match placed.unit.notation {
            Notation::Yaml => in_block(place, signature, edition)
                .or_else(|| in_flow_below_block(place, signature, edition))
                .or_else(|| in_brackets(place, placed, signature, edition))
                .or_else(|| match document.host().is_prompt_file() {
                    // The body follows.
                    true => None,
                    false => {
                        let block = Block::around(place)?;
                        beside_signature(block.replaced, &block.keys, &Style::Plain)
                    }
                }),
            _ => in_brackets(place, placed, signature, edition),
        }
    })
}

/// The type of the value under `key` beside `signature`.
fn type_under(key: &str, notation: Notation, signature: &Signature) -> Option<Type> {
    let inputs = || Type::new(TypeKind::Record(signature.params.clone()));
    match (key, notation) {
        ("context" | "context_descriptions", _) => Some(inputs()),
        ("field_descriptions", _) => Some(signature.output.clone()),
        // In code, these keys can be anything.
        (_, Notation::Elixir) => None,
        ("input" | "inputs", _) => Some(inputs()),
        ("output", _) => Some(signature.output.clone()),
        ("examples", _) => Some(Type::new(TypeKind::List(Box::new(inputs())))),
        _ => None,
    }
}

fn in_brackets(
    place: &Place<'_>,
    placed: &PlacedUnit,
    signature: &Signature,
    edition: Edition,
) -> Option<Completions> {
    let at = place.offset.checked_sub(placed.start)?;
    let mut arguments = placed.unit.arguments.iter();
    let notation = placed.unit.notation;
    let Some(argument) = arguments.find(|it| it.value.contains_inclusive(at)) else {
        return in_map(place, placed);
    };
    let start = argument.value.start() + placed.start;
    if notation == Notation::Yaml && is_block(&place.after(start)) {
        return None;
    }
    let ty = type_under(&argument.key, notation, signature)?;
    // Flow values of YAML are read as JSON without quotes.
    let read_as = match notation {
        Notation::Yaml => Notation::Json,
        other => other,
    };
    let scan = scan(&place.after(start), read_as)?;
    let neighbor = argument.key_range + placed.start;
    let flow = Flow {
        key: &argument.key,
        ty,
        scan: &scan,
        notation,
        read_as,
        neighbor: quote_of(&place.text.slice(neighbor)),
    };
    flow.complete(place, signature, edition)
}

/// The keys beside the signature in a map of JSON or Clojure.
fn in_map(place: &Place<'_>, placed: &PlacedUnit) -> Option<Completions> {
    let notation = placed.unit.notation;
    if !matches!(notation, Notation::Json | Notation::Lisp) {
        return None;
    }
    let scan = scan(&place.after(placed.start), notation)?;
    let [.., innermost] = scan.open.as_slice() else {
        return None;
    };
    let mut keys = innermost.keys(notation);
    if scan.open.len() != 2 || innermost.bracket != '{' || keys.of_value.is_some() {
        return None;
    }
    let flow = Flow {
        key: "",
        ty: Type::new(TypeKind::Unknown),
        scan: &scan,
        notation,
        read_as: notation,
        neighbor: innermost.items.first().and_then(|it| quote_of(it)),
    };
    let (replaced, style) = flow.key_at(place, innermost, &mut keys);
    beside_signature(replaced, &keys, &style)
}

/// The keys that a map with a signature may have beside it.
fn beside_signature(replaced: TextRange, keys: &Keys, style: &Style) -> Option<Completions> {
    let is_given = |key: &str| keys.given.iter().any(|it| it == key);
    is_given("signature").then(|| Completions {
        replaced,
        items: front_matter::missing(is_given, |key| style.written(key)),
    })
}

/// Whether a value of YAML that begins with `text` is not in brackets.
fn is_block(text: &str) -> bool {
    !text.starts_with(['{', '[', '&', '!'])
}

/// A place in the brackets of a value.
struct Flow<'a> {
    /// The key of the argument that the outermost bracket is the value of; empty if it is the value of something in
    /// it.
    key: &'a str,
    /// The type of the outermost bracket.
    ty: Type,
    scan: &'a Scan,
    notation: Notation,
    read_as: Notation,
    /// The quote of a key nearby.
    neighbor: Option<char>,
}

impl Flow<'_> {
    fn complete(
        self,
        place: &Place<'_>,
        signature: &Signature,
        edition: Edition,
    ) -> Option<Completions> {
        let (scan, read_as) = (self.scan, self.read_as);
        let mut ty = self.ty.clone();
        let (innermost, outer) = scan.open.split_last()?;
        for open in outer.iter().skip(1) {
            ty = match open.bracket {
                '[' => element(ty)?,
                _ => {
                    let name = open.keys(read_as).of_value?;
                    part_of_example(self.key, &name, &ty, signature)
                        .or_else(|| field(&ty, &name, edition))?
                }
            };
        }
        let mut keys = innermost.keys(read_as);
        if innermost.bracket != '{' || keys.of_value.is_some() {
            return None;
        }
        let ty = of_example(self.key, ty, signature, &keys);
        let (replaced, style) = self.key_at(place, innermost, &mut keys);
        let items = missing(&ty, &keys, edition, |name| style.written(name));
        Some(Completions { replaced, items })
    }

    /// The text that a key in `innermost` replaces, and its notation; adds the following keys to those in `keys`.
    fn key_at(&self, place: &Place<'_>, innermost: &Open, keys: &mut Keys) -> (TextRange, Style) {
        let (scan, read_as) = (self.scan, self.read_as);
        let quote = quote_of(&scan.word);
        let mut replaced = place.word(scan.word.len());
        let rest = &place.rest()[usize::from(replaced.end() - place.offset)..];
        if quote.is_some_and(|it| rest.starts_with(it)) {
            replaced = TextRange::new(replaced.start(), replaced.end() + TextSize::from(1));
        }
        let following = place.entries_after(replaced.end(), read_as);
        let style = match self.notation {
            Notation::Elixir | Notation::Yaml => {
                let has_arrow = innermost.items.iter().any(|it| it == "=>") || following.has_arrow;
                Style::of(self.notation, quote, has_arrow)
            }
            Notation::Json if !scan.word.is_empty() => Style::of(self.notation, quote, false),
            Notation::Json | Notation::Lisp => Style::of(self.notation, self.neighbor, false),
        };
        keys.given.extend(following.keys);
        (replaced, style)
    }
}

/// The type of the `input` or the `output` of an example; the inputs if it is not split.
fn part_of_example(key: &str, name: &str, inputs: &Type, signature: &Signature) -> Option<Type> {
    match (key, name) {
        ("examples", "input") => Some(inputs.clone()),
        ("examples", "output") => Some(signature.output.clone()),
        _ => None,
    }
}

/// An example contains inputs, or an `input` and an `output`.
fn of_example(key: &str, ty: Type, signature: &Signature, keys: &Keys) -> Type {
    let is_split = keys.given.iter().any(|it| it == "input" || it == "output");
    match key == "examples" && is_split {
        true => Type::new(TypeKind::Record(
            vec![
                Field {
                    name: "input".to_owned(),
                    name_range: TextRange::default(),
                    ty,
                },
                Field {
                    name: "output".to_owned(),
                    name_range: TextRange::default(),
                    ty: signature.output.clone(),
                },
            ]
            .into(),
        )),
        false => ty,
    }
}

/// The opening quote of a key.
fn quote_of(key: &str) -> Option<char> {
    key.chars().next().filter(|it| matches!(it, '"' | '\''))
}

/// The notation of keys.
enum Style {
    /// `name: `
    Plain,
    /// `"name": `
    Quoted(char),
    /// `"name" => `
    Arrow,
    /// `:name `
    Lisp,
}

impl Style {
    fn of(notation: Notation, quote: Option<char>, has_arrow: bool) -> Self {
        match (notation, quote) {
            (Notation::Lisp, _) => Self::Lisp,
            (Notation::Elixir, quote) if quote.is_some() || has_arrow => Self::Arrow,
            (Notation::Json | Notation::Yaml, Some(quote)) => Self::Quoted(quote),
            (Notation::Elixir | Notation::Json | Notation::Yaml, _) => Self::Plain,
        }
    }

    fn written(&self, name: &str) -> String {
        match self {
            Self::Plain => format!("{name}: "),
            Self::Quoted(quote) => format!("{quote}{name}{quote}: "),
            Self::Arrow => format!("\"{name}\" => "),
            Self::Lisp => format!(":{name} "),
        }
    }
}

/// Keys of a block mapping in values.
fn in_block(place: &Place<'_>, signature: &Signature, edition: Edition) -> Option<Completions> {
    let block = Block::around(place)?;
    let (root, ty) = type_at(&block.path, signature, edition)?;
    let root = block.path.first().filter(|it| **it == root);
    let root = root.map_or("", String::as_str);
    let ty = of_example(root, element_or_self(ty), signature, &block.keys);
    Some(Completions {
        replaced: block.replaced,
        items: missing(&ty, &block.keys, edition, |name| Style::Plain.written(name)),
    })
}

/// Keys of a flow mapping of YAML that begins on the line of the place, in a block mapping or sequence.
fn in_flow_below_block(
    place: &Place<'_>,
    signature: &Signature,
    edition: Edition,
) -> Option<Completions> {
    let line = place.line();
    let content = line.trim_start_matches([' ', '-']);
    let (key, flow) = content.split_at(content.find(['{', '['])?);
    let mut path = Above::of(place, line.len() - content.len()).path;
    if let Some(key) = key.trim_end().strip_suffix(':') {
        path.insert(0, key.to_owned());
    } else if !key.is_empty() {
        return None;
    }
    let (root, ty) = type_at(&path, signature, edition)?;
    let scan = scan(flow, Notation::Json)?;
    let flow = Flow {
        key: if path.first() == Some(&root) {
            &root
        } else {
            ""
        },
        ty: match key.is_empty() {
            true => element_or_self(ty),
            false => ty,
        },
        scan: &scan,
        notation: Notation::Yaml,
        read_as: Notation::Json,
        neighbor: None,
    };
    flow.complete(place, signature, edition)
}

/// The type of the value under the first key of `path`, and the key of the argument that it is in.
fn type_at(path: &[String], signature: &Signature, edition: Edition) -> Option<(String, Type)> {
    let mut path = path.iter().rev();
    let known = path
        .by_ref()
        .find_map(|key| type_under(key, Notation::Yaml, signature).map(|ty| (key, ty)));
    let (root, mut ty) = known?;
    for name in path {
        let whole = element_or_self(ty);
        ty = match (root.as_str(), name.as_str()) {
            ("examples", "input") => whole,
            ("examples", "output") => signature.output.clone(),
            _ => field(&whole, name, edition)?,
        };
    }
    Some((root.clone(), ty))
}

fn missing(
    ty: &Type,
    keys: &Keys,
    edition: Edition,
    written: impl Fn(&str) -> String,
) -> Vec<Completion> {
    let TypeKind::Record(fields) = &ty.kind else {
        return Vec::new();
    };
    let fields = not_given(fields, &mut keys.given.iter(), edition);
    let item = |field: &Field| key(written(&field.name), &field.name).detail(&field.ty);
    fields.into_iter().map(item).collect()
}

/// The completion that writes the key `name` as `text`.
pub(super) fn key(text: String, name: &str) -> Completion {
    let label = text.trim_end_matches([' ', '=', '>']).trim_end_matches(':');
    let label = match label.starts_with(['"', '\'', ':']) {
        true => label,
        false => name,
    };
    Completion::new(label, CompletionKind::Key).text(text.clone())
}

/// The top-level keys of the argument `key` of a unit.
pub(super) fn keys_of_argument(document: &Document, placed: &PlacedUnit, key: &str) -> Vec<String> {
    let Some(argument) = placed.unit.argument(key) else {
        return Vec::new();
    };
    let text = placed
        .unit
        .code(argument.value, document.text(), placed.start);
    let inside = text.trim_end().trim_end_matches('}');
    let scan = scan(inside, placed.unit.notation);
    let open = scan.as_ref().and_then(|it| it.open.get(1));
    open.map(|it| it.keys(placed.unit.notation).given)
        .unwrap_or_default()
}

fn field(ty: &Type, name: &str, edition: Edition) -> Option<Type> {
    let TypeKind::Record(fields) = &ty.kind else {
        return None;
    };
    let field = fields.named(name, edition)?;
    Some(field.ty.clone())
}

fn element(ty: Type) -> Option<Type> {
    match ty.kind {
        TypeKind::List(element) => Some(*element),
        _ => None,
    }
}

/// The type of the elements of a list; other types themselves.
fn element_or_self(ty: Type) -> Type {
    match ty.kind {
        TypeKind::List(element) => *element,
        _ => ty,
    }
}
