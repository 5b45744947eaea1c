//! The laws, one function per target.

use signature_ls_analysis::{
    contract::{Direction, Mode, check},
    ide::{self, Document, Settings, Severity, standalone},
    model::{Edition, Primitive, Type, TypeKind, parse_signature, typespec},
};
use signature_ls_source::{
    host::HostKind,
    syntax::{
        catalog,
        fragment::{Escapes, Fragment},
        reparse::push_text,
        signature, template,
    },
    text::{TextEdit, TextRange, TextSize, size},
    value::{json, yaml},
};

use crate::input::Input;

type Outcome = Result<(), String>;

/// A law that must hold for every input.
pub struct Target {
    pub name: &'static str,
    pub has_edits: bool,
    pub run: fn(&Input) -> Outcome,
}

const fn target(name: &'static str, has_edits: bool, run: fn(&Input) -> Outcome) -> Target {
    Target {
        name,
        has_edits,
        run,
    }
}

/// All targets; tests of the server drive sessions.
pub const TARGETS: &[Target] = &[
    target("signature", true, signatures),
    target("template", true, templates),
    target("catalog", true, catalogs),
    target("values", false, values),
    target("spec", false, specs),
    target("elixir", true, |input| documents(HostKind::Elixir, input)),
    target("prompt", true, |input| documents(HostKind::Prompt, input)),
    target("markdown", true, |input| {
        documents(HostKind::Markdown, input)
    }),
    target("yaml", true, |input| documents(HostKind::Yaml, input)),
    target("json", true, |input| documents(HostKind::Json, input)),
    target("lisp", true, |input| documents(HostKind::Lisp, input)),
    target("sig", true, |input| documents(HostKind::Catalog, input)),
    target("format", false, formatted),
    target("fixes", false, fixed),
];

fn law(holds: bool, name: &str) -> Outcome {
    if holds { Ok(()) } else { Err(name.to_owned()) }
}

/// The ways in which a host may write a literal.
const ESCAPES: [Escapes; 7] = [
    Escapes::None,
    Escapes::Backslash,
    Escapes::DoubleQuoted,
    Escapes::Folded,
    Escapes::DoubledApostrophe,
    Escapes::Plain { in_flow: false },
    Escapes::Plain { in_flow: true },
];

fn fragment(text: &str, escapes: Escapes) -> Fragment<'_> {
    Fragment {
        escapes,
        ..Fragment::plain(text)
    }
}

macro_rules! text_of {
    ($green:expr) => {{
        let mut text = String::new();
        push_text(&$green, &mut text);
        text
    }};
}

/// A tree is lossless, an edited tree is that of the new text, and the rendering of a signature without errors has the
/// same meaning.
fn signatures(input: &Input) -> Outcome {
    for escapes in ESCAPES {
        let mut tree = signature::parse(fragment(&input.text, escapes));
        law(
            text_of!(tree) == input.text,
            "a signature's tree has its text",
        )?;
        for (edit, text) in input.steps() {
            let fragment = fragment(&text, escapes);
            tree = signature::edit(&tree, &edit, fragment);
            law(
                tree == signature::parse(fragment),
                "an edited signature is parsed as a fresh one",
            )?;
        }
    }
    for edition in Edition::ALL {
        let (signature, found) = standalone::check_signature(&input.text, edition);
        in_bounds(&input.text, found.iter().map(|it| it.range))?;
        let is_valid = found.iter().all(|it| it.severity != Severity::Error);
        law(
            !is_valid || signature.is_some(),
            "a signature without errors has a meaning",
        )?;
        let (fixed, _) = standalone::fix_signature(&input.text, edition);
        let (again, _) = standalone::fix_signature(&fixed, edition);
        law(fixed == again, "a fixed signature has no fixes left")?;
    }
    Ok(())
}

fn templates(input: &Input) -> Outcome {
    for escapes in ESCAPES {
        let mut tree = template::parse(fragment(&input.text, escapes));
        law(
            text_of!(tree) == input.text,
            "a template's tree has its text",
        )?;
        for (edit, text) in input.steps() {
            // Rows may nest in other runs than those of a full parse; the targets of documents compare the
            // diagnostics.
            let edited = template::edit(&tree, &edit, (escapes, &[]));
            tree = edited.unwrap_or_else(|| template::parse(fragment(&text, escapes)));
            law(
                text_of!(tree) == text,
                "an edited template's tree has its text",
            )?;
        }
    }
    for edition in Edition::ALL {
        let found = standalone::check_template(&input.text, edition);
        in_bounds(&input.text, found.iter().map(|it| it.range))?;
        let signature = "(a :int, items [{name :string}], user {name :string?}) -> :int";
        standalone::check_prompt(signature, &input.text, edition);
    }
    Ok(())
}

fn catalogs(input: &Input) -> Outcome {
    let mut tree = catalog::parse(&input.text);
    law(
        text_of!(tree) == input.text,
        "a catalog's tree has its text",
    )?;
    for (edit, text) in input.steps() {
        let fresh = catalog::parse(&text);
        let edited = catalog::edit(&tree, &edit);
        law(
            edited.is_none_or(|it| it.green == fresh),
            "an edited catalog is parsed as a fresh one",
        )?;
        tree = fresh;
    }
    catalog::lines_at_margin(&input.text).count();
    Ok(())
}

