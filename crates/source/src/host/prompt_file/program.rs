//! The Lisp programs in the code blocks of a prompt, which show what to write.

use crate::{
    host::{HAS_SMALL_STEPS, PlacedUnit, Unit, lisp::PlacedPrograms},
    text::{Text, TextRange, TextSize},
};

/// The signs of code that is worth checking; other texts are not parsed.
const MARKS: [&str; 5] = ["(return", "(tool/", "(call", "data/", "ctx/"];

/// The length of the longest mark.
const LONGEST_MARK: u32 = 7;

/// Whether `prompt` may contain such code.
pub(super) fn may_be_in(prompt: &str) -> bool {
    MARKS.iter().any(|mark| prompt.contains(mark))
}

/// Whether an edit that inserted text at `inserted` of `body` may have added the first such code.
pub(super) fn may_begin_in(text: &Text, body: TextRange, inserted: TextRange) -> bool {
    let before = inserted.start().checked_sub(LONGEST_MARK.into());
    let near = TextRange::new(
        before.unwrap_or_default(),
        inserted.end() + TextSize::from(LONGEST_MARK),
    );
    near.intersect(body)
        .is_some_and(|near| may_be_in(&text.slice(near)))
}

/// Adds the `programs` of a text that is edited to the `unit` of the whole file, which shares them.
pub(super) fn share(unit: &mut Unit, programs: &[PlacedUnit]) {
    if !HAS_SMALL_STEPS {
        return add(unit, &mut programs.iter().cloned());
    }
    for placed in programs {
        let margins = placed.unit.extras.margins.iter();
        unit.add_margins(margins.map(|margin| *margin + placed.start));
    }
    if !programs.is_empty() {
        let programs = PlacedPrograms::new(programs.to_vec());
        unit.extras.make_mut().programs = Some(programs.into());
    }
}

/// Adds the `programs` of a text to the `unit` of the whole file, which copies them: of those that nothing else needs, no
/// two copies are kept.
pub(super) fn add(unit: &mut Unit, programs: &mut dyn Iterator<Item = PlacedUnit>) {
    while let Some(placed) = programs.next() {
        let start = placed.start;
        let program = unit.program.make_mut();
        // Most have one of each.
        program.reserve(1 + programs.size_hint().0);
        program.add(&placed.unit.program, start);
        let margins = placed.unit.extras.margins.iter();
        unit.add_margins(margins.map(|margin| *margin + start));
    }
    if let Some(program) = unit.program.get_mut() {
        program.shrink();
    }
}
