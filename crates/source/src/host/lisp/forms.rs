//! The forms of a list, as the reader of the language sees them: without discarded ones.

use crate::{
    host::token_tree::{Element, Kind, Level},
    text::{TextRange, TextSize},
};

/// What is in a list.
#[derive(Debug, Clone, Copy)]
pub enum Item<'t> {
    /// A form.
    Form(Form<'t>),
    /// The metadata of the next form.
    Meta(Form<'t>),
}

impl Item<'_> {
    /// Where it begins.
    pub fn start(&self) -> TextSize {
        let (Self::Form(form) | Self::Meta(form)) = self;
        form.range.start()
    }

    /// Whether it reads like `other`, wherever they are.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Form(a), Self::Form(b)) | (Self::Meta(a), Self::Meta(b)) => {
                a.prefix == b.prefix
                    && a.range.len() == b.range.len()
                    && a.element.is_like(&b.element)
            }
            _ => false,
        }
    }
}

/// A form with its prefixes: quotes, tags, dereferences.
#[derive(Debug, Clone, Copy)]
pub struct Form<'t> {
    /// The form without its prefixes.
    pub element: Element<'t>,
    /// All of it.
    pub range: TextRange,
    /// The last prefix, `^` for metadata, empty without one.
    pub prefix: &'t str,
}

impl<'t> Form<'t> {
    /// Whether it has no prefix.
    pub fn is_bare(&self) -> bool {
        self.prefix.is_empty()
    }

    /// Whether it means what it is: no prefix, or only metadata, changes nothing.
    pub fn is_plain(&self) -> bool {
        self.is_bare() || self.prefix == "^"
    }

    /// Whether it evaluates to itself: a number, a string, a map and the like.
    pub fn is_literal(&self) -> bool {
        let is_constant = |name| matches!(name, "nil" | "true" | "false");
        match self.element.kind() {
            Kind::Symbol => self.as_symbol().is_some_and(is_constant),
            Kind::Parens => false,
            _ => self.is_bare(),
        }
    }

    /// The string, if it is one.
    pub fn as_string(&self) -> Option<Element<'t>> {
        (self.is_bare() && self.element.kind() == Kind::String).then_some(self.element)
    }

    /// The name, if it is one.
    pub fn as_symbol(&self) -> Option<&'t str> {
        (self.is_bare() && self.element.kind() == Kind::Symbol).then_some(self.element.text())
    }

    /// The keyword without its colon, if it is one. Keywords of the current namespace (`::a`) are different.
    pub fn as_keyword(&self) -> Option<&'t str> {
        if !self.is_bare() || self.element.kind() != Kind::Atom {
            return None;
        }
        let name = self.element.text().strip_prefix(':')?;
        (!name.starts_with(':')).then_some(name)
    }
}

/// Whether braces are those of a map.
pub fn is_map(element: &Element<'_>) -> bool {
    element.kind() == Kind::Braces && element.opening() == "{"
}

/// The forms of a list, without metadata.
#[derive(Clone)]
pub struct Forms<'t>(Items<'t>);

impl<'t> Forms<'t> {
    /// Those in `list`.
    pub fn of(list: &Element<'t>) -> Self {
        Self::new(list.elements())
    }

    /// Those among `elements`.
    pub fn new(elements: Level<'t>) -> Self {
        Self(Items::new(elements))
    }

    /// The top-level forms in `range`, which begins after one.
    pub fn in_range(root: &Element<'t>, range: TextRange) -> Self {
        Self::new(root.elements_in(range))
    }

    /// All forms in `list`.
    pub fn all(list: &Element<'t>) -> Vec<Form<'t>> {
        let mut forms = Vec::new();
        Self::of(list).for_each(|it| forms.push(it));
        forms
    }
}

impl<'t> Iterator for Forms<'t> {
    type Item = Form<'t>;

    // Many places step over few forms.
    #[inline(never)]
    fn next(&mut self) -> Option<Form<'t>> {
        loop {
            if let Item::Form(form) = self.0.next()? {
                return Some(form);
            }
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, Form<'t>) -> B>(self, init: B, mut each: F) -> B {
        self.0.fold(init, |result, item| match item {
            Item::Form(form) => each(result, form),
            Item::Meta(_) => result,
        })
    }
}

/// The forms of a list that is maybe not closed.
#[derive(Clone)]
pub struct Members<'t> {
    forms: Forms<'t>,
    is_cut: bool,
}

impl<'t> Members<'t> {
    /// Those of `list`; `is_last` if everything around it ends with it because it is not closed.
    pub fn of(list: &Element<'t>, is_last: bool) -> Self {
        Self {
            forms: Forms::of(list),
            is_cut: is_last && !list.is_closed(),
        }
    }
}

impl<'t> Iterator for Members<'t> {
    /// A form, and whether everything around it ends with it because it is not closed.
    type Item = (Form<'t>, bool);

    fn next(&mut self) -> Option<(Form<'t>, bool)> {
        let form = self.forms.next()?;
        let is_last = self.is_cut && self.forms.clone().next().is_none();
        Some((form, is_last))
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut each: F) -> B {
        if !self.is_cut {
            let forms = self.forms;
            return forms.fold(init, |result, form| each(result, (form, false)));
        }
        let mut result = init;
        for item in self {
            result = each(result, item);
        }
        result
    }
}

/// The items of a list.
#[derive(Clone)]
pub struct Items<'t> {
    elements: Level<'t>,
    prefixes: Prefixes<'t>,
}

/// What is known of the next item.
#[derive(Clone, Default)]
struct Prefixes<'t> {
    /// The starts of the forms that wait for their metadata, apart from discarded ones. There may be a million.
    described: Vec<TextSize>,
    /// The number of forms until the end of those that are discarded.
    discarded: usize,
    /// The prefixes of the form that continues after these.
    resumed: Begun<'t>,
    /// The prefixes of the next form.
    begun: Begun<'t>,
}

