//! Shared by the tests of all hosts.

use std::{fmt::Write, fs, ops::Range, path::Path, sync::Arc};

use expect_test::expect_file;
use proptest::prelude::*;
use rowan::{GreenNode, GreenNodeData, NodeOrToken};

use crate::{
    host::{
        HostDocument, HostKind, PlacedUnit, Role, Roles,
        lisp::{Arguments, Arity, NamedArgument, Parameter, Program},
        token_tree::{Kind, SyntaxNode},
    },
    text::{Text, TextEdit, TextRange, TextSize, size},
};

/// Renders units one below the other, each with its sites and arguments.
pub fn render(text: &str, units: &[PlacedUnit]) -> String {
    let mut out = String::new();
    for PlacedUnit { start, unit, .. } in units {
        let range = TextRange::at(*start, unit.len);
        let _ = writeln!(
            out,
            "unit {}..{}",
            place(text, range.start()),
            place(text, range.end())
        );
        for site in &unit.sites {
            let role = match site.role {
                Role::Signature => "signature",
                Role::Prompt => "prompt",
                Role::Description => "description",
                Role::Tool => "tool",
            };
            let name = site.name.as_deref().map(|name| format!(" {name:?}"));
            let content = site.content + *start;
            let _ = writeln!(
                out,
                "  {role}{} {} {:?}",
                name.unwrap_or_default(),
                place(text, (site.literal + *start).start()),
                &text[content],
            );
            for foreign in site.foreign.iter() {
                let range = foreign.range + content.start();
                let at = place(text, range.start());
                let _ = writeln!(out, "    {:?} {at} {:?}", foreign.kind, &text[range]);
            }
        }
        for argument in &unit.arguments {
            let range = argument.value + *start;
            let at = place(text, range.start());
            let _ = writeln!(out, "  {}: {at} {:?}", argument.key, &text[range]);
        }
        if let Some(tool) = unit.tool_name() {
            let _ = writeln!(out, "  {tool:?}");
        }
        for tool in unit.tools.iter().flatten() {
            let signature = tool.signature().map(|it| &text[it.content + *start]);
            let _ = writeln!(
                out,
                "  {:?} at {} {:?} {:?}",
                tool.name,
                place(text, (tool.key + *start).start()),
                &text[tool.range + *start],
                signature.unwrap_or_default(),
            );
        }
        for line in program_lines(unit.program(), &|range| &text[range + *start]) {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

/// What a program holds, a line for each part; `text` reads a range of it.
fn program_lines<'t>(program: &Program, text: &dyn Fn(TextRange) -> &'t str) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(function) = &program.function {
        let doc = function.doc.map(text).unwrap_or_default();
        let parameter = |it: &Parameter| {
            let rest = if it.is_rest { "&" } else { "" };
            let keys: Vec<_> = it.keys.iter().map(|(name, _)| name.as_str()).collect();
            match it.name.as_deref() {
                Some(name) => format!("{rest}{name}"),
                None => format!("{rest}_{}", keys.join("_")),
            }
        };
        let arity = |arity: &Arity| {
            let parameters: Vec<_> = arity.parameters.iter().map(parameter).collect();
            format!("{} [{}]", text(arity.range), parameters.join(" "))
        };
        let arities: Vec<_> = function.arities.iter().map(arity).collect();
        lines.push(format!(
            "function {} {doc} {}",
            text(function.name_range),
            arities.join(" | ")
        ));
    }
    for call in &program.calls {
        let named =
            |it: &NamedArgument| format!("{}={}", text(it.key), it.value.map(text).unwrap_or("?"));
        let all = |it: &[NamedArgument]| it.iter().map(named).collect::<Vec<_>>().join(" ");
        let arguments = match &call.arguments {
            Arguments::None => String::new(),
            Arguments::Map {
                entries,
                is_complete,
                ..
            } => format!(" map({is_complete}) {}", all(entries)),
            Arguments::Pairs(pairs) => format!(" pairs {}", all(pairs)),
            Arguments::Positional(values) => format!(
                " positional {:?}",
                values.iter().map(|it| text(*it)).collect::<Vec<_>>()
            ),
            Arguments::Dynamic(range) => format!(" dynamic {}", text(*range)),
        };
        let threaded = if call.is_threaded { " threaded" } else { "" };
        lines.push(format!(
            "call {} {}{arguments}{threaded}",
            text(call.head),
            text(call.name_range)
        ));
    }
    for it in program.returns.iter() {
        lines.push(format!("return {}", it.value.map(text).unwrap_or("?")));
    }
    for it in program.references.iter() {
        lines.push(format!(
            "reference {} {}",
            text(it.range),
            text(it.name_range)
        ));
    }
    lines
}

/// Line and column, both from 1, columns in UTF-16.
fn place(text: &str, offset: TextSize) -> String {
    let before = &text[..usize::from(offset)];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() + 1;
    let column = before[line_start..].encode_utf16().count() + 1;
    format!("{line}:{column}")
}

/// Compares what is found in each file of a folder below `src/host` with the `.sites` file beside it.
pub fn check_fixtures(folder: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/host")
        .join(folder);
    let mut checked = 0;
    for kind in ["ok", "err", "fuzz"] {
        let entries = fs::read_dir(root.join(kind)).expect("the folder of fixtures is there");
        for entry in entries {
            let path = entry.expect("a folder can be read").path();
            if path
                .extension()
                .is_some_and(|extension| extension == "sites")
            {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a fixture is UTF-8");
            let host = HostKind::from_path(&path).expect("a fixture has a known extension");
            let document = HostDocument::parse(host, &Text::from(text.as_str()), &Roles::default());
            check_places(&text, document.units());
            let mut sites = path.clone().into_os_string();
            sites.push(".sites");
            expect_file![Path::new(&sites)].assert_eq(&render(&text, document.units()));
            checked += 1;
        }
    }
    assert!(checked > 0, "no fixtures in {folder}");
}

/// Checks that every range of the units lies where it may.
pub fn check_places(text: &str, units: &[PlacedUnit]) {
    let mut previous = TextSize::from(0);
    for PlacedUnit { start, unit, .. } in units {
        assert!(previous <= *start, "out of order: {}", render(text, units));
        previous = *start;
        let whole = TextRange::up_to(unit.len);
        assert!(
            text.get(usize::from(*start)..usize::from(*start + unit.len))
                .is_some()
        );
        for site in &unit.sites {
            assert!(whole.contains_range(site.literal), "{site:?} in {unit:?}");
            assert!(site.literal.contains_range(site.content), "{site:?}");
            let content = site.content + *start;
            let content = text.get(Range::<usize>::from(content));
            let content = content.expect("content ends between characters");
            let mut at = TextSize::from(0);
            for foreign in site.foreign.iter() {
                assert!(
                    !foreign.range.is_empty() && at <= foreign.range.start(),
                    "{site:?}"
                );
                assert!(content.get(Range::<usize>::from(foreign.range)).is_some());
                at = foreign.range.end();
            }
        }
        for tool in unit.tools.iter().flatten() {
            let signature = tool.signature().map(|it| it.literal);
            for range in [tool.key, tool.range].into_iter().chain(signature) {
                assert!(whole.contains_range(range), "{tool:?}");
            }
        }
        for argument in &unit.arguments {
            assert!(whole.contains_range(argument.value), "{argument:?}");
        }
    }
}

/// An edit, given without knowing the text: a place and a length in parts of 10,000, and what to insert.
pub type AnyEdit = (u32, u32, String);

/// Edits that insert one of `pieces`, or some characters, anywhere.
pub fn any_edits(pieces: &'static [&'static str]) -> impl Strategy<Value = Vec<AnyEdit>> {
    let insert = prop_oneof![
        4 => proptest::sample::select(pieces).prop_map(str::to_owned),
        1 => "[a-z \n\"'`#:{}()\\[\\]-]{0,3}",
        2 => Just(String::new()),
    ];
    let length = prop_oneof![3 => Just(0_u32), 2 => 0..300_u32, 1 => 0..3000_u32];
    proptest::collection::vec((0..=10_000_u32, length, insert), 1..8)
}

/// Follows `edits` from `text` on and checks after each that the document is the one a full parse gives,
/// and that the reported change is the change made.
pub fn check_edits(kind: HostKind, text: &str, edits: &[AnyEdit]) {
    check_edits_with(&Roles::default(), kind, text, edits);
}

/// [`check_edits`] where keys and calls mean what `roles` say.
pub fn check_edits_with(roles: &Roles, kind: HostKind, text: &str, edits: &[AnyEdit]) {
    let edits = edits.iter().map(|(at, length, insert)| {
        move |text: &str| TextEdit::replace(range_of(text, *at, *length), insert.as_str())
    });
    check_all(roles, kind, text, edits);
}

/// [`check_edits`] where each edit is text that occurs for the first time where it is, and what is in its place then.
pub fn check_replacements(kind: HostKind, text: &str, edits: &[(&str, &str)]) {
    let edits = edits.iter().map(|(old, new)| {
        move |text: &str| {
            let at = text.find(old).expect("the text to replace is there");
            TextEdit::replace(TextRange::at(size(at), TextSize::of(*old)), *new)
        }
    });
    check_all(&Roles::default(), kind, text, edits);
}

/// [`check_edits`] where each edit deletes some lines of `text`, one or two of them.
pub fn check_deleted_lines(kind: HostKind, text: &str) {
    let starts = text.split_inclusive('\n').scan(0, |end, line| {
        let start = *end;
        *end += line.len();
        Some(start)
    });
    let starts: Vec<_> = starts.chain([text.len()]).collect();
    for count in 1..=2 {
        for lines in starts.windows(count + 1) {
            let range = TextRange::new(size(lines[0]), size(lines[count]));
            let edit = |_: &str| TextEdit::delete(range);
            check_all(&Roles::default(), kind, text, std::iter::once(edit));
        }
    }
}

fn check_all(
    roles: &Roles,
    kind: HostKind,
    text: &str,
    edits: impl Iterator<Item = impl Fn(&str) -> TextEdit>,
) {
    let mut string = text.to_owned();
    let mut text = Text::from(text);
    let mut document = HostDocument::parse(kind, &text, roles);
    for edit in edits {
        let edit = edit(&string);
        let before = document.units().to_vec();
        edit.apply(&mut string);
        text.apply(&edit);
        let change = document.edit(&text, &edit);

        let full = HostDocument::parse(kind, &text, roles);
        let found = render(&string, document.units());
        assert_eq!(
            found,
            render(&string, full.units()),
            "after {edit:?} in {string:?}"
        );
        let all = |document: &HostDocument| {
            let units = document.units().iter();
            let all = units.map(|it| {
                (
                    it.start,
                    Arc::clone(&it.unit),
                    it.origins().collect::<Vec<_>>(),
                )
            });
            all.collect::<Vec<_>>()
        };
        assert!(
            all(&document) == all(&full),
            "other units after {edit:?} in {string:?}"
        );
        check_places(&string, document.units());
        check_kept(&before, document.units(), &change.removed, change.inserted);
    }
}

fn check_kept(
    before: &[PlacedUnit],
    after: &[PlacedUnit],
    removed: &Range<usize>,
    inserted: usize,
) {
    assert_eq!(before.len() - removed.len() + inserted, after.len());
    let kept = before[..removed.start].iter().chain(&before[removed.end..]);
    let now = after[..removed.start]
        .iter()
        .chain(&after[removed.start + inserted..]);
    for (before, after) in kept.zip(now) {
        assert!(Arc::ptr_eq(&before.unit, &after.unit));
    }
}

fn range_of(text: &str, at: u32, length: u32) -> TextRange {
    let place = |parts: u32| {
        let offset = text.len() * parts.min(10_000) as usize / 10_000;
        let boundary = (0..=offset).rev().find(|at| text.is_char_boundary(*at));
        size(boundary.unwrap_or_default())
    };
    TextRange::new(place(at), place(at + length))
}

/// The nodes of the given kinds that a tree-sitter grammar finds, the outermost ones, in order; `None`
/// where it finds an error.
pub fn judged(
    language: impl Into<tree_sitter::Language>,
    text: &str,
    kinds: &[&str],
) -> Option<Vec<Range<usize>>> {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&language.into())
        .expect("the grammar fits");
    let tree = parser.parse(text, None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut found = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        if kinds.contains(&node.kind()) {
            found.push(node.byte_range());
        } else {
            let mut cursor = node.walk();
            open.extend(node.children(&mut cursor));
        }
    }
    found.sort_by_key(|range| range.start);
    Some(found)
}

