//! Missing entries of a map and of the maps in it: one diagnostic, and its fix.

mod entries;

use foldhash::{HashMap, HashSet};

pub(super) use entries::Style;
use entries::{insertion, separator};

use super::values::name_range;
use crate::{
    contract::{Direction, Entry, Finding, MOST_MISSING, Path, Segment, Value, ValueKind},
    ide::{Diagnostic, Fix, Rule, unit::UnitView},
    model::{Field, Fields, Primitive, Type, TypeKind, spelling::nearest},
};
use signature_ls_source::{
    host::Notation,
    order,
    text::{TextEdit, TextRange, TextSize},
};

/// A validated value and its notation.
pub(super) struct Checked<'a> {
    pub(super) unit: &'a UnitView<'a>,
    pub(super) value: &'a Value,
    /// What the ranges of the value count from, in bytes from the unit's start; those of findings count from there.
    pub(super) start: TextSize,
    /// The expected type.
    pub(super) ty: &'a Type,
    pub(super) notation: Notation,
}

/// A key that is probably meant to be a missing one.
pub(super) struct Misspelling<'a> {
    written: &'a str,
    /// Its place, without its colon.
    pub(super) key: TextRange,
    /// The field that is missing.
    field: &'a Field,
    /// The fix that corrects it.
    pub(super) fix: Fix,
}

impl Misspelling<'_> {
    /// The end of the message.
    pub(super) fn question(&self) -> String {
        format!(
            "did you write `{}` for `{}`?",
            self.written, self.field.name
        )
    }
}

/// Removes what is said from the diagnostic `first` on about keys that are said to be misspelled: one mistake.
pub(super) fn join_misspelled(found: &mut Vec<Diagnostic>, first: usize) {
    let is_missing = |it: &&Diagnostic| it.rule.code.starts_with("missing-");
    let missing = found[first..].iter().filter(is_missing);
    let edits = missing.filter_map(|it| it.fixes.first()?.edits.first());
    let keys = edits.map(|it| it.range).filter(|it| !it.is_empty());
    let keys: Vec<_> = keys.collect();
    let is_said = |it: &Diagnostic| {
        it.rule.code.starts_with("unknown-") && keys.iter().any(|key| it.range.contains_range(*key))
    };
    let mut others = found.split_off(first);
    others.retain(|it| !is_said(it));
    found.append(&mut others);
}

