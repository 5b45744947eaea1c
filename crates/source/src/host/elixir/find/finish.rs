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
        let start = range.start();
        let names = found.names.iter();
        let references = names.map(|&(wanted, binder, name)| Reference {
            wanted: wanted.of(owner),
            binder,
            name: name.to_owned(),
        });
        let references: Box<[_]> = references.collect();
        let flows = std::mem::take(&mut found.flows);
        let assumed = found.is_assumed.then(|| found.evidence_of_texts());
        let takes_tools = found.takes_tools;
        let mut unit = self.unit_of(found, range, owner);
        let is_tool = owner.is_tool && unit.evidence == Evidence::Certain;
        if let Some(evidence) = assumed {
            assume(&mut unit, evidence, takes_tools);
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
        if is_checked(&unit) || (is_tool && !unit.sites.is_empty()) {
            self.add_unit(start, unit);
        }
    }

    /// The unit at `range` of a list that describes `owner`, before its names are looked up.
    fn unit_of(&mut self, mut found: Found<'t>, range: TextRange, owner: Owner<'_>) -> Unit {
        let start = range.start();
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
        if let Some(unread) = found.unread {
            unit.extras.make_mut().unread = Some(Unread {
                range: unread.range - start,
                ..unread
            });
        }
        // A prelude defines the meaning of names in namespaces.
        let has_prelude = found.entries.iter().any(|it| it.entry.key == "prelude");
        let program = found.program.filter(|_| !has_prelude);
        let takes_tools = found.takes_tools;
        let tools = found.tools.take();
        self.add_texts(found, &mut unit, range, owner);
        let is_certain = unit.evidence == Evidence::Certain;
        let tools = tools.filter(|_| takes_tools || !is_certain && !unit.sites.is_empty());
        let relative = |mut tool: Tool| {
            tool.map_ranges(&|range| range - start);
            tool
        };
        unit.tools = tools.map(|it| it.into_iter().map(relative).collect());
        links::sign_agent_itself(&mut unit);
        if let Some(string) = program {
            self.add_program(&string, &mut unit, start);
        }
        unit
    }

    /// Adds the literals and arguments in a list that describes `owner` to its `unit` at `range`.
    fn add_texts(&self, found: Found<'t>, unit: &mut Unit, range: TextRange, owner: Owner<'_>) {
        let roles = self.reading.roles;
        let judged = found.judge(roles);
        unit.evidence = judged.evidence;
        for (role, string) in &judged.strings {
            unit.sites
                .push(object::site(range, string, *role, owner.name));
        }
        let entries = judged.entries.len();
        for (index, entry) in Taken::all(judged.entries).enumerate() {
            make_room(&mut unit.sites, index, entries);
            make_room(&mut unit.arguments, index, entries);
            object::add_entry(unit, range, entry, owner, roles);
        }
    }

    /// Adds the program in `string` to its `unit`, which begins at `start`, and creates units of the signatures in it.
    fn add_program(&mut self, string: &Element<'t>, unit: &mut Unit, start: TextSize) {
        let Some((program, signatures)) = program::read(string, start, self.reading.roles) else {
            return;
        };
        unit.program = program.into();
        for place in signatures {
            self.in_program(string, place);
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

/// Makes `unit` one of a call that may be another library's; its texts are `evidence`.
fn assume(unit: &mut Unit, evidence: Evidence, takes_tools: bool) {
    unit.evidence = match unit.program.calls_by_name() {
        true => Evidence::Likely,
        false => evidence,
    };
    let is_open = unit.kind == UnitKind::Arguments && unit.evidence < Evidence::Certain;
    if is_open && takes_tools && unit.tools.is_some() {
        unit.kind = UnitKind::AssumedArguments;
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
