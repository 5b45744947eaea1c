//! The units of code in a document of another kind.

use std::borrow::Cow;

use crate::{
    host::{
        Notation, PlacedUnit, Roles, elixir, foreign, json, lisp,
        markdown::{blocks::CodeBlock, language::Language, signatures},
        yaml,
    },
    text::{TextRange, TextSize, size},
};

/// The units of a code block that stands at `block.start` and reads `text`.
pub fn units(text: &str, block: &CodeBlock, roles: &Roles) -> Vec<PlacedUnit> {
    let code = Code::new(text, &block.pieces);
    let mut units = match block.language {
        Language::Elixir => elixir::units(&code.text, roles.of(Notation::Elixir)),
        Language::Lisp => lisp::units(&code.text, roles.of(Notation::Lisp)),
        Language::Json => json::units(&code.text, roles.of(Notation::Json)),
        Language::Yaml => yaml::units(&code.text, roles.of(Notation::Yaml)),
        Language::Signatures => signatures::units(&code.text),
    };
    for unit in &mut units {
        if !code.margins.is_empty() {
            foreign::mark_margins(unit, &code.margins);
        }
        unit.start += block.start;
    }
    units
}

/// Code with white space in the place of margins, so that its ranges are those of the document.
struct Code<'t> {
    text: Cow<'t, str>,
    /// The margins, in bytes of the code.
    margins: Vec<TextRange>,
}

impl<'t> Code<'t> {
    fn new(text: &'t str, pieces: &[TextRange]) -> Self {
        let mut margins = Vec::new();
        if let [piece] = pieces
            && piece.start() == TextSize::from(0)
        {
            let text = Cow::Borrowed(text);
            return Self { text, margins };
        }
        let mut code = String::with_capacity(text.len());
        for &piece in pieces {
            let gap = &text[code.len()..piece.start().into()];
            for part in gap.split_inclusive(['\r', '\n']) {
                let margin = part.trim_end_matches(['\r', '\n']);
                if !margin.is_empty() {
                    margins.push(TextRange::at(size(code.len()), TextSize::of(margin)));
                }
                code.extend(std::iter::repeat_n(' ', margin.len()));
                code.push_str(&part[margin.len()..]);
            }
            code.push_str(&text[piece]);
        }
        let text = Cow::Owned(code);
        Self { text, margins }
    }
}