/// The prefixes of a form: the start of the first one, and the text of the last.
#[derive(Clone, Copy, Default)]
struct Begun<'t> {
    start: Option<TextSize>,
    prefix: &'t str,
}

impl<'t> Begun<'t> {
    fn new(start: TextSize, prefix: &'t str) -> Self {
        let start = Some(start);
        Self { start, prefix }
    }
}

impl<'t> Items<'t> {
    /// The items among `elements`.
    pub fn new(elements: Level<'t>) -> Self {
        Self {
            elements,
            prefixes: Prefixes::default(),
        }
    }

    /// Calls `each` with all items. Unlike other loops over them, it is compiled once.
    #[inline(never)]
    pub fn visit(self, each: &mut dyn FnMut(Item<'t>)) {
        self.for_each(each);
    }
}

impl<'t> Iterator for Items<'t> {
    type Item = Item<'t>;

    #[inline(never)]
    fn next(&mut self) -> Option<Item<'t>> {
        let prefixes = &mut self.prefixes;
        self.elements
            .find_map(|element| prefixes.read(None, element, &mut |_, item| Some(item)))
    }

    #[inline]
    fn fold<B, F: FnMut(B, Item<'t>) -> B>(self, init: B, mut each: F) -> B {
        let mut prefixes = self.prefixes;
        self.elements.fold(init, |result, element| {
            prefixes.read(result, element, &mut each)
        })
    }
}

impl<'t> Prefixes<'t> {
    /// Calls `each` with `result` and the item that `element` is, or ends after some prefixes, if there is one.
    #[inline]
    fn read<B>(
        &mut self,
        result: B,
        element: Element<'t>,
        each: &mut impl FnMut(B, Item<'t>) -> B,
    ) -> B {
        if is_blank(element.kind()) {
            return result;
        }
        if is_prefix(element.kind()) {
            self.add(element.text(), element.range.start());
            return result;
        }
        if self.begun.start.is_some() || self.discarded > 0 || !self.described.is_empty() {
            return match self.prefixed(element) {
                Some(item) => each(result, item),
                None => result,
            };
        }
        let form = Form {
            element,
            range: element.range,
            prefix: "",
        };
        each(result, Item::Form(form))
    }

    #[cold]
    fn add(&mut self, prefix: &'t str, start: TextSize) {
        let begun = std::mem::take(&mut self.begun);
        let start = begun.start.unwrap_or(start);
        match prefix {
            "#_" => {
                if self.discarded == 0 {
                    self.resumed = begun;
                }
                self.discarded += 1;
            }
            // Metadata is a form before the one that it describes.
            "^" | "#^" if self.discarded > 0 => self.discarded += 1,
            "^" | "#^" => self.described.push(start),
            prefix => self.begun = Begun::new(start, prefix),
        }
    }

    #[cold]
    fn prefixed(&mut self, element: Element<'t>) -> Option<Item<'t>> {
        let Begun { start, prefix } = std::mem::take(&mut self.begun);
        if self.discarded > 0 {
            self.discarded -= 1;
            if self.discarded == 0 {
                self.begun = self.resumed;
            }
            return None;
        }
        let start = start.unwrap_or(element.range.start());
        let form = Form {
            element,
            range: TextRange::new(start, element.range.end()),
            prefix,
        };
        let Some(start) = self.described.pop() else {
            return Some(Item::Form(form));
        };
        self.begun = Begun::new(start, "^");
        Some(Item::Meta(form))
    }
}

/// Whether a token of this kind has no meaning: white space, a bracket, a comma.
pub fn is_blank(kind: Kind) -> bool {
    kind.is_trivia()
        || matches!(
            kind,
            Kind::Comma
                | Kind::LParen
                | Kind::LBracket
                | Kind::LBrace
                | Kind::RParen
                | Kind::RBracket
                | Kind::RBrace
        )
}

/// Whether a token of this kind is a prefix of the form after it.
pub fn is_prefix(kind: Kind) -> bool {
    matches!(kind, Kind::Operator | Kind::Unknown)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::host::{
        lisp::{Lisp, root},
        token_tree,
    };

    /// What single steps return, and what a loop sees.
    fn both_ways<T: std::fmt::Debug>(items: impl Iterator<Item = T> + Clone) -> (String, String) {
        let (mut steps, mut looped) = (Vec::new(), Vec::new());
        for item in items.clone() {
            steps.push(item);
        }
        items.for_each(|it| looped.push(it));
        (format!("{steps:?}"), format!("{looped:?}"))
    }

    proptest! {
        #[test]
        fn loops_see_what_single_steps_return(
            text in r#"([(){}\[\]]|\^|#_|'|[ab] |:a|"[^"]"|;a\n|\n){0,40}"#,
            times in 1..60_usize,
            (start, len) in (0..200_u32, 0..400_u32),
        ) {
            let tree = token_tree::parse::<Lisp>(&text.repeat(times));
            let root = root(&tree);
            let part = TextRange::at(start.into(), len.into());
            let (steps, looped) = both_ways(root.elements_in(part));
            prop_assert_eq!(steps, looped);
            let mut left = vec![root];
            while let Some(list) = left.pop() {
                let (steps, looped) = both_ways(list.elements());
                prop_assert_eq!(steps, looped);
                let (steps, looped) = both_ways(Items::new(list.elements()));
                prop_assert_eq!(steps, looped);
                for is_last in [false, true] {
                    let (steps, looped) = both_ways(Members::of(&list, is_last));
                    prop_assert_eq!(steps, looped);
                }
                left.extend(list.elements().filter(|it| it.kind().is_group()));
            }
        }
    }
}
