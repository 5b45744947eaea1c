//! Prompt files: front matter with a signature, and a body that is the prompt.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::{
    host::{
        Notation, PlacedUnit, Role, Site, Unit, UnitChange, UnitKind,
        evidence::{self, Evidence},
        front_matter::{self, FrontMatter},
        markdown::Programs,
        object::{self, Owner, Place},
        roles::{KeyRole, Roles, misspelled},
        units::Units,
        yaml::{self, Anchors, NodeKind},
    },
    order,
    rare::Rare,
    syntax::fragment::Escapes,
    text::{Text, TextEdit, TextRange, TextSize},
};

/// A prompt file, updated from edit to edit.
#[derive(Debug, Clone)]
pub struct PromptFile {
    front_matter: Option<FrontMatter>,
    /// The file's unit without its body.
    head: Unit,
    /// The programs in the body, if there may be some.
    programs: Option<Programs>,
}

impl PromptFile {
    /// Parses a file that is a prompt because of its name; `whole` returns `text` in one piece. Without front matter, all
    /// of it is the prompt. Of a text that is not edited, the programs are only kept in its unit.
    pub fn parse<'t>(
        text: &Text,
        whole: &dyn Fn() -> Cow<'t, str>,
        roles: &Roles,
        is_edited: bool,
    ) -> (Self, Vec<PlacedUnit>) {
        let front_matter = front_matter::find(text)
            .filter(|found| found.is_closed() || begins_with_key(text, found));
        let mut head =
            front_matter.map_or_else(Head::default, |found| Head::read(text, &found, roles));
        // Other tools have files with this name too.
        if head.is_signed {
            head.unit.evidence = Evidence::Certain;
            if front_matter.is_some_and(|found| !found.is_closed()) {
                head.unit.kind = UnitKind::OpenFrontMatter;
            }
        }
        Self::new(text, &whole(), front_matter, head, (roles, is_edited))
    }

    /// The same for a file that is a prompt only if its front matter has a signature.
    pub fn parse_if_signed<'t>(
        text: &Text,
        whole: &dyn Fn() -> Cow<'t, str>,
        roles: &Roles,
        is_edited: bool,
    ) -> Option<(Self, Vec<PlacedUnit>)> {
        let front_matter = front_matter::find(text).filter(FrontMatter::is_closed)?;
        let head = Head::read(text, &front_matter, roles);
        (head.evidence >= Some(Evidence::Likely))
            .then(|| Self::new(text, &whole(), Some(front_matter), head, (roles, is_edited)))
    }

    fn new(
        text: &Text,
        whole: &str,
        front_matter: Option<FrontMatter>,
        head: Head,
        (roles, is_edited): (&Roles, bool),
    ) -> (Self, Vec<PlacedUnit>) {
        let mut file = Self {
            front_matter,
            head: head.unit,
            programs: None,
        };
        let body = file.body(text);
        let (prompt, start) = (&whole[body], body.start());
        let unit = match (Programs::may_be_in(prompt), is_edited) {
            (true, false) => file.unit(text, &mut |unit| {
                let mut programs = Programs::units_in(prompt, start, roles);
                unit.add_programs(&mut programs);
            }),
            (has_programs, _) => {
                file.programs = has_programs.then(|| Programs::read(prompt, start, roles));
                file.unit_with_programs(text)
            }
        };
        let mut units = vec![unit];
        units.extend(head.nested);
        (file, units)
    }

    /// The YAML of the front matter, if `offset` is in it.
    pub fn yaml_around(&self, offset: TextSize) -> Option<TextRange> {
        let found = self.front_matter.as_ref()?;
        found.yaml.contains_inclusive(offset).then_some(found.yaml)
    }

    /// Applies an edit of the body; `None` if the front matter has to be parsed again.
    pub fn edit_body(
        &mut self,
        text: &Text,
        edit: &TextEdit,
        units: &mut Units,
        roles: &Roles,
    ) -> Option<UnitChange> {
        let in_body = match &self.front_matter {
            Some(found) => found.sealed && found.body_start <= edit.range.start(),
            None => !front_matter::opens(text),
        };
        if !in_body {
            return None;
        }
        let body = self.body(text);
        match &mut self.programs {
            Some(programs) => programs.edit(text, edit, roles),
            None if Programs::may_begin_in(text, body, edit.inserted_range()) => {
                let prompt = text.slice(body);
                self.programs = Some(Programs::read(&prompt, body.start(), roles));
            }
            None => {}
        }
        let unit = self.unit_with_programs(text);
        Some(units.replace(0..1, vec![unit], edit))
    }

    /// The unit of front matter and body, with the programs that are kept.
    fn unit_with_programs(&self, text: &Text) -> PlacedUnit {
        let programs = self.programs.as_ref().map_or(&[][..], Programs::units);
        self.unit(text, &mut |unit| unit.share_programs(programs))
    }

    /// The place of the body.
    fn body(&self, text: &Text) -> TextRange {
        let start = self
            .front_matter
            .map_or(TextSize::from(0), |found| found.body_start);
        TextRange::new(start.min(text.len()), text.len())
    }

    /// The unit of front matter and body; `add_programs` adds those in it.
    fn unit(&self, text: &Text, add_programs: &mut dyn FnMut(&mut Unit)) -> PlacedUnit {
        let mut unit = self.head.clone();
        unit.len = text.len();
        let body = self.body(text);
        if !is_blank(text, body) {
            let name = unit.sites.first().and_then(|site| site.name.clone());
            unit.sites.push(Site {
                role: Role::Prompt,
                name,
                literal: body,
                content: body,
                escapes: Escapes::None,
                foreign: Rare::default(),
            });
            add_programs(&mut unit);
        }
        PlacedUnit::new(TextSize::from(0), unit)
    }
}

