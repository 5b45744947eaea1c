//! Programs in PTC-Lisp that strings of Elixir hold, such as `Lisp.run("(tool/search …)")`.

use super::literal::literal;
use crate::{
    host::{
        Notation, RolesIn,
        lisp::{self, Program, ProgramLiteral},
        token_tree::Element,
    },
    syntax::{decode::Decoded, fragment::Fragment},
    text::TextSize,
};

/// What the program in `string` does, in a unit that begins at `start`; `None` where its text is only
/// known when the program runs.
pub fn read(string: &Element<'_>, start: TextSize, roles: RolesIn<'_>) -> Option<Program> {
    let literal = literal(string);
    let roles = roles.everywhere().of(Notation::Lisp);
    let text = string.full_text();
    let decoded = Decoded::of(Fragment {
        text: &text[literal.content - string.range.start()],
        escapes: literal.escapes,
        foreign: &literal.foreign,
    })?;
    let content = literal.content - start;
    let mut program = Program::default();
    program.add(&lisp::program(&decoded.text, roles), |range| {
        decoded.in_fragment(range) + content.start()
    });
    program.literal = Some(Box::new(ProgramLiteral {
        start: string.range.start() - start,
        content,
        escapes: literal.escapes,
        foreign: literal.foreign,
    }));
    Some(program)
}
