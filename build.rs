//! Tells a release build its commit, so that `--version` can name it.
//!
//! Other builds have none: they would be built anew after every commit.

use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-env-changed=SIGNATURE_LS_COMMIT");
    let given = env::var("SIGNATURE_LS_COMMIT").ok();
    let is_release = env::var("PROFILE").is_ok_and(|it| it == "release");
    let commit = given.or_else(|| git(&["rev-parse", "--short", "HEAD"]).filter(|_| is_release));
    if is_release && let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    let suffix = commit.map(|it| format!(" ({it})")).unwrap_or_default();
    println!("cargo::rustc-env=SIGNATURE_LS_COMMIT_SUFFIX={suffix}");
}

/// What git prints; none where there is no git or no repository of ours.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
