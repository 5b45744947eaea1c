//! Infers parameters from the placeholders of a prompt, with the types that their use implies.

use foldhash::HashMap;

use crate::model::{Edition, Field, Primitive, Signature, Type, TypeKind};
use signature_ls_source::{
    syntax::{
        kind::SyntaxNode,
        template::ast::{self, Path, Tag},
    },
    text::TextRange,
};

/// How deep an inferred type nests: far less than a signature may, and more than anyone writes.
const MAX_DEPTH: usize = 64;

/// The use of a name.
#[derive(Default)]
struct Shape {
    name: String,
    /// The number of names around it.
    depth: usize,
    /// Whether it is the name of a section.
    is_section: bool,
    /// Whether that section contains `{{.}}`.
    has_dot: bool,
    /// Whether that section contains its own name, which means the value itself and no field of it.
    is_own_condition: bool,
    fields: Vec<Shape>,
    /// The index of each field by its name in normal form.
    by_name: HashMap<String, usize>,
}

/// The name of an open section.
struct Open {
    path: Vec<String>,
    /// The names inside that begin like it, so that they are beside it or below it.
    uses: Vec<Vec<String>>,
}

impl Open {
    /// The number of names that `names` begins with like its path.
    fn common(&self, names: &[String], edition: Edition) -> usize {
        let pairs = self.path.iter().zip(names);
        pairs
            .take_while(|(one, other)| edition.is_same_name(one, other))
            .count()
    }
}

/// The names in `templates` that `signature` does not have, in normal form, with the types that their use implies:
/// `{{#items}}{{id}}{{/items}}` implies `items [{id :any}]`.
pub(crate) fn missing(
    templates: &[SyntaxNode],
    signature: &Signature,
    edition: Edition,
) -> Vec<(String, Type)> {
    let mut root = Shape::default();
    let params = signature.params.iter();
    let reader = Reader {
        edition,
        params: params
            .rev()
            .map(|it| (edition.normal_name(&it.name), it))
            .collect(),
    };
    for template in templates {
        reader.tags(ast::tags(template), &mut root, &mut Vec::new());
    }
    let missing = root.fields.iter().filter(|it| !reader.is_known(&it.name));
    missing.map(|it| (it.name.clone(), it.ty())).collect()
}

/// The undeclared fields that `templates` use in the record at `path`, which starts with a parameter of `signature`.
pub(crate) fn missing_fields(
    templates: &[SyntaxNode],
    signature: &Signature,
    path: &[&str],
    edition: Edition,
) -> Vec<(String, Type)> {
    let Some((param, path)) = path.split_first() else {
        return Vec::new();
    };
    let is_named = |name: &str, other: &str| edition.is_same_name(name, other);
    let params = signature.params.iter().cloned();
    let (own, others): (Vec<_>, Vec<_>) = params.partition(|it| is_named(&it.name, param));
    let without = Signature {
        params: others.into(),
        output: signature.output.clone(),
    };
    let asked = missing(templates, &without, edition).into_iter();
    let mut asked = asked.filter(|(name, _)| is_named(name, param));
    let Some((_, asked)) = asked.next() else {
        return Vec::new();
    };
    let field = |ty: &Type, name: &str| {
        let mut fields = fields(ty).iter();
        let field = fields.find(|it| is_named(&it.name, name));
        field.map(|it| it.ty.clone())
    };
    let at_path = |ty: Type| path.iter().try_fold(ty, |ty, name| field(&ty, name));
    let declared = own.into_iter().next().and_then(|it| at_path(it.ty));
    let declared = declared.as_ref().map_or(&[][..], fields);
    let is_missing = |it: &&Field| declared.iter().all(|own| !is_named(&own.name, &it.name));
    let asked = at_path(asked);
    let asked = asked.iter().flat_map(fields).filter(is_missing);
    asked.map(|it| (it.name.clone(), it.ty.clone())).collect()
}

/// The fields of a record, or of the records in a list.
fn fields(ty: &Type) -> &[Field] {
    match &ty.kind {
        TypeKind::Record(all) => all,
        TypeKind::List(element) => fields(element),
        TypeKind::Primitive(_) | TypeKind::Unknown => &[],
    }
}

