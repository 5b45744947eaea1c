//! The units of what was found.

use foldhash::HashSet;

use super::{
    super::{
        found::Found,
        links::{self, Reference, Use, is_checked},
        literal::{is_library_sigil, literal, text_of},
        program,
        tools::Tool,
    },
    Finder,
};
use crate::{
    host::{
        Extras, Notation, Role, Unit, UnitKind, Unread,
        evidence::{self, Evidence},
        object::{self, Literal, Owner},
        token_tree::Element,
    },
    rare::Rare,
    syntax::{
        fragment::Escapes,
        room::{Taken, make_room},
    },
    text::{TextRange, TextSize},
};

impl<'t, 'r: 't> Finder<'t, 'r> {
    /// Creates the unit at `range` of a list that describes `owner`.
    pub(super) fn finish(&mut self, mut found: Found<'t>, range: TextRange, owner: Owner<'_>) {
        if found.says_nothing() {
            return;
        }
        self.alone(&found);
        let mut unit = Unit {
            len: range.len(),
            kind: match found.makes_tool {
                true => UnitKind::Tool,
                false => UnitKind::default(),
            },
            notation: Notation::Elixir,
            is_meant_to_fail: self.failing.contains(range.end()),
            ..Unit::default()
        };
        let references = found.names.iter().map(|&(wanted, binder, name)| Reference {
            wanted: wanted.of(owner),
            binder,
            name: name.to_owned(),
        });
        let references: Box<[_]> = references.collect();
        // A prelude defines the meaning of names in namespaces.
        let has_prelude = found.entries.iter().any(|it| it.entry.key == "prelude");
        let program = found.program.filter(|_| !has_prelude);
        let start = range.start();
        if let Some(unread) = found.unread {
            unit.extras.make_mut().unread = Some(Unread {
                range: unread.range - start,
                ..unread
            });
        }
        let takes_tools = found.takes_tools;
        let flows = std::mem::take(&mut found.flows);
        let assumed = found.is_assumed.then(|| found.evidence_of_texts());
        let tools = found.tools.take();
        let judged = found.judge(self.reading.roles);
        unit.evidence = judged.evidence;
        for (role, string) in &judged.strings {
            unit.sites
                .push(object::site(range, string, *role, owner.name));
        }
        let entries = judged.entries.len();
        for (index, entry) in Taken::all(judged.entries).enumerate() {
            make_room(&mut unit.sites, index, entries);
            make_room(&mut unit.arguments, index, entries);
            object::add_entry(&mut unit, range, entry, owner, self.reading.roles);
        }
        let relative = |mut tool: Tool| {
            tool.map_ranges(&|range| range - start);
            tool
        };
        let is_certain = unit.evidence == Evidence::Certain;
        let tools = tools.filter(|_| takes_tools || !is_certain && !unit.sites.is_empty());
        unit.tools = tools.map(|it| it.into_iter().map(relative).collect());
        links::sign_agent_itself(&mut unit);
        let read =
            program.and_then(|it| Some((it, program::read(&it, start, self.reading.roles)?)));
        if let Some((string, (program, signatures))) = read {
            unit.program = program.into();
            for place in signatures {
                self.in_program(&string, place);
            }
        }
        if let Some(read) = assumed {
            let calls_by_name = unit.program.calls_by_name();
            unit.evidence = if calls_by_name {
                Evidence::Likely
            } else {
                read
            };
            let is_open = unit.kind == UnitKind::Arguments && unit.evidence < Evidence::Certain;
            if is_open && takes_tools && unit.tools.is_some() {
                unit.kind = UnitKind::AssumedArguments;
            }
        }
        let has_names = unit.tools.iter().flatten().any(Tool::has_names);
        if !references.is_empty() || has_names || !flows.is_empty() {
            unit.is_linked = true;
            let unit = self.shared(unit);
            self.parts.push_use(Use {
                start,
                unit,
                references,
                flows: flows.rebased(start),
            });
            return;
        }
        let is_tool = owner.is_tool && is_certain;
        if is_checked(&unit) || (is_tool && !unit.sites.is_empty()) {
            self.add_unit(start, unit);
        }
    }

    /// Creates units of the signatures that do not belong to the prompt beside them.
    fn alone(&mut self, found: &Found<'t>) {
        for string in &found.alone {
            let evidence = match found.is_ours && !found.is_assumed {
                true => Some(Evidence::Certain),
                false => evidence::of_signature(&text_of(string)),
            };
            let Some(evidence) = evidence else {
                continue;
            };
            let unit = Unit {
                evidence,
                is_meant_to_fail: self.failing.contains(string.range.end()),
                ..unit_of_literal(&literal(string), Role::Signature)
            };
            self.add_unit(string.range.start(), unit);
        }
    }

    /// Creates the unit of the signature at `place` of the program in `string`.
    fn in_program(&mut self, string: &Element<'t>, place: TextRange) {
        let text = string.full_text();
        let Some(evidence) = evidence::of_signature(&text[place - string.range.start()]) else {
            return;
        };
        let literal = Literal {
            literal: place,
            content: place,
            escapes: Escapes::None,
            foreign: Rare::default(),
        };
        let unit = Unit {
            evidence,
            is_meant_to_fail: self.failing.contains(string.range.end()),
            // The program has its names, too.
            extras: Rare::from(Extras {
                unread: Some(Unread {
                    range: TextRange::up_to(place.len()),
                    is_program: true,
                }),
                ..Extras::default()
            }),
            ..unit_of_literal(&literal, Role::Signature)
        };
        self.add_unit(place.start(), unit);
    }

    /// Creates units of the templates that belong to no other unit.
    pub(super) fn templates_alone(&mut self) {
        let mut templates = std::mem::take(&mut self.templates);
        if templates.is_empty() {
            return;
        }
        let sites = |(start, unit): (TextSize, &'_ Unit)| {
            let literals = unit.sites.iter().map(|it| it.literal + start);
            literals.collect::<Vec<_>>()
        };
        let known: HashSet<_> = self.parts.all_units().flat_map(sites).collect();
        templates.retain(|it| !known.contains(&it.range));
        self.parts.units.reserve_exact(templates.len());
        for template in templates {
            let mut unit = unit_of_literal(&literal(&template), Role::Prompt);
            if is_library_sigil(&template) {
                unit.evidence = Evidence::Certain;
            }
            unit.is_meant_to_fail = self.failing.contains(template.range.end());
            self.add_unit(template.range.start(), unit);
        }
    }
}

/// The unit that is a literal alone.
fn unit_of_literal(literal: &Literal, role: Role) -> Unit {
    Unit {
        len: literal.literal.len(),
        sites: vec![object::site(literal.literal, literal, role, None)],
        notation: Notation::Elixir,
        ..Unit::default()
    }
}
