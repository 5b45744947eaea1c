//! Reads calls of tools, returns, references and function heads.

use super::{
    forms::{Form, Forms, is_map},
    program::{
        Arguments, Arity, CallStyle, Function, NamedArgument, Namespace, Parameter, Reference,
        Return, ToolCall,
    },
};
use crate::{
    host::{
        RolesIn, quoted,
        token_tree::{Element, Kind},
    },
    text::{TextRange, TextSize},
};

/// Reads with ranges that count from the start of a unit.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'r> {
    /// Where the unit begins.
    pub start: TextSize,
    /// The table of names.
    pub roles: RolesIn<'r>,
}

impl Reader<'_> {
    fn at(&self, range: TextRange) -> TextRange {
        range - self.start
    }

    /// The name in a namespace that `form` is.
    pub fn reference(&self, form: &Form<'_>) -> Option<Reference> {
        if form.element.kind != Kind::Symbol {
            return None;
        }
        let text = form.element.text();
        // Most names have none, and this finds none faster.
        if !text.as_bytes().contains(&b'/') {
            return None;
        }
        let (namespace, name) = text.split_once('/')?;
        let namespace = self.roles.of_namespace(namespace)?;
        let range = form.element.range;
        Some(Reference {
            range: self.at(range),
            namespace,
            name: name.to_owned(),
            name_range: self.at(TextRange::new(
                range.end() - TextSize::of(name),
                range.end(),
            )),
        })
    }

    /// The call `(tool/name …)` or `(ctx/name …)` that a list of `forms` is.
    pub fn qualified_call(&self, list: TextRange, forms: &[Form<'_>]) -> Option<ToolCall> {
        let (head, arguments) = forms.split_first()?;
        let reference = self.reference(head).filter(|_| head.is_bare())?;
        Some(ToolCall {
            range: self.at(list),
            head: reference.range,
            callee: reference.range,
            name: reference.name,
            name_range: reference.name_range,
            style: match reference.namespace {
                Namespace::Tool => CallStyle::Tool,
                Namespace::Context => CallStyle::Context,
                Namespace::Data => return None,
            },
            arguments: self.arguments(arguments),
            is_threaded: false,
        })
    }

    /// The call `(call "name" …)` that a list of `forms` is.
    pub fn named_call(&self, list: TextRange, forms: &[Form<'_>]) -> Option<ToolCall> {
        let [head, name, arguments @ ..] = forms else {
            return None;
        };
        let (text, range) = quoted::content(&name.as_string()?);
        Some(ToolCall {
            range: self.at(list),
            head: self.at(head.range),
            callee: self.at(head.range.cover(name.range)),
            name: text,
            name_range: self.at(range),
            style: CallStyle::Call,
            arguments: self.arguments(arguments),
            is_threaded: false,
        })
    }

    /// The return that a list of `forms` is.
    pub fn returned(&self, list: TextRange, forms: &[Form<'_>]) -> Return {
        Return {
            range: self.at(list),
            value: forms.get(1).map(|value| self.at(value.range)),
        }
    }

    fn arguments(&self, forms: &[Form<'_>]) -> Arguments {
        match forms {
            [] => Arguments::None,
            [only] if only.is_bare() && is_map(&only.element) => self.map(only),
            [first, ..] if first.as_keyword().is_some() => self.pairs(forms),
            [only] if !only.is_literal() => Arguments::Dynamic(self.at(only.range)),
            _ => Arguments::Positional(forms.iter().map(|form| self.at(form.range)).collect()),
        }
    }

    fn map(&self, map: &Form<'_>) -> Arguments {
        let forms = Forms::all(&map.element);
        let mut is_complete = true;
        let mut entries = Vec::with_capacity(forms.len().div_ceil(2));
        for pair in forms.chunks(2) {
            match self.named(pair) {
                Some(entry) => entries.push(entry),
                None => is_complete = false,
            }
        }
        Arguments::Map {
            range: self.at(map.range),
            entries,
            is_complete,
        }
    }

    /// Keywords and values; a keyword that is missing leaves values without names.
    fn pairs(&self, forms: &[Form<'_>]) -> Arguments {
        let pairs = forms.chunks(2).map(|pair| {
            pair.first()?.as_keyword()?;
            self.named(pair)
        });
        match pairs.collect() {
            Some(pairs) => Arguments::Pairs(pairs),
            None => Arguments::Positional(forms.iter().map(|form| self.at(form.range)).collect()),
        }
    }

    fn named(&self, pair: &[Form<'_>]) -> Option<NamedArgument> {
        let key = pair.first()?;
        let name = match key.as_string() {
            Some(string) => quoted::content(&string).0,
            None => key.as_keyword()?.to_owned(),
        };
        Some(NamedArgument {
            name,
            key: self.at(key.range),
            value: pair.get(1).map(|value| self.at(value.range)),
        })
    }

    /// The function that a definition defines, given its name and what follows it.
    pub fn function(&self, name: &Form<'_>, rest: &[Form<'_>]) -> Function {
        let doc = rest.first().and_then(Form::as_string);
        let single = rest.iter().find(|form| form.element.kind == Kind::Brackets);
        let arities = match single {
            Some(vector) => vec![self.arity(&vector.element)],
            None => rest.iter().filter_map(|form| self.arity_in(form)).collect(),
        };
        Function {
            name: name.element.text().to_owned(),
            name_range: self.at(name.element.range),
            doc: doc.map(|string| self.at(string.range)),
            arities,
            locals: Vec::new(),
        }
    }

    /// The arity in `([a b] …)`.
    fn arity_in(&self, form: &Form<'_>) -> Option<Arity> {
        if form.element.kind != Kind::Parens {
            return None;
        }
        let first = *Forms::all(&form.element).first()?;
        (first.element.kind == Kind::Brackets).then(|| self.arity(&first.element))
    }

    fn arity(&self, vector: &Element<'_>) -> Arity {
        let mut is_rest = false;
        let forms = Forms::all(vector);
        let mut parameters = Vec::with_capacity(forms.len());
        for form in forms {
            if form.as_symbol() == Some("&") {
                is_rest = true;
                continue;
            }
            let is_name = form.element.kind == Kind::Symbol;
            parameters.push(Parameter {
                name: is_name.then(|| form.element.text().to_owned()),
                range: self.at(form.element.range),
                is_rest,
                keys: self.keys(&form),
            });
        }
        Arity {
            range: self.at(vector.range),
            parameters,
        }
    }

    /// The keys that a parameter such as `{:keys [a b], c :c}` takes out of a map.
    fn keys(&self, parameter: &Form<'_>) -> Vec<(String, TextRange)> {
        if !is_map(&parameter.element) {
            return Vec::new();
        }
        let forms = Forms::all(&parameter.element);
        let pairs = forms.chunks_exact(2).map(|pair| (&pair[0], &pair[1]));
        let mut keys = Vec::new();
        for (binding, value) in pairs {
            match binding.as_keyword().map(plain_name) {
                Some("keys" | "strs" | "syms") => {
                    let names = Forms::all(&value.element);
                    keys.extend(names.iter().filter_map(|name| self.key(name)));
                }
                Some(_) => {}
                None => keys.extend(self.key(value)),
            }
        }
        keys
    }

    /// The name of a key that is a keyword, a string or a symbol, and its place.
    fn key(&self, form: &Form<'_>) -> Option<(String, TextRange)> {
        let name = match form.as_string() {
            Some(string) => quoted::content(&string).0,
            None => form.as_keyword().or(form.as_symbol())?.to_owned(),
        };
        Some((plain_name(&name).to_owned(), self.at(form.element.range)))
    }
}

/// A name without its namespace.
fn plain_name(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, name)| name)
}