struct Reader<'a> {
    edition: Edition,
    /// The parameters by their names in normal form.
    params: HashMap<String, &'a Field>,
}

impl<'a> Reader<'a> {
    fn tags(&self, tags: impl Iterator<Item = Tag>, scope: &mut Shape, open: &mut Vec<Open>) {
        for tag in tags {
            match tag {
                Tag::Placeholder(placeholder) => {
                    let Some(path) = placeholder.path() else {
                        continue;
                    };
                    match is_dot(&path) {
                        true => scope.has_dot = true,
                        false if self.is_of_section(&path, open) => {}
                        false => drop(self.enter(&path, scope)),
                    }
                }
                Tag::Section(section) => self.section(&section, scope, open),
                Tag::Stray(_) => {}
            }
        }
    }

    fn section(&self, section: &ast::Section, scope: &mut Shape, open: &mut Vec<Open>) {
        let Some(path) = section.path().filter(|it| !is_dot(it)) else {
            return self.tags(section.tags(), scope, open);
        };
        // A name in a section over a parameter is a field of it, unless the parameter is a condition.
        let param = path.segments().next().and_then(|it| self.param(it.text()));
        let is_known = param.is_some();
        if param.is_some_and(|it| !matches!(it.ty.kind, TypeKind::Primitive(Primitive::Bool))) {
            return;
        }
        let Some(inner) = self.enter(&path, scope) else {
            return;
        };
        inner.is_section = true;
        if section.is_inverted() || is_known {
            return self.tags(section.tags(), scope, open);
        }
        open.push(Open {
            path: names_of(&path),
            uses: Vec::new(),
        });
        self.tags(section.tags(), inner, open);
        let Some(closed) = open.pop() else {
            return;
        };
        for names in &closed.uses {
            let is_below = closed.common(names, self.edition) == closed.path.len();
            scope.at(names, self.edition);
            if let Some(own) = scope.at(&closed.path, self.edition) {
                own.is_own_condition |= is_below;
            }
        }
    }

    /// Whether `path` begins like an open section, which then notes it.
    fn is_of_section(&self, path: &Path, open: &mut [Open]) -> bool {
        let names = names_of(path);
        let with_common = open
            .iter_mut()
            .map(|it| (it.common(&names, self.edition), it));
        let closest = with_common.max_by_key(|(common, _)| *common);
        match closest.filter(|(common, _)| *common > 0 && !path.has_hole()) {
            Some((_, it)) => {
                it.uses.push(names);
                true
            }
            None => false,
        }
    }

    fn is_known(&self, name: &str) -> bool {
        self.param(name).is_some()
    }

    fn param(&self, name: &str) -> Option<&'a Field> {
        self.params.get(&self.edition.normal_name(name)).copied()
    }

    /// The shape at the end of `path`, created if needed; `None` if it would be too deep.
    fn enter<'s>(&self, path: &Path, scope: &'s mut Shape) -> Option<&'s mut Shape> {
        if path.has_hole() {
            return None;
        }
        let names = names_of(path);
        let is_declared = self.is_known(names.first()?);
        let is_inside = !scope.name.is_empty();
        if is_declared && is_inside {
            return None;
        }
        scope.at(&names, self.edition)
    }
}

impl Shape {
    /// The shape at `path`, created if needed; `None` if it would be too deep.
    fn at(&mut self, path: &[String], edition: Edition) -> Option<&mut Self> {
        path.iter()
            .try_fold(self, |scope, name| scope.field(name, edition))
    }

    fn field(&mut self, name: &str, edition: Edition) -> Option<&mut Self> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        let normal = edition.normal_name(name);
        let index = *{ self.by_name.entry(normal.clone()) }.or_insert(self.fields.len());
        if index == self.fields.len() {
            self.fields.push(Shape {
                name: normal,
                depth: self.depth + 1,
                ..Shape::default()
            });
        }
        Some(&mut self.fields[index])
    }

    fn ty(&self) -> Type {
        let fields = self.fields.iter().map(|it| Field {
            name: it.name.clone(),
            name_range: TextRange::default(),
            ty: it.ty(),
        });
        let record = || Type::new(TypeKind::Record(fields.collect()));
        let list = |element| Type::new(TypeKind::List(Box::new(element)));
        match (self.is_section, self.fields.is_empty()) {
            (true, true) if self.is_own_condition => Type {
                optional: true,
                ..Type::primitive(Primitive::Any)
            },
            (true, false) if self.is_own_condition => record(),
            (true, false) => list(record()),
            (true, true) if self.has_dot => list(Type::primitive(Primitive::Any)),
            (true, true) => Type::primitive(Primitive::Bool),
            (false, false) => record(),
            (false, true) => Type::primitive(Primitive::Any),
        }
    }
}