/// The strings and regular expressions of a token tree, in order.
pub fn strings(text: &str, green: &GreenNode) -> Vec<Range<usize>> {
    let root = SyntaxNode::new_root(green.clone());
    assert_eq!(root.text(), text);
    let strings = root
        .descendants()
        .filter(|node| matches!(node.kind(), Kind::String | Kind::Regex));
    strings.map(|node| node.text_range().into()).collect()
}

/// How many nodes are around the deepest one, itself included.
pub fn depth(green: &GreenNode) -> usize {
    let mut deepest = 0;
    // A recursive function would end at the depth that it is to measure.
    let mut open: Vec<(&GreenNodeData, usize)> = vec![(green, 1)];
    while let Some((node, depth)) = open.pop() {
        deepest = deepest.max(depth);
        let children = node.children().filter_map(NodeOrToken::into_node);
        open.extend(children.map(|it| (it, depth + 1)));
    }
    deepest
}

/// Checks that `ours` are the ranges that a judge found.
#[track_caller]
pub fn check_ranges(text: &str, ours: &[Range<usize>], judged: &[Range<usize>]) {
    let shown = |ranges: &[Range<usize>]| -> Vec<String> {
        ranges
            .iter()
            .map(|range| format!("{range:?} {}", &text[range.clone()]))
            .collect()
    };
    assert_eq!(shown(ours), shown(judged), "in {text:?}");
}

/// The texts of the fixtures below a folder of `src/host`.
pub fn fixtures(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/host")
        .join(folder);
    let entries = fs::read_dir(folder).expect("the folder of fixtures is there");
    let paths = entries.map(|entry| entry.expect("a folder can be read").path());
    let texts: Vec<_> = paths
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension != "sites")
        })
        .map(|path| fs::read_to_string(path).expect("a fixture is UTF-8"))
        .collect();
    assert!(!texts.is_empty(), "no fixtures");
    texts
}
