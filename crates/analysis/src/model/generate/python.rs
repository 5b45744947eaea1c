//! Python: a `TypedDict` for each record, since they cannot be nested inline.

use super::{Callable, HEADER, Names, comment_lines, distinct, names::pascal};
use crate::model::{Field, Primitive, Type, TypeKind};

/// The words that cannot be attributes of a class.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// The names that the annotations use; an attribute of the same name would shadow them.
const ANNOTATIONS: &[&str] = &[
    "Any",
    "NotRequired",
    "bool",
    "dict",
    "float",
    "int",
    "list",
    "str",
];

pub(super) fn generate(callables: &[Callable<'_>]) -> String {
    let mut module = Module {
        names: Names::default(),
        text: format!(
            "# {HEADER}\nfrom __future__ import annotations\n\nfrom typing import Any, NotRequired, TypeAlias, TypedDict\n"
        ),
    };
    let mut names = Names::default();
    for callable in callables {
        let name = names.unique(pascal(callable.name));
        module.text.push_str("\n\n");
        for line in comment_lines(callable.description) {
            module.text.push_str(format!("# {line}").trim_end());
            module.text.push('\n');
        }
        module.record(&format!("{name}Input"), &callable.signature.params);
        module.text.push_str("\n\n");
        module.output(&format!("{name}Output"), &callable.signature.output);
    }
    module.text
}

struct Module {
    /// The names of all classes and aliases.
    names: Names,
    text: String,
}

impl Module {
    fn output(&mut self, name: &str, of: &Type) {
        if let (TypeKind::Record(fields), false) = (&of.kind, of.optional)
            && !fields.is_empty()
        {
            self.record(name, fields);
            return;
        }
        let ty = self.ty(&format!("{name}Item"), of);
        let name = self.names.unique(name.to_owned());
        // An alias is evaluated at run time, so it follows the classes in it.
        self.text.push_str(&format!("{name}: TypeAlias = {ty}\n"));
    }

    /// Declares a class and, before it, those of its fields; returns its name.
    fn record(&mut self, name: &str, fields: &[Field]) -> String {
        let name = self.names.unique(name.to_owned());
        let fields: Vec<_> = distinct(fields)
            .into_iter()
            .map(|(field, of)| {
                let ty = self.ty(&format!("{name}{}", pascal(field)), of);
                match of.optional {
                    true => (field, format!("NotRequired[{ty}]")),
                    false => (field, ty),
                }
            })
            .collect();
        let declaration = match fields.iter().all(|(field, _)| is_attribute(field)) {
            true => class(&name, &fields),
            false => call(&name, &fields),
        };
        self.text.push_str(&declaration);
        name
    }

    /// The type as an annotation; declares a class called `name` for a record.
    fn ty(&mut self, name: &str, of: &Type) -> String {
        let text = match &of.kind {
            TypeKind::Primitive(primitive) => word(*primitive).to_owned(),
            TypeKind::Unknown => "Any".to_owned(),
            TypeKind::Record(fields) if fields.is_empty() => word(Primitive::Map).to_owned(),
            TypeKind::Record(fields) => {
                let name = self.record(name, fields);
                self.text.push_str("\n\n");
                name
            }
            TypeKind::List(element) => format!("list[{}]", self.ty(name, element)),
        };
        match of.optional {
            true => format!("{text} | None"),
            false => text,
        }
    }
}

fn class(name: &str, fields: &[(&str, String)]) -> String {
    let mut text = format!("class {name}(TypedDict):\n");
    if fields.is_empty() {
        text.push_str("    pass\n");
    }
    for (field, ty) in fields {
        text.push_str(&format!("    {field}: {ty}\n"));
    }
    text
}

/// The functional form, for keys that are not identifiers. Its types are evaluated, so they are quoted.
fn call(name: &str, fields: &[(&str, String)]) -> String {
    let fields = fields
        .iter()
        .map(|(field, ty)| format!("    \"{field}\": \"{ty}\",\n"));
    format!(
        "{name} = TypedDict(\"{name}\", {{\n{}}})\n",
        fields.collect::<String>()
    )
}

fn is_attribute(name: &str) -> bool {
    // Names that begin with two underscores are mangled in a class.
    !KEYWORDS.contains(&name)
        && !ANNOTATIONS.contains(&name)
        && !name.starts_with("__")
        && !name.contains('-')
}

fn word(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::String | Primitive::Keyword | Primitive::Datetime => "str",
        Primitive::Int => "int",
        Primitive::Float => "float",
        Primitive::Bool => "bool",
        Primitive::Map => "dict[str, Any]",
        Primitive::Any => "Any",
    }
}
