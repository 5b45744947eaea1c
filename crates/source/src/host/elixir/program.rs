//! Programs in PTC-Lisp that strings of Elixir hold, such as `Lisp.run("(tool/search …)")`.

use std::sync::Arc;

use super::literal::literal;
use crate::{
    host::{
        Notation, RolesIn,
        lisp::{self, Program, ProgramLiteral},
        token_tree::Element,
    },
    syntax::{decode::Decoded, fragment::Fragment},
    text::{TextRange, TextSize},
};

/// What the program in `string` does, in a unit that begins at `start`, and where the texts of signatures in it are, in
/// bytes of the document; `None` where its text is only known when the program runs.
pub fn read(
    string: &Element<'_>,
    start: TextSize,
    roles: RolesIn<'_>,
) -> Option<(Program, Vec<TextRange>)> {
    let literal = literal(string);
    let roles = roles.everywhere().of(Notation::Lisp);
    let inside = literal.content - string.range.start();
    let decoded = Decoded::of(Fragment {
        text: &string.full_text()[inside],
        escapes: literal.escapes,
        foreign: &literal.foreign,
    })?;
    let content = literal.content - start;
    let (program, signatures) = lisp::program(&decoded.text, roles);
    let decoded = Arc::new(decoded);
    let mut program = program.in_literal(&decoded, content.start());
    // The text may be long, and is not kept beside the program.
    let text = match signatures.is_empty() {
        true => String::new(),
        false => string.full_text(),
    };
    let signatures = signatures.into_iter().filter_map(|range| {
        let written = &text[inside];
        let place = decoded.in_fragment(range);
        // A signature has no escapes, neither of the program nor of the string around it.
        let is_plain = written[place] == decoded.text[range] && !written[place].contains('\\');
        is_plain.then(|| place + literal.content.start())
    });
    let signatures = signatures.collect();
    program.literal = Some(Box::new(ProgramLiteral {
        start: string.range.start() - start,
        content,
        escapes: literal.escapes,
        foreign: literal.foreign,
    }));
    Some((program, signatures))
}