/// The contents of front matter.
#[derive(Default)]
struct Head {
    unit: Unit,
    /// The units of its tools and other nested mappings.
    nested: Vec<PlacedUnit>,
    /// Whether it has a signature.
    is_signed: bool,
    /// The evidence of its signature, if there is one.
    evidence: Option<Evidence>,
}

impl Head {
    fn read(text: &Text, front_matter: &FrontMatter, roles: &Roles) -> Self {
        let roles = roles.of(Notation::Yaml);
        let yaml_start = front_matter.yaml.start();
        let yaml_text = text.slice(front_matter.yaml);
        let mut head = Self::default();
        let whole = TextRange::up_to(front_matter.yaml.len());
        let roots = yaml::read_meaning(&yaml_text, roles);
        let mut anchors = Anchors::default();
        anchors.add(&roots, &yaml_text, TextSize::default());
        for mut root in roots {
            let NodeKind::Mapping(entries) = &mut root.kind else {
                continue;
            };
            yaml::read_signatures(&yaml_text, entries);
            let held = yaml::meaning(&yaml_text, entries, roles);
            let owner = Owner {
                is_tool: false,
                name: yaml::name(&yaml_text, &held, roles),
            };
            let text_of = yaml::text_of(&yaml_text, &held);
            let as_object = yaml::entries(&yaml_text, &held, &anchors);
            for (index, entry) in as_object.into_iter().enumerate() {
                let is_meant = misspelled(entry.key) == Some("signature")
                    && text_of(index)
                        .is_some_and(|it| evidence::of_signature(&it) == Some(Evidence::Likely));
                head.is_signed |= is_meant;
                if roles.of_key(entry.key) == Some(KeyRole::Signature) {
                    head.is_signed = true;
                    let text = text_of(index).unwrap_or_default();
                    let role = KeyRole::Signature;
                    let evidence = object::evidence_in(role, entry.key, &text, roles);
                    head.evidence = head.evidence.max(evidence);
                }
                object::add_entry(&mut head.unit, whole, entry, owner, roles);
            }
            for entry in entries.iter() {
                let place = Place::Free.under(entry.key(&yaml_text), roles);
                let nested = yaml::units_of(&yaml_text, &entry.value, &place, &anchors, roles);
                head.nested.extend(nested);
            }
        }
        order::by_start(&mut head.nested, |unit| unit.start);
        head.move_by(yaml_start);
        head
    }

    /// Moves everything from the start of the YAML text to its place in the file.
    fn move_by(&mut self, offset: TextSize) {
        self.unit.begin_earlier(offset);
        for unit in &mut self.nested {
            unit.start += offset;
        }
    }
}

/// Whether unclosed front matter looks like one: its first line is `key: …`.
fn begins_with_key(text: &Text, front_matter: &FrontMatter) -> bool {
    let yaml = text.slice(front_matter.yaml);
    let first_line = yaml.lines().next().unwrap_or_default();
    first_line.split_once(':').is_some_and(|(key, _)| {
        !key.is_empty()
            && key
                .chars()
                .all(|c| c.is_alphanumeric() || c == '_' || c == '-')
    })
}

fn is_blank(text: &Text, range: TextRange) -> bool {
    let rope = text.rope();
    let range = std::ops::Range::<usize>::from(range);
    let mut chars = rope.byte_slice(range).chars();
    chars.all(char::is_whitespace)
}
