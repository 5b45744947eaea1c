//! Finds the units of maps: agents, signatures, prompts and tools.

use std::{borrow::Cow, sync::Arc};

use crate::{
    host::{
        KeyRole, Notation, PlacedUnit, UnitKind, evidence,
        lisp::{
            forms::{Form, Forms, Item, Items, is_map},
            waiting::Left,
        },
        object::{self, Place},
        token_tree::{Element, Kind},
        tool_names::{self, Named},
    },
    text::TextRange,
};

use super::{
    Finder, binds_names,
    pairs::{Pair, Pairs, entry, literal, name_of, text_of},
};

impl<'t> Finder<'t, '_> {
    pub(super) fn map(&mut self, left: &Left<'t>) {
        let map = left.form.element;
        let may_be_unit = self.visit_entries_later(&map, &left.place, left.scope);
        if left.place == Place::Tools {
            self.tools(&map);
        } else if may_be_unit && let Some(mut unit) = self.object(map.range, &map, &left.place) {
            if left.is_argument {
                Arc::make_mut(&mut unit.unit).kind = UnitKind::ToolCall;
            }
            self.units.push(unit);
            let scope = &mut self.scopes[left.scope];
            if scope.range == left.form.range && map.range == left.form.range {
                scope.unit = Some(self.units.len() - 1);
            }
        }
    }

    /// Visits what is in a map later; returns whether a literal in it is a signature or a prompt if its text is one.
    pub(super) fn visit_entries_later(
        &mut self,
        map: &Element<'t>,
        place: &Place,
        scope: usize,
    ) -> bool {
        let mut may_be_unit = false;
        let mut key = None;
        Items::new(map.elements()).visit(&mut |item| match (item, key) {
            (Item::Meta(meta), _) => self.visit_later(meta, Place::Free, scope),
            (Item::Form(form), None) => {
                self.visit_later(form, Place::Free, scope);
                key = Some(form);
            }
            (Item::Form(value), Some(of)) => {
                may_be_unit |= self.visit_value_later(&of, value, place, scope);
                key = None;
            }
        });
        may_be_unit
    }

    /// The same for the value of a key.
    fn visit_value_later(
        &mut self,
        key: &Form<'t>,
        value: Form<'t>,
        place: &Place,
        scope: usize,
    ) -> bool {
        let word = key.as_keyword();
        if word.is_some_and(binds_names) {
            for name in Forms::all(&value.element) {
                self.local(&name, scope, true);
            }
        } else if value.element.kind().is_group() || value.element.kind() == Kind::Symbol {
            let is_tool = *place == Place::Tools;
            let name = is_tool.then(|| name_of(key)).flatten();
            let name = name.as_deref().or(word);
            let place = name.map_or(Place::Free, |it| place.under(it, self.roles));
            self.visit_later(value, place, scope);
        }
        let role = word.and_then(|it| self.roles.of_key(it));
        let is_read = matches!(role, Some(KeyRole::Signature | KeyRole::Prompt));
        is_read && value.as_string().is_some()
    }

    /// The unit of a map at `range`.
    pub(super) fn object(
        &self,
        range: TextRange,
        map: &Element<'t>,
        place: &Place,
    ) -> Option<PlacedUnit> {
        let (mut entries, mut strings) = (Vec::new(), Vec::new());
        let mut name = None;
        Pairs::of(map).for_each(|pair| {
            let Some(entry) = entry(&pair) else {
                return;
            };
            if name.is_none() && self.roles.of_key(entry.key) == Some(KeyRole::Name) {
                name = Some(pair.value);
            }
            entries.push(entry);
            strings.push(pair.value.and_then(|it| it.as_string()));
        });
        let text_of = |index: usize| Some(Cow::Owned(text_of(strings.get(index)?.as_ref()?)));
        let evidence = object::judge(&mut entries, place, self.roles, text_of);
        let name = name.flatten().as_ref().and_then(name_of);
        object::object_unit(
            range,
            entries,
            object::Owner::of_object(place, name.as_deref()),
            Notation::Lisp,
            self.roles,
            evidence,
        )
    }

    /// The facts about the names in a map of tools.
    fn names_in_map(&self, tools: &Element<'t>) -> Vec<PlacedUnit> {
        let named = Pairs::of(tools).filter_map(|pair| {
            let value = pair.value?;
            let is_signed = match value.as_string() {
                Some(string) => evidence::of_signature_beside(&text_of(&string)).is_some(),
                None => self.is_signed(&value),
            };
            Some(Named {
                name: name_of(&pair.key)?,
                range: pair.key.range,
                is_signed,
            })
        });
        tool_names::units(named.collect(), Notation::Lisp)
    }

    /// The facts about the names in a list of tools.
    pub(super) fn names_in_list(&self, tools: &[Form<'t>]) -> Vec<PlacedUnit> {
        let named = tools
            .iter()
            .filter(|it| is_map(&it.element))
            .filter_map(|tool| {
                let is_name = |pair: &Pair| {
                    let role = pair.key.as_keyword().and_then(|key| self.roles.of_key(key));
                    role == Some(KeyRole::Name)
                };
                let name = Pairs::of(&tool.element).find(is_name)?.value?;
                Some(Named {
                    name: name_of(&name)?,
                    range: name.range,
                    is_signed: self.is_signed(tool),
                })
            });
        tool_names::units(named.collect(), Notation::Lisp)
    }

    /// Whether `form` is a map with a signature.
    fn is_signed(&self, form: &Form<'t>) -> bool {
        is_map(&form.element) && Pairs::of(&form.element).any(|pair| self.is_signature(&pair))
    }

    fn tools(&mut self, map: &Element<'t>) {
        self.units.extend(self.names_in_map(map));
        for pair in Pairs::of(map) {
            let Some(string) = pair.value.and_then(|value| value.as_string()) else {
                continue;
            };
            let Some(name) = name_of(&pair.key) else {
                continue;
            };
            let range = pair.key.range.cover(string.range);
            let unit = evidence::of_signature_beside(&text_of(&string)).map(|evidence| {
                object::tool_unit(range, &name, &literal(&string), Notation::Lisp, evidence)
            });
            self.units.extend(unit);
        }
    }

    fn is_signature(&self, pair: &Pair<'t>) -> bool {
        let key = pair.key.as_keyword().and_then(|key| self.roles.of_key(key));
        let string = pair.value.and_then(|value| value.as_string());
        let is_ours = string.is_some_and(|string| {
            self.is_added(pair) || evidence::of_signature_beside(&text_of(&string)).is_some()
        });
        key == Some(KeyRole::Signature) && is_ours
    }

    fn is_added(&self, pair: &Pair<'t>) -> bool {
        pair.key
            .as_keyword()
            .is_some_and(|key| self.roles.is_added_key(key))
    }
}