impl Checked<'_> {
    /// The diagnostics of `rule` about missing entries. A map and the maps in it share one.
    pub(super) fn missing<'f>(
        &self,
        rule: &'static Rule,
        findings: impl Iterator<Item = &'f Finding>,
    ) -> Vec<Diagnostic> {
        // A signature may have two fields of one name.
        let mut seen = HashSet::default();
        let missing = findings.filter(|it| it.is_missing() && seen.insert(&*it.path.0));
        let missing: Vec<_> = missing.collect();
        let maps = by_outermost_map(&missing);
        maps.iter().map(|it| self.of_maps(rule, it)).collect()
    }

    /// The diagnostic about the missing entries of a map and the maps in it.
    fn of_maps(&self, rule: &'static Rule, findings: &[&Finding]) -> Diagnostic {
        let outermost = findings.iter().min_by_key(|it| it.path.0.len());
        let range = outermost.map_or(TextRange::default(), |it| it.range);
        let first = findings.iter().take(MOST_NAMES);
        let first: Vec<_> = first.map(|it| format!("`{}`", it.path)).collect();
        let count = findings.iter().map(|it| it.missing_fields()).sum();
        let names = listed_first(&first, count);
        let are = if count == 1 { "is" } else { "are" };
        let what = format!("{names} {are} missing");
        let misspelled = self.misspelling(findings);
        let entry = self.only_entry(findings);
        let short = entry.as_ref().filter(|it| it.len() <= LONGEST_SHOWN);
        let message = match (&misspelled, short) {
            (Some(it), _) => format!("{what}; {}", it.question()),
            (None, Some(entry)) => format!("{what}; add `{entry}`."),
            (None, None) if entry.is_some() => format!("{what}; add it."),
            (None, None) => format!("{what}; add them."),
        };
        let mut diagnostic = Diagnostic {
            faults: count,
            ..Diagnostic::new(rule, range, message)
        };
        diagnostic.fixes.extend(misspelled.map(|it| it.fix));
        match self.insertions(findings) {
            Some(edits) => {
                let title = format!("Add {names}");
                diagnostic.with_fix(Fix::offered(title, edits))
            }
            None => diagnostic,
        }
    }

    /// The key that is probably a misspelling of a missing one, with its place and the field.
    fn misspelled(&self, finding: &Finding) -> Option<(&str, TextRange, &Field)> {
        let (fields, field) = (
            self.fields(parent(&finding.path))?,
            self.field(&finding.path)?,
        );
        let entries = entries_at(self.value, finding.range - self.start)?.iter();
        let named = entries.filter_map(|it| Some((it, it.key.name.as_deref()?)));
        let is_declared = |name| fields.named(name, self.unit.edition).is_some();
        let unknown = named.filter(|(_, name)| !is_declared(name));
        let near = nearest(&field.name, unknown.clone().map(|(_, name)| name))?;
        let (entry, written) = unknown.clone().find(|(_, name)| *name == near)?;
        let mut key = name_range(entry, written) + self.start;
        if self.unit.code(key).starts_with(':') {
            key = TextRange::new(key.start() + TextSize::of(':'), key.end());
        }
        Some((written, key, field))
    }

    /// The first misspelled key in `findings`, its place, and the fix that writes the name of a missing one.
    pub(super) fn misspelling(&self, findings: &[&Finding]) -> Option<Misspelling<'_>> {
        let mut few = findings.iter().take(MOST_MISSING);
        let (written, key, field) = few.find_map(|it| self.misspelled(it))?;
        let name = match self.notation {
            Notation::Lisp => self.unit.lisp_name(&field.name),
            _ => field.name.as_str().into(),
        };
        let edits = vec![TextEdit::replace(key, &*name)];
        let fix = Fix::offered(format!("Write `{name}`"), edits);
        Some(Misspelling {
            written,
            key,
            field,
            fix,
        })
    }

    fn only_entry(&self, findings: &[&Finding]) -> Option<String> {
        let [only] = findings else {
            return None;
        };
        let field = self.field(&only.path)?;
        let last = entries_at(self.value, only.range - self.start).and_then(|it| it.last());
        self.entries(last, &[field]).pop()
    }

    /// The edits that add the missing entries of `findings`, one per map; `None` if one of them is uncertain.
    pub(super) fn insertions(&self, findings: &[&Finding]) -> Option<Vec<TextEdit>> {
        // A text may have thousands of maps that lack thousands of entries.
        let counts = findings.iter().map(|it| it.missing_fields());
        if counts.sum::<usize>() > MOST_MISSING {
            return None;
        }
        let mut by_range: Vec<_> = findings.to_vec();
        order::by_range(&mut by_range, |it| it.range);
        let maps = by_range.chunk_by(|a, b| a.range == b.range);
        maps.map(|it| self.insertion_in_map(it)).collect()
    }

    /// The insertion into the map of `findings`, of which there is at least one.
    fn insertion_in_map(&self, findings: &[&Finding]) -> Option<TextEdit> {
        let fields: Option<Vec<_>> = findings.iter().map(|it| self.field(&it.path)).collect();
        self.insertion_of(findings.first()?.range, &fields?)
    }

    /// The insertion of values for `fields` into the map at `range`.
    fn insertion_of(&self, range: TextRange, fields: &[&Field]) -> Option<TextEdit> {
        let code = self.unit.code(range);
        let last = entries_at(self.value, range - self.start)?.last();
        let entries = self.entries(last, fields);
        // A map without brackets may end with the bracket of a value.
        let ends_in_value = last.is_some_and(|it| it.value.range.end() == range.end() - self.start);
        let margin = last.and_then(|it| self.margin_of(it));
        let separator = match &margin {
            Some(margin) => format!("{}\n{margin}", separator(self.notation).trim_end()),
            None => separator(self.notation).to_owned(),
        };
        let in_brackets = (!ends_in_value).then(|| insertion(&code, range, &entries, &separator));
        in_brackets
            .flatten()
            .or_else(|| self.insertion_in_block(&code, range, &entries))
    }

    /// Adds the insertions of values for those of `fields` that `map` and the maps in it lack.
    fn add_lacking(&self, map: &Value, fields: &[Field], edits: &mut Vec<TextEdit>) {
        let ValueKind::Map(entries) = &map.kind else {
            return;
        };
        // An unknown key may be any.
        if entries.iter().any(|it| it.key.name.is_none()) {
            return;
        }
        let given = |field: &Field| {
            let is_it = |name: &str| self.unit.edition.is_same_name(name, &field.name);
            { entries.iter() }.find(|it| it.key.name.as_deref().is_some_and(is_it))
        };
        let mut lacking = Vec::new();
        for field in fields {
            match (given(field), &field.ty.kind) {
                (Some(entry), TypeKind::Record(inner)) => {
                    self.add_lacking(&entry.value, inner, edits);
                }
                (None, _) if !field.ty.optional => lacking.push(field),
                _ => {}
            }
        }
        if !lacking.is_empty() {
            edits.extend(self.insertion_of(map.range + self.start, &lacking));
        }
    }

    /// The white space before an entry that begins a line.
    fn margin_of(&self, entry: &Entry) -> Option<String> {
        let key = entry.key.range.start() + self.start;
        let before = self.unit.line_before(key)?;
        let margin = before.trim_end_matches(['"', '\'', ':']);
        let is_margin = margin.bytes().all(|it| matches!(it, b' ' | b'\t'));
        is_margin.then(|| margin.to_owned())
    }

    /// The insertion of `entries` at the start of the YAML block at `range`, where the end of the block does not
    /// matter.
    fn insertion_in_block(
        &self,
        code: &str,
        range: TextRange,
        entries: &[String],
    ) -> Option<TextEdit> {
        let is_block = self.notation == Notation::Yaml
            && code.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let margin = self.unit.line_before(range.start())?;
        let is_margin = |c: char| matches!(c, ' ' | '\t' | '>' | '-');
        if !is_block || !margin.chars().all(is_margin) {
            return None;
        }
        let margin = margin.replace('-', " ");
        let lines = entries.iter().map(|entry| format!("{entry}\n{margin}"));
        Some(TextEdit::insert(range.start(), lines.collect::<String>()))
    }

    /// The field at `path`.
    fn field(&self, path: &Path) -> Option<&Field> {
        let Some(Segment::Field(name)) = path.0.last() else {
            return None;
        };
        self.fields(parent(path))?.written(name)
    }

    /// The fields of the map at `path`.
    fn fields(&self, path: &[Segment]) -> Option<&Fields> {
        let mut ty = self.ty;
        for segment in path {
            ty = match (segment, &ty.kind) {
                (Segment::Field(name), TypeKind::Record(fields)) => &fields.written(name)?.ty,
                (Segment::Index(_), TypeKind::List(element)) => element,
                _ => return None,
            };
        }
        match &ty.kind {
            TypeKind::Record(fields) => Some(fields),
            _ => None,
        }
    }

    /// The entries for `fields` in the notation of a map, after its `last` entry.
    fn entries(&self, last: Option<&Entry>, fields: &[&Field]) -> Vec<String> {
        // In Elixir, no arrow may follow an entry without one.
        let has_arrows = last.is_some_and(|it| {
            // An unfinished entry has its value elsewhere.
            let (key, value) = (it.key.range.end(), it.value.range.start());
            let between = (key < value).then(|| TextRange::new(key, value) + self.start);
            between.is_some_and(|it| self.unit.code(it).contains("=>"))
        });
        let style = Style {
            unit: self.unit,
            notation: self.notation,
            has_arrows,
        };
        fields.iter().map(|it| style.entry(it)).collect()
    }
}

