//! What the Lisp code in the blocks of a prompt does, by which a prompt shows what to write.

use crate::{
    host::{Roles, Unit, markdown::lisp_units},
    text::{Text, TextRange},
};

/// What code has that is worth checking; text without any of these is not worth reading.
const MARKS: [&str; 5] = ["(return", "(tool/", "(call", "data/", "ctx/"];

/// Adds the programs in `body` to the `unit` of the whole file.
pub(super) fn add(unit: &mut Unit, text: &Text, body: TextRange, roles: &Roles) {
    let prompt = text.slice(body);
    if !MARKS.iter().any(|mark| prompt.contains(mark)) {
        return;
    }
    for placed in lisp_units(&prompt, roles) {
        let start = placed.start + body.start();
        let code = text.slice(TextRange::at(start, placed.unit.len));
        // Placeholders are no code.
        if code.contains("{{") {
            continue;
        }
        unit.program
            .add(&placed.unit.program, |range| range + start);
        let margins = placed.unit.margins.iter().map(|margin| *margin + start);
        unit.margins.extend(margins);
    }
}