fn names_of(path: &Path) -> Vec<String> {
    path.segments().map(|it| it.text().to_owned()).collect()
}

fn is_dot(path: &Path) -> bool {
    path.segments().next().is_none() && !path.has_hole()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parse_signature;
    use signature_ls_source::syntax::{fragment::Fragment, template};

    /// What a name has below the deepest ones is not known.
    #[test]
    fn inferred_types_are_not_deep() {
        for prompt in [
            format!("{{{{q{}}}}}", ".a".repeat(100_000)),
            format!("{{{{#q{}}}}}{{{{b}}}}{{{{/}}}}", ".a".repeat(100_000)),
            format!("{}{}", "{{#a.b.c}}".repeat(200), "{{/a.b.c}}".repeat(200)),
        ] {
            let root = SyntaxNode::new_root(template::parse(Fragment::plain(&prompt)));
            let missing = missing(&[root], &Signature::unknown(), Edition::V0_11);
            let [(_, ty)] = &missing[..] else {
                panic!("{missing:?}");
            };
            let shown = ty.to_string();
            assert_eq!(shown.matches('{').count(), MAX_DEPTH - 1, "{shown}");
        }
    }

    #[test]
    fn types_are_those_that_the_use_shows() {
        for (prompt, signature, expected) in [
            ("{{a}} {{b}}", "(a :int) -> :int", "b :any"),
            (
                "{{#items}}{{id}}{{/items}}",
                "() -> :int",
                "items [{id :any}]",
            ),
            ("{{#tags}}{{.}}{{/tags}}", "() -> :int", "tags [:any]"),
            (
                "{{#urgent}}now{{/urgent}}{{^urgent}}{{x}}{{/urgent}}",
                "() -> :int",
                "urgent :bool, x :any",
            ),
            (
                "{{user.name}} {{user.address.city}}",
                "() -> :int",
                "user {name :any, address {city :any}}",
            ),
            (
                "{{#items}}{{id}}{{limit}}{{#tags}}{{name}}{{/tags}}{{/items}}",
                "(limit :int) -> :int",
                "items [{id :any, tags [{name :any}]}]",
            ),
            ("{{#note}}PS: {{note}}{{/note}}", "() -> :int", "note :any?"),
            (
                "{{#user.email}}Mail: {{user.email}}{{/user.email}}",
                "() -> :int",
                "user {email :any?}",
            ),
            (
                "{{#user}}{{user.name}}{{#tags}}{{user.age}}{{.}}{{/tags}}{{/user}}",
                "() -> :int",
                "user {tags [:any], name :any, age :any}",
            ),
            (
                "{{#customer.orders}}{{id}} of {{customer.name}}{{/customer.orders}}",
                "() -> :int",
                "customer {orders [{id :any}], name :any}",
            ),
            ("{{order-id}} {{order_id}}", "() -> :int", "order_id :any"),
            ("{{#items}}{{id}}{{/items}}", "(items [:map]) -> :int", ""),
            (
                "{{#a}}{{b}}{{/a}}{{#a}}{{c}}{{/a}}",
                "() -> :int",
                "a [{b :any, c :any}]",
            ),
        ] {
            let root = SyntaxNode::new_root(template::parse(Fragment::plain(prompt)));
            let signature = parse_signature(signature, Edition::V0_11)
                .0
                .expect("a signature");
            let missing = missing(&[root], &signature, Edition::V0_11);
            let shown: Vec<_> = missing
                .iter()
                .map(|(name, ty)| format!("{name} {ty}"))
                .collect();
            assert_eq!(shown.join(", "), expected, "{prompt}");
        }
    }
}
