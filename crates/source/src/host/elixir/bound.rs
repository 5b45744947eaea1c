//! Maps of tools that are bound to a name: `tools = %{…}` and `@search_tools %{…}`.

use super::tools::{self, Form};
use crate::{
    host::{
        KeyRole, Notation, RolesIn, Unit,
        token_tree::{Element, Kind},
    },
    text::TextSize,
};

/// The unit of a statement that binds such a map. Other maps may have such a name too; a map of tools contains a
/// function.
pub(super) fn unit(statement: &[Element<'_>], roles: RolesIn<'_>) -> Option<(TextSize, Unit)> {
    let (name, percent, map) = match statement {
        [at, name, percent, map] if at.text() == "@" => (name, percent, map),
        [name, equals, percent, map] if equals.text() == "=" => (name, percent, map),
        _ => return None,
    };
    let last_word = name.text().rsplit('_').next()?;
    let is_tools = name.kind() == Kind::Symbol && roles.of_key(last_word) == Some(KeyRole::Tools);
    if !is_tools || percent.text() != "%" {
        return None;
    }
    let tools = tools::of_map(map)?;
    let is_function = |form: &Form| matches!(form, Form::Function(_) | Form::Described(_));
    tools.iter().find(|tool| is_function(&tool.form))?;
    let range = percent.range.cover(map.range);
    let relative = tools.into_iter().map(|mut tool| {
        tool.map_ranges(&|it| it - range.start());
        tool
    });
    let unit = Unit {
        len: range.len(),
        tools: Some(relative.collect()),
        notation: Notation::Elixir,
        ..Unit::default()
    };
    Some((range.start(), unit))
}