/// The longest entries that a message shows, in bytes.
pub(super) const LONGEST_SHOWN: usize = 160;

/// The number of samples that get a value for a new parameter, and the length of each in bytes. Nobody reviews more.
const MOST_SAMPLES: usize = 8;
const LONGEST_SAMPLE: TextSize = TextSize::new(2048);

/// The edits that give new fields of the record at `record` of the signature a value in each sample of inputs without one,
/// where that can be written. The parameters are a record without a place.
pub(crate) fn values_for(
    unit: &UnitView<'_>,
    record: TextRange,
    fields: &[(String, Type)],
) -> Vec<TextEdit> {
    let fields = fields.iter().map(|(name, ty)| Field {
        name: name.clone(),
        name_range: TextRange::default(),
        ty: ty.clone(),
    });
    let fields: Vec<_> = fields.take(MOST_MISSING).collect();
    let samples = unit.samples().take(MOST_SAMPLES);
    let samples = samples
        .filter(|it| it.direction == Direction::Input && it.value.range.len() <= LONGEST_SAMPLE);
    let mut edits = Vec::new();
    for sample in samples {
        let checked = Checked {
            unit,
            value: sample.value,
            start: sample.start,
            ty: &Type::primitive(Primitive::Any),
            notation: unit.notation(),
        };
        for map in unit.maps_of(record, sample) {
            checked.add_lacking(map, &fields, &mut edits);
        }
    }
    edits
}

fn parent(path: &Path) -> &[Segment] {
    path.0.split_last().map_or(&[], |(_, parent)| parent)
}

/// The entries of the map at `range` in `value`.
fn entries_at(value: &Value, range: TextRange) -> Option<&[Entry]> {
    let is_around = |it: &&Value| it.range.contains_range(range);
    match &value.kind {
        ValueKind::Map(entries) if value.range == range => Some(entries),
        ValueKind::Map(entries) => {
            let mut values = entries.iter().map(|it| &it.value).filter(is_around);
            values.find_map(|it| entries_at(it, range))
        }
        ValueKind::List(items) => {
            let mut items = items.iter().filter(is_around);
            items.find_map(|it| entries_at(it, range))
        }
        _ => None,
    }
}

/// The diagnostics about missing fields, grouped by the outermost map that lacks one.
fn by_outermost_map<'f>(missing: &[&'f Finding]) -> Vec<Vec<&'f Finding>> {
    let lacking: HashSet<_> = missing.iter().map(|it| parent(&it.path)).collect();
    let mut places = HashMap::default();
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for finding in missing {
        let map = parent(&finding.path);
        let mut around = (0..map.len()).map(|len| &map[..len]);
        let outermost = around.find(|it| lacking.contains(it)).unwrap_or(map);
        let place = *places.entry(outermost).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

/// The maximum number of names; the others are counted.
const MOST_NAMES: usize = 8;

/// `a`, `a and b`, `a, b and c`; for many names the first ones and the number of the others.
pub(super) fn listed(names: &[String]) -> String {
    listed_first(names, names.len())
}

/// The same for the first of `count` names. Those of the others may be unknown.
pub(super) fn listed_first(names: &[String], count: usize) -> String {
    if count > MOST_NAMES {
        let first = &names[..names.len().min(MOST_NAMES - 1)];
        return format!("{} and {} more", first.join(", "), count - first.len());
    }
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}
