//! The manual: its links lead somewhere, and its table of contents lists every page.

use std::{
    collections::{BTreeSet, HashSet},
    fs,
    path::{Path, PathBuf},
};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Markdown files in a folder of the repository and, if asked, below it.
fn pages(folder: &Path, is_deep: bool) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if is_deep && path.is_dir() {
            pages.extend(pages_below(&path));
        } else if path.extension().is_some_and(|it| it == "md") {
            pages.push(path);
        }
    }
    pages
}

fn pages_below(folder: &Path) -> Vec<PathBuf> {
    pages(folder, true)
}

/// The links of a page and the anchors of its headings, as repository browsers and mdBook name them.
fn links_and_anchors(page: &Path) -> (Vec<String>, HashSet<String>) {
    let text = fs::read_to_string(page).expect("a page");
    let (mut links, mut anchors) = (Vec::new(), HashSet::new());
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                links.push(dest_url.to_string());
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                anchors.extend(heading.take().map(|it| anchor(&it)));
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            _ => {}
        }
    }
    (links, anchors)
}

fn anchor(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let kept = lower
        .chars()
        .filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    kept.map(|it| if it == ' ' { '-' } else { it }).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut all = pages(root(), false);
    all.extend(pages_below(&root().join("docs")));
    for editor in ["emacs", "neovim", "vscode"] {
        all.extend(pages(&root().join("editors").join(editor), false));
    }
    let mut broken = Vec::new();
    for page in &all {
        let folder = page.parent().expect("a folder");
        for link in links_and_anchors(page).0 {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (path, wanted) = link.split_once('#').unwrap_or((&link, ""));
            let target = match path {
                "" => page.clone(),
                path => folder.join(path),
            };
            let leads_there = target.exists()
                && (wanted.is_empty() || links_and_anchors(&target).1.contains(wanted));
            if !leads_there {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_contents_list_every_page() {
    let docs = root().join("docs");
    let (links, _) = links_and_anchors(&docs.join("SUMMARY.md"));
    let listed: BTreeSet<_> = links.iter().map(|it| docs.join(it)).collect();
    let mut there: BTreeSet<_> = pages_below(&docs).into_iter().collect();
    there.remove(&docs.join("SUMMARY.md"));
    assert_eq!(listed, there);
}
