//! The units of code embedded in a document of another kind.

use std::{borrow::Cow, sync::Arc};

use crate::{
    host::{
        Notation, PlacedUnit, Role, Roles, Site, Unit,
        comments::Comments,
        elixir::{
            self, Elixir,
            module::{self, Facts},
        },
        foreign,
        json::{self, Json},
        lisp::{self, Lisp},
        markdown::{
            blocks::{CodeBlock, with_line_feeds},
            language::Language,
            noted, signatures,
        },
        token_tree::parse,
        yaml,
    },
    order,
    text::{Text, TextRange, TextSize, size},
};

/// The units of a code block at `block.start` with `text`.
pub fn units(text: &str, block: &CodeBlock, roles: &Roles) -> Vec<PlacedUnit> {
    let code = Code::new(text, &block.pieces);
    let mut units = match block.language {
        Language::Elixir => elixir::units(&code.text, roles.of(Notation::Elixir)),
        Language::Lisp => lisp::snippet_units(&code.text, roles.of(Notation::Lisp)),
        Language::PtcLisp => lisp::units(&code.text, roles.of(Notation::Lisp)),
        Language::Json => json::units(&code.text, roles.of(Notation::Json)),
        Language::Yaml => yaml::units(&code.text, roles.of(Notation::Yaml)),
        Language::Signatures => signatures::units(&code.text),
    };
    if block.is_lisp() {
        units.extend(noted::units(&code.text));
        order::by_start(&mut units, |it| it.start);
    }
    units.retain_mut(|placed| leave_out_elisions(placed, |content| (&code.text[content]).into()));
    // Most of thousands of blocks may have one.
    units.shrink_to_fit();
    for unit in &mut units {
        if !code.margins.is_empty() {
            foreign::mark_margins(unit, &code.margins);
        }
        if block.fails_at(unit.start) {
            Arc::make_mut(&mut unit.unit).is_meant_to_fail = true;
        }
        unit.start += block.start;
    }
    units
}

impl CodeBlock {
    /// Whether a session shows that the code at `offset`, in bytes from the block's start, fails.
    fn fails_at(&self, offset: TextSize) -> bool {
        let piece = || self.pieces.partition_point(|it| it.end() <= offset);
        !self.failing.is_empty() && self.failing.binary_search(&piece()).is_ok()
    }

    /// The code with white space in place of margins; `text` is the document.
    pub fn code(&self, text: &Text) -> String {
        let code = text.slice(self.range());
        Code::new(&code, &self.pieces).text.into_owned()
    }

    /// The comments of the code; `text` is the document.
    pub fn comments(&self, text: &Text) -> Comments {
        let code = self.code(text);
        match self.language {
            Language::Elixir => Comments::Tree(parse::<Elixir>(&code)),
            Language::Lisp | Language::PtcLisp => Comments::Tree(parse::<Lisp>(&code)),
            Language::Json => Comments::Tree(parse::<Json>(&code)),
            Language::Yaml => Comments::of_yaml(&code),
            Language::Signatures => Comments::All,
        }
    }
}

/// Removes abbreviated signatures, such as `"(query :string) -> ..."`, from a unit; returns whether anything is left
/// of it.
pub(super) fn leave_out_elisions<'t>(
    placed: &mut PlacedUnit,
    text: impl Fn(TextRange) -> Cow<'t, str>,
) -> bool {
    let is_elided = |site: &Site| {
        matches!(site.role, Role::Signature | Role::Tool) && {
            let content = text(site.content + placed.start);
            content.contains("...") || content.contains('…')
        }
    };
    if !placed.unit.sites.iter().any(is_elided) {
        return true;
    }
    let mut unit = Unit::clone(&placed.unit);
    unit.sites.retain(|site| !is_elided(site));
    let is_left = !unit.sites.is_empty() || !unit.program.is_empty() || unit.tools.is_some();
    placed.unit = Arc::new(unit);
    is_left
}

/// The functions in a code block with `text`; `None` if it is not in Elixir.
pub fn facts(text: &str, block: &CodeBlock) -> Option<Arc<Facts>> {
    if block.language != Language::Elixir {
        return None;
    }
    let facts = module::facts(&Code::new(text, &block.pieces).text);
    (!facts.is_empty()).then(|| Arc::new(facts))
}

/// Code with white space in place of margins, and line feeds in place of lone carriage returns. Its ranges are those of
/// the document.
struct Code<'t> {
    text: Cow<'t, str>,
    /// The margins, in bytes of the code.
    margins: Vec<TextRange>,
}

impl<'t> Code<'t> {
    fn new(text: &'t str, pieces: &[TextRange]) -> Self {
        let mut margins = Vec::new();
        let text = with_line_feeds(text);
        if let [piece] = pieces
            && piece.start() == TextSize::from(0)
        {
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
