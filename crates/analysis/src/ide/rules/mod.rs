//! The rules: one file per rule or family of rules.
//!
//! A new rule is a file here and a line in `CHECKS`, or for a syntax error a line in `syntax::RULES`. The texts of
//! a rule (its message, its page, its fix) are in its file.

mod answer;
mod atom_keys;
mod calls;
mod chains;
mod compound_placeholder;
mod deep_nesting;
mod described_fields;
pub(crate) mod directives;
mod duplicate_name;
mod firewalled_output;
mod firewalled_placeholder;
mod function_parameters;
mod hyphen_in_name;
mod invalid_names;
mod listings;
pub(crate) mod missing;
mod misspelled_key;
mod misspelled_sections;
mod namespaces;
mod open_sections;
mod optional_placeholder;
mod overlaps;
pub mod page;
mod placeholder_type;
mod programs;
mod related;
mod results;
mod returned;
pub(crate) mod syntax;
mod template_as_prompt;
mod tool_options;
pub(crate) mod tools;
mod unclosed_front_matter;
mod unfilled_placeholder;
mod unknown_data;
mod unknown_head_key;
mod unknown_mode;
mod unknown_output;
mod unknown_placeholder;
mod unknown_type;
mod unquoted_signature;
mod unsupported_section;
mod unused_parameter;
mod values;

pub use syntax::length::too_many_units;
pub(in crate::ide) use unknown_output::outputs;

use crate::{
    ide::{Diagnostic, Rule, unit::UnitView},
    model::spelling::nearest,
};
use signature_ls_source::order;

/// Rules with the function that checks them in a unit.
pub(crate) struct Check {
    pub(crate) rules: &'static [&'static Rule],
    pub(crate) run: fn(&UnitView<'_>, &mut Vec<Diagnostic>),
}

/// The rules that are checked before those of programs.
const CHECKS: &[Check] = &[
    unknown_type::CHECK,
    duplicate_name::CHECK,
    unknown_placeholder::CHECK,
    placeholder_type::CHECK,
    compound_placeholder::CHECK,
    optional_placeholder::CHECK,
    unused_parameter::CHECK,
    answer::CHECK,
    firewalled_placeholder::CHECK,
    firewalled_output::CHECK,
    unsupported_section::CHECK,
    hyphen_in_name::CHECK,
    deep_nesting::CHECK,
    values::CHECK,
    described_fields::CHECK,
    unknown_mode::CHECK,
    unknown_output::CHECK,
    template_as_prompt::CHECK,
    tools::CHECK,
    tool_options::CHECK,
    misspelled_key::CHECK,
    atom_keys::CHECK,
    unknown_head_key::CHECK,
];

/// The rules of programs: what they find depends on the program, and on what is given to it.
const OF_PROGRAMS: &[Check] = &[
    calls::CHECK,
    returned::CHECK,
    function_parameters::CHECK,
    namespaces::CHECK,
    unknown_data::CHECK,
    programs::CHECK,
];

/// The rules that are checked after those of programs.
const AFTER_PROGRAMS: &[Check] = &[
    listings::CHECK,
    unquoted_signature::CHECK,
    unclosed_front_matter::CHECK,
    syntax::prose::CHECK,
    results::CHECK,
    chains::CHECK,
    unfilled_placeholder::CHECK,
];

/// The rules about whole documents.
const OF_DIRECTIVES: &[&Rule] = &[
    &directives::UNUSED_SUPPRESSION,
    &directives::UNKNOWN_DIRECTIVE,
];

/// All rules, those of syntax first.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    syntax::RULES
        .iter()
        .map(|it| &it.rule)
        .chain(checks().flat_map(|it| it.rules.iter().copied()))
        .chain(OF_DIRECTIVES.iter().copied())
}

/// All rules except for those of syntax.
pub(crate) fn checks() -> impl Iterator<Item = &'static Check> {
    CHECKS.iter().chain(OF_PROGRAMS).chain(AFTER_PROGRAMS)
}

/// The rule with a code.
pub fn by_code(code: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.code == code)
}

/// The suggestion for an unknown code, as the end of a sentence.
pub fn instead_of(code: &str) -> String {
    match nearest_code(code) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`signature-ls explain` lists them".to_owned(),
    }
}

/// The code that `code` may be a misspelling of.
pub(crate) fn nearest_code(code: &str) -> Option<&'static str> {
    nearest(code, all().map(|rule| rule.code))
}

/// The maximum number of diagnostics of one check in one unit: more mean that the text is not what it seems to be. A
/// check may stop there.
pub(crate) const MAX_FINDINGS: usize = 256;

/// What the rules find in the program of a unit.
pub(crate) fn check_program(unit: &UnitView<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    run(OF_PROGRAMS, unit, &mut found);
    found
}

fn run(checks: &[Check], unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let mut of_check = Vec::new();
    for check in checks {
        (check.run)(unit, &mut of_check);
        of_check.truncate(MAX_FINDINGS);
        found.append(&mut of_check);
    }
}

/// Runs every rule over a unit, whose program has these findings; the diagnostics are in the order of the text.
pub(crate) fn check(unit: &UnitView<'_>, of_program: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut found = syntax::check(unit);
    run(CHECKS, unit, &mut found);
    found.extend(of_program);
    run(AFTER_PROGRAMS, unit, &mut found);
    misspelled_sections::join(unit, &mut found);
    open_sections::join(unit, &mut found);
    overlaps::join(&mut found);
    invalid_names::join(unit, &mut found);
    order::by_range(&mut found, |diagnostic| diagnostic.range);
    related::add(unit, &mut found);
    found
}

#[cfg(test)]
mod alias_tests;
#[cfg(test)]
mod beside_faults;
#[cfg(test)]
mod element_tests;
#[cfg(test)]
mod evidence_tests;
#[cfg(test)]
mod failing_tests;
#[cfg(test)]
mod flow_tests;
#[cfg(test)]
mod held_agents_tests;
#[cfg(test)]
mod key_tests;
#[cfg(test)]
mod listing_tests;
#[cfg(test)]
mod message_tests;
#[cfg(test)]
mod module_tests;
#[cfg(test)]
mod program_shape_tests;
#[cfg(test)]
mod program_tests;
#[cfg(test)]
mod program_value_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typing;
