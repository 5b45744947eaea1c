//! Cases that were found, kept as files.

use std::{
    collections::hash_map::DefaultHasher,
    fs,
    hash::{Hash, Hasher},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::input::Input;

fn folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("cases")
        .join(target)
}

/// The cases of a target by their names.
pub fn read(target: &str) -> Vec<(String, Input)> {
    let entries = fs::read_dir(folder(target)).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let case = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a case can be read");
        let input = serde_json::from_str(&text).expect("a case is an input");
        (
            path.file_name().unwrap_or_default().display().to_string(),
            input,
        )
    };
    paths.into_iter().map(case).collect()
}

/// Stores a case; returns its path.
pub fn write(target: &str, input: &Input) -> PathBuf {
    let folder = folder(target);
    fs::create_dir_all(&folder).expect("a folder for cases");
    let text = serde_json::to_string_pretty(input).expect("an input is JSON") + "\n";
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let path = folder.join(format!("{:016x}.json", hasher.finish()));
    fs::write(&path, text).expect("a case can be written");
    path
}

/// The time limit for making an input smaller.
const SHRINKING: Duration = Duration::from_secs(60);

/// A smaller input that still `fails`.
pub fn shrink(input: &Input, fails: impl Fn(&Input) -> bool) -> Input {
    let begin = Instant::now();
    let fails = |input: &Input| begin.elapsed() < SHRINKING && fails(input);
    let mut small = input.clone();
    let mut is_smaller = true;
    while is_smaller {
        is_smaller = false;
        for index in (0..small.edits.len()).rev() {
            let mut next = small.clone();
            next.edits.remove(index);
            if fails(&next) {
                small = next;
                is_smaller = true;
            }
        }
        let mut len = small.text.len() / 2;
        while len > 0 {
            let mut start = 0;
            while start < small.text.len() {
                let mut next = small.clone();
                let from = next.text.floor_char_boundary(start);
                let to = next
                    .text
                    .ceil_char_boundary((start + len).min(next.text.len()));
                next.text.replace_range(from..to, "");
                for edit in &mut next.edits {
                    let before = edit.start.clamp(from, to) - from;
                    edit.start -= before.min(edit.start);
                }
                if to > from && fails(&next) {
                    small = next;
                    is_smaller = true;
                } else {
                    start += len;
                }
            }
            len /= 2;
        }
    }
    small
}
