//! Reads calls of tools, returns, references and function heads.

use super::{
    forms::{Form, Forms, is_map},
    function::{Arity, Function, Parameter},
    uses::{Arguments, CallStyle, NamedArgument, Namespace, Reference, Return, ToolCall},
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
        if form.element.kind() != Kind::Symbol {
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

    /// The call `(tool/name …)` or `(ctx/name …)` that a list of `head` and `rest` is.
    pub fn qualified_call(
        &self,
        list: TextRange,
        head: &Form<'_>,
        rest: Forms<'_>,
    ) -> Option<ToolCall> {
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
            arguments: self.arguments(rest),
            is_threaded: false,
        })
    }

    /// The call `(call "name" …)` that a list of `head` and `rest` is.
    pub fn named_call(
        &self,
        list: TextRange,
        head: &Form<'_>,
        mut rest: Forms<'_>,
    ) -> Option<ToolCall> {
        let name = rest.next()?;
        let (text, range) = quoted::content(&name.as_string()?);
        Some(ToolCall {
            range: self.at(list),
            head: self.at(head.range),
            callee: self.at(head.range.cover(name.range)),
            name: text,
            name_range: self.at(range),
            style: CallStyle::Call,
            arguments: self.arguments(rest),
            is_threaded: false,
        })
    }

    /// The return that a list with `rest` after its head is.
    pub fn returned(&self, list: TextRange, mut rest: Forms<'_>) -> Return {
        Return {
            range: self.at(list),
            value: rest.next().map(|value| self.at(value.range)),
        }
    }

    fn arguments(&self, forms: Forms<'_>) -> Arguments {
        let mut rest = forms.clone();
        let Some(first) = rest.next() else {
            return Arguments::None;
        };
        let is_only = rest.next().is_none();
        if is_only && first.is_bare() && is_map(&first.element) {
            let (entries, is_complete) = self.entries(Forms::of(&first.element), true);
            return Arguments::Map {
                range: self.at(first.range),
                entries,
                is_complete,
            };
        }
        if first.as_keyword().is_some() {
            // A keyword that is missing leaves values without names.
            let (pairs, is_complete) = self.entries(forms.clone(), false);
            if is_complete {
                return Arguments::Pairs(pairs);
            }
        } else if is_only && !first.is_literal() {
            return Arguments::Dynamic(self.at(first.range));
        }
        Arguments::Positional(forms.map(|form| self.at(form.range)).collect())
    }

    /// The entries with keywords as keys, or with strings if it `takes_strings`, and whether there are no others.
    fn entries(&self, mut forms: Forms<'_>, takes_strings: bool) -> (Vec<NamedArgument>, bool) {
        let mut is_complete = true;
        // Most calls have one.
        let mut entries = Vec::with_capacity(1);
        while let Some(key) = forms.next() {
            let value = forms.next();
            let name = match key.as_string().filter(|_| takes_strings) {
                Some(string) => Some(quoted::content(&string).0),
                None => key.as_keyword().map(str::to_owned),
            };
            let Some(name) = name else {
                is_complete = false;
                continue;
            };
            entries.push(NamedArgument {
                name,
                key: self.at(key.range),
                value: value.map(|value| self.at(value.range)),
            });
        }
        entries.shrink_to_fit();
        (entries, is_complete)
    }

    /// The function that a definition defines, given its name and what follows it.
    pub fn function(&self, name: &Form<'_>, rest: Forms<'_>) -> Function {
        let mut doc = None;
        let mut arities = Vec::new();
        for (index, form) in rest.enumerate() {
            match form.element.kind() {
                Kind::Brackets => {
                    arities = vec![self.arity(&form.element)];
                    break;
                }
                Kind::Parens => arities.extend(self.arity_in(&form)),
                _ if index == 0 => doc = form.as_string(),
                _ => {}
            }
        }
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
        let first = Forms::of(&form.element).next()?;
        (first.element.kind() == Kind::Brackets).then(|| self.arity(&first.element))
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
            let is_name = form.element.kind() == Kind::Symbol;
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
