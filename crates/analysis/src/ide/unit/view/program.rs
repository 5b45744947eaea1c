//! The program that a unit is or has in a literal.

use std::borrow::Cow;

use super::{UnitView, most_findings};
use crate::{
    contract::{Direction, Mode, Report, Value, check_first},
    model::{Type, render::lisp_key},
};
use signature_ls_source::{
    host::{
        HAS_SMALL_STEPS,
        lisp::{Program, ProgramLiteral, ToolCall},
        values::lisp,
    },
    syntax::{
        decode::Decoded,
        fragment::{Fragment, foreign_within},
    },
    text::TextRange,
};

impl<'a> UnitView<'a> {
    /// The expressions of the unit, if it is a program.
    pub(crate) fn program(&self) -> &'a Program {
        let part = self.part.filter(|_| HAS_SMALL_STEPS);
        part.unwrap_or_else(|| self.unit.program())
    }

    /// The literal with the program, if that is not code of the document itself.
    pub(crate) fn program_literal(&self) -> Option<&'a ProgramLiteral> {
        self.unit.program_literal()
    }

    /// Whether there is a call that is `wanted`, whose places are of no interest.
    pub(crate) fn has_call(&self, wanted: &dyn Fn(&ToolCall) -> bool) -> bool {
        let mut has = false;
        self.unit
            .each_program(&mut |it| has |= it.calls.iter().any(wanted));
        has
    }

    /// The value at `range` of the program, in bytes from the unit's start.
    pub(crate) fn program_value(&self, range: TextRange) -> Option<Value> {
        let code = self.code(range);
        let Some(literal) = self.program_literal() else {
            return Some(lisp::read(&code)?.moved_by(range.start()));
        };
        let foreign = foreign_within(&literal.foreign, range - literal.content.start())?;
        let decoded = Decoded::of(Fragment {
            text: &code,
            escapes: literal.escapes,
            foreign: &foreign,
        })?;
        let value = lisp::read(&decoded.text)?;
        Some(value.map_ranges(&|it| decoded.in_fragment(it) + range.start()))
    }

    /// Validates a value of the program. A keyword for a string is no finding if it may arrive as a string.
    pub(crate) fn check_of_program(
        &self,
        value: &Value,
        ty: &Type,
        direction: Direction,
        mode: Mode,
    ) -> Report {
        let most = most_findings(value);
        let mut report = check_first(value, ty, direction, mode, self.edition, most);
        if self.edition.writes_keywords_as_strings() {
            report.errors.retain(|it| !it.is_keyword_for_string());
            report.warnings.retain(|it| !it.is_keyword_for_string());
        }
        report
    }

    /// A name of a signature in the spelling of PTC-Lisp code.
    pub(crate) fn lisp_name<'n>(&self, name: &'n str) -> Cow<'n, str> {
        lisp_key(name, self.edition)
    }
}
