//! Tells the program how it was built, so that `--version` can name it.
//!
//! Only a release knows its commit: other builds would be built anew after every commit.

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
    let target = env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=SIGNATURE_LS_TARGET={target}");
    let compiler = env::var_os("RUSTC").and_then(|it| output(Command::new(it).arg("--version")));
    let compiler = compiler.unwrap_or_default();
    println!("cargo::rustc-env=SIGNATURE_LS_COMPILER={compiler}");
}

/// What git prints; none where there is no git or no repository of ours.
fn git(arguments: &[&str]) -> Option<String> {
    output(Command::new("git").args(arguments))
}

/// What a command prints, where it succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
