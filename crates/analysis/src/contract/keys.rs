//! The keys of maps: the entries of fields, and colliding keys.

use std::hash::BuildHasher;

use foldhash::{HashMap, HashMapExt, fast::RandomState};

use crate::{
    contract::{Entry, Finding, FindingKind, Path, Value, ValueKind},
    model::{Edition, Fields},
};
use signature_ls_source::host::HAS_SMALL_STEPS;

/// The entries of a map that are for the fields of a record, by name, as an edition compares names.
pub(crate) struct Entries<'a> {
    edition: Edition,
    /// Whether the table has an entry for each field.
    has_fields: bool,
    by_name: HashMap<String, Option<&'a Entry>>,
    all_known: bool,
}

impl<'a> Entries<'a> {
    pub(crate) fn new(entries: &'a [Entry], fields: &Fields, edition: Edition) -> Self {
        // A record may have thousands of optional fields, and a map thousands of entries: the table has the fewer ones.
        let has_fields = !HAS_SMALL_STEPS || fields.len() <= entries.len();
        let named = if has_fields { fields } else { Fields::NONE };
        let names = named.iter().map(|it| edition.normal_name(&it.name));
        let mut by_name: HashMap<_, Option<&Entry>> = names.map(|it| (it, None)).collect();
        let mut all_known = true;
        for entry in entries {
            let Some(key) = &entry.key.name else {
                all_known = false;
                continue;
            };
            let name = edition.normal_name(key);
            let is_exact = **key == *name;
            let known = by_name.get(&name).copied();
            let taken = known.flatten().and_then(|entry| entry.key.name.as_deref());
            let is_wanted = known.is_some() || !has_fields;
            if is_wanted && (is_exact || taken.is_none_or(|taken| taken != name)) {
                by_name.insert(name, Some(entry));
            }
        }
        Self {
            edition,
            has_fields,
            by_name,
            all_known,
        }
    }

    /// The numbers of the `fields` that have an entry, and of the `wanted` ones that are missing, in ascending order, with
    /// the number of those left out. There may be others only where all are few.
    pub(crate) fn fields(&self, fields: &Fields, wanted: Missing) -> (Vec<usize>, usize) {
        if self.has_fields || !fields.are_many() {
            return ((0..fields.len()).collect(), 0);
        }
        let mut given: Vec<_> = { self.by_name.keys() }
            .flat_map(|it| fields.all_named(it, self.edition))
            .collect();
        given.sort_unstable();
        given.dedup();
        if wanted == Missing::None || !self.all_known {
            return (given, 0);
        }
        let required = given.iter().filter(|it| fields[**it].is_required());
        let missing = fields.required().len() - required.count();
        let shown = match wanted {
            Missing::Few if missing > MOST_MISSING => FIRST_MISSING,
            _ => missing,
        };
        let lacks = |it: &usize| given.binary_search(it).is_err();
        let first: Vec<_> = fields.required().filter(lacks).take(shown).collect();
        given.extend(first);
        given.sort_unstable();
        (given, missing - shown)
    }

    /// The entry for the field `name`.
    pub(crate) fn get(&self, name: &str) -> Option<&'a Entry> {
        *self.by_name.get(&*self.edition.normal_form(name))?
    }

    /// Whether all keys are known before run time, so that a field without an entry is missing.
    pub(crate) fn are_all_known(&self) -> bool {
        self.all_known
    }
}

/// Which missing fields of a map are wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Missing {
    /// None.
    None,
    /// All, or the first ones if there are more than [`MOST_MISSING`].
    Few,
    /// All.
    All,
}

impl Missing {
    /// Those that are wanted of at most `most` findings.
    pub(crate) fn of_first(most: usize) -> Self {
        match most {
            usize::MAX => Self::All,
            _ => Self::Few,
        }
    }
}

/// So many missing fields of a map have findings of their own, because a fix may add them.
pub(crate) const MOST_MISSING: usize = 128;

/// So many of more. A text may have thousands of maps that lack thousands of fields.
const FIRST_MISSING: usize = 8;

/// The duplicate keys of any map in `value`, and keys that are two spellings of one name.
pub(crate) fn doubled_keys(value: &Value, edition: Edition) -> Vec<Finding> {
    let mut findings = Vec::new();
    search(value, edition, &mut Path::default(), &mut findings);
    findings
}

fn search(value: &Value, edition: Edition, path: &mut Path, findings: &mut Vec<Finding>) {
    match &value.kind {
        ValueKind::List(items) => {
            for (index, item) in items.iter().enumerate() {
                path.index(index);
                search(item, edition, path, findings);
                path.pop();
            }
        }
        ValueKind::Map(entries) => {
            compare(entries, edition, path, findings);
            for entry in entries {
                path.field(entry.key.name.as_deref().unwrap_or_default());
                search(&entry.value, edition, path, findings);
                path.pop();
            }
        }
        _ => {}
    }
}

/// Whether two entries may have one name. A table of thousands of names would take more room than the entries.
fn may_repeat(entries: &[Entry], edition: Edition) -> bool {
    if entries.len() < 2 {
        return false;
    }
    let hasher = RandomState::default();
    let names = entries.iter().filter_map(|it| it.key.name.as_deref());
    let mut hashes = Vec::with_capacity(entries.len());
    hashes.extend(names.map(|it| hasher.hash_one(edition.normal_name(it)) as usize));
    hashes.sort_unstable();
    hashes.windows(2).any(|it| it[0] == it[1])
}

fn compare(entries: &[Entry], edition: Edition, path: &mut Path, findings: &mut Vec<Finding>) {
    if !may_repeat(entries, edition) {
        return;
    }
    let mut seen: HashMap<String, &str> = HashMap::with_capacity(entries.len());
    for entry in entries {
        let Some(key) = entry.key.name.as_deref() else {
            continue;
        };
        let Some(other) = seen.insert(edition.normal_name(key), key) else {
            continue;
        };
        let key_text = key.to_owned();
        let kind = if other == key {
            FindingKind::DuplicateKey { key: key_text }
        } else {
            FindingKind::SameName {
                key: key_text,
                other: other.to_owned(),
            }
        };
        path.field(key);
        findings.push(Finding::new(path, entry.key.range, kind));
        path.pop();
    }
}