/// A value that was read can be written, read again, and checked.
fn values(input: &Input) -> Outcome {
    let any = Type::new(TypeKind::Primitive(Primitive::Any));
    if let Ok(value) = json::read(&input.text) {
        let written = json::write(&value);
        let again = json::read(&written).map_err(|_| "a written value can be read".to_owned())?;
        law(
            json::write(&again) == written,
            "a value is written as it was read",
        )?;
        check(
            &value,
            &any,
            Direction::Input,
            Mode::default(),
            Edition::default(),
        );
        let edition = Edition::default();
        if let (Some(signature), _) = parse_signature("(a :int, b [{c :string}]) -> :int", edition)
        {
            let record = Type::new(TypeKind::Record(signature.params));
            check(
                &value,
                &record,
                Direction::Input,
                Mode::default(),
                Edition::default(),
            );
        }
    }
    if let Ok(value) = yaml::read(&input.text) {
        check(
            &value,
            &any,
            Direction::Output,
            Mode::default(),
            Edition::default(),
        );
    }
    Ok(())
}

fn specs(input: &Input) -> Outcome {
    let mut types = typespec::DeclaredTypes::default();
    types.declare(&input.text);
    let (spec, head) = input
        .text
        .split_once('\n')
        .unwrap_or((&input.text, "get(id)"));
    typespec::extract(spec, Some(head), &types);
    typespec::extract(&input.text, None, &types);
    Ok(())
}

/// Diagnostics and all features stay within the text, and after each edit they equal those of a fresh document.
fn documents(kind: HostKind, input: &Input) -> Outcome {
    let settings = Settings::default();
    let mut document = Document::new(kind, &input.text, settings.clone());
    features(&document, &input.text)?;
    for (edit, text) in input.steps() {
        document.edit(&edit);
        let fresh = Document::new(kind, &text, settings.clone());
        law(
            document.text() == fresh.text(),
            "an edited document has the text of a fresh one",
        )?;
        law(
            document.diagnostics() == fresh.diagnostics(),
            "an edited document has the findings of a fresh one",
        )?;
        features(&document, &text)?;
    }
    Ok(())
}

/// Requests everything about a document, at some of its places.
fn features(document: &Document, text: &str) -> Outcome {
    let whole = TextRange::up_to(size(text.len()));
    let found = document.diagnostics();
    in_bounds(text, found.iter().map(|it| it.range))?;
    for fix in found.iter().flat_map(|it| &it.fixes) {
        in_bounds(text, fix.edits.iter().map(|it| it.range))?;
    }
    in_bounds(
        text,
        ide::semantic_tokens(document, whole)
            .iter()
            .map(|it| it.range),
    )?;
    ide::folding(document);
    ide::inlay_hints(document, whole);
    ide::lenses(document);
    ide::listing(document);
    ide::previews(document, None);
    ide::rule_links(document);
    ide::symbols(document);
    let step = (text.len() / 7).max(1);
    for offset in (0..=text.len()).step_by(step) {
        let offset = size(text.floor_char_boundary(offset));
        features_at(document, text, offset)?;
    }
    Ok(())
}

fn features_at(document: &Document, text: &str, offset: TextSize) -> Outcome {
    ide::completion(document, &[], offset);
    ide::hover(document, offset);
    ide::definitions(document, offset);
    ide::functions_at(document, offset);
    ide::type_definitions(document, offset);
    ide::preview_at(document, offset, None);
    ide::refactorings(document, offset);
    ide::signature_help(document, offset);
    ide::highlights(document, offset);
    in_bounds(
        text,
        ide::linked_ranges(document, offset).into_iter().flatten(),
    )?;
    in_bounds(text, ide::selection(document, offset).into_iter())?;
    in_bounds(text, ide::references(document, offset, true).into_iter())?;
    if let Ok(Some(edits)) = ide::rename(document, offset, "renamed") {
        in_bounds(text, edits.iter().map(|it| it.range))?;
    }
    Ok(())
}

fn in_bounds(text: &str, mut ranges: impl Iterator<Item = TextRange>) -> Outcome {
    let is_in = |range: TextRange| {
        text.get(usize::from(range.start())..usize::from(range.end()))
            .is_some()
    };
    law(
        ranges.all(is_in),
        "ranges are within the text and between characters",
    )
}

/// A formatted text has no more errors, and nothing to format.
fn formatted(input: &Input) -> Outcome {
    for &kind in HostKind::ALL {
        let document = Document::new(kind, &input.text, Settings::default());
        let after = applied(&document, &ide::format_signatures(&document))?;
        let formatted = Document::new(kind, &after, Settings::default());
        law(
            ide::format_signatures(&formatted).is_empty(),
            "a formatted text has nothing to format",
        )?;
        law(
            errors(&formatted) <= errors(&document),
            "a formatted text has no more errors",
        )?;
    }
    Ok(())
}

/// After all safe fixes there are no more errors than before, and no safe fixes.
fn fixed(input: &Input) -> Outcome {
    for &kind in HostKind::ALL {
        let document = Document::new(kind, &input.text, Settings::default());
        let after = applied(&document, &ide::fix_all(&document))?;
        let fixed = Document::new(kind, &after, Settings::default());
        law(
            errors(&fixed) <= errors(&document),
            "fixes leave no more errors",
        )?;
        law(
            ide::fix_all(&fixed).is_empty(),
            "all safe fixes reach their end in one run",
        )?;
    }
    Ok(())
}

fn errors(document: &Document) -> usize {
    let found = document.diagnostics().into_iter();
    found.filter(|it| it.severity == Severity::Error).count()
}

/// The text of `document` after `edits`, which take its line ends.
fn applied(document: &Document, edits: &[TextEdit]) -> Result<String, String> {
    let mut text = document.text().rope().to_string();
    in_bounds(&text, edits.iter().map(|it| it.range))?;
    let is_sorted = edits
        .windows(2)
        .all(|pair| pair[0].range.end() <= pair[1].range.start());
    law(is_sorted, "edits are in order and apart")?;
    for edit in edits.iter().rev() {
        let insert = document.text().with_line_ends(&edit.insert);
        TextEdit::replace(edit.range, insert).apply(&mut text);
    }
    Ok(text)
}
