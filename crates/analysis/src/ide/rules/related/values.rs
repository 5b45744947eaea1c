//! The declarations of the parts of a value.

use foldhash::HashSet;

use super::MOST_DECLARATIONS;
use crate::{
    contract::{Direction, Value, ValueKind},
    ide::{Diagnostic, unit::UnitView},
    model::{Edition, Field, Fields, Signature, names::record_in},
};
use signature_ls_source::text::TextRange;

/// The parameter or field for the part at `range` of `value`, the value of `param`.
pub(in crate::ide::rules) fn declared_in<'f>(
    value: &Value,
    range: TextRange,
    param: &'f Field,
    edition: Edition,
) -> Option<&'f Field> {
    let path = path_to(value, range)?;
    match path.is_empty() {
        true => Some(param),
        false => field_at(record_in(&param.ty)?, &path, edition),
    }
}

/// The missing fields of the map at `range` of `value`, the value of `param`.
pub(in crate::ide::rules) fn missing_in<'f>(
    value: &Value,
    range: TextRange,
    param: &'f Field,
    edition: Edition,
) -> Vec<&'f Field> {
    let field = declared_in(value, range, param, edition);
    let fields = field.and_then(|it| record_in(&it.ty));
    let map = map_at(value, range);
    let missing = fields
        .zip(map)
        .map(|(fields, map)| missing(fields, map, edition));
    missing.unwrap_or_default()
}

/// The missing ones among the `fields` of the value at `range` of a program, at any depth, or the field of the value
/// with the error.
pub(super) fn declared_for<'f>(
    unit: &UnitView<'_>,
    range: TextRange,
    fields: &'f Fields,
    found: &Diagnostic,
) -> Option<Vec<&'f Field>> {
    let value = unit.program_value(range)?;
    let path = path_to(&value, found.range)?;
    let field = field_at(fields, &path, unit.edition);
    let inside = match path.is_empty() {
        true => Some(fields),
        false => field.and_then(|it| record_in(&it.ty)),
    };
    let at_fault = map_at(&value, found.range)?;
    let lacking = inside.map(|it| missing(it, at_fault, unit.edition));
    let lacking = lacking.filter(|it| !it.is_empty());
    lacking.or_else(|| Some(vec![field?]))
}

/// The parameter or field of a sample value, or its missing ones.
pub(super) fn fields_of_value<'s>(
    unit: &UnitView<'_>,
    signature: &'s Signature,
    found: &Diagnostic,
) -> Vec<&'s Field> {
    let fields = unit.samples().find_map(|sample| {
        let range = found.range.checked_sub(sample.start)?;
        let path = path_to(sample.value, range)?;
        let fields = match sample.direction {
            Direction::Input => &signature.params,
            Direction::Output | Direction::Returned => record_in(&signature.output)?,
        };
        let field = || field_at(fields, &path, unit.edition);
        if found.rule.code != "missing-value" {
            return Some(vec![field()?]);
        }
        let fields = match path.is_empty() {
            true => fields,
            false => record_in(&field()?.ty)?,
        };
        let map = map_at(sample.value, range)?;
        Some(missing(fields, map, unit.edition))
    });
    fields.unwrap_or_default()
}

/// The value in `value` at `range`.
fn map_at(value: &Value, range: TextRange) -> Option<&Value> {
    if value.range == range {
        return Some(value);
    }
    match &value.kind {
        ValueKind::Map(entries) => entries.iter().find_map(|it| map_at(&it.value, range)),
        ValueKind::List(items) => items.iter().find_map(|it| map_at(it, range)),
        _ => None,
    }
}

/// The first required `fields` that are missing in `map`.
fn missing<'s>(fields: &'s [Field], map: &Value, edition: Edition) -> Vec<&'s Field> {
    let ValueKind::Map(entries) = &map.kind else {
        return Vec::new();
    };
    let given = entries.iter().filter_map(|it| it.key.name.as_deref());
    let given: HashSet<_> = given.map(|it| edition.normal_name(it)).collect();
    let is_given = |field: &Field| given.contains(&edition.normal_name(&field.name));
    let missing = fields.iter().filter(|it| !it.ty.optional && !is_given(it));
    missing.take(MOST_DECLARATIONS).collect()
}

/// The path of the value at `range`.
fn path_to(value: &Value, range: TextRange) -> Option<Vec<&str>> {
    if value.range == range {
        return Some(Vec::new());
    }
    if !value.range.contains_range(range) {
        return None;
    }
    match &value.kind {
        ValueKind::Map(entries) => entries.iter().find_map(|it| {
            let mut path = path_to(&it.value, range)?;
            path.insert(0, it.key.name.as_deref()?);
            Some(path)
        }),
        ValueKind::List(items) => items.iter().find_map(|it| path_to(it, range)),
        _ => None,
    }
}

fn field_at<'f>(fields: &'f Fields, path: &[&str], edition: Edition) -> Option<&'f Field> {
    let (name, rest) = path.split_first()?;
    let field = fields.named(name, edition)?;
    if rest.is_empty() {
        return Some(field);
    }
    field_at(record_in(&field.ty)?, rest, edition)
}
