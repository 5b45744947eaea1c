//! Passes build information to the program, for `--version`, and lets the linker keep it small: equal functions are kept
//! once, and relocations are packed.
//!
//! Only a release contains its commit: other builds would be rebuilt after every commit.

use std::{env, fs, path::Path, process::Command};

fn main() {
    println!("cargo::rerun-if-env-changed=SIGNATURE_LS_COMMIT");
    let given = env::var("SIGNATURE_LS_COMMIT").ok();
    let is_release = env::var("PROFILE").is_ok_and(|it| it == "release");
    let of_git = || git(&["rev-parse", "--short", "HEAD"]).or_else(of_package);
    let commit = given.or_else(|| of_git().filter(|_| is_release));
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
    if is_release && links_with_lld(&target) {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
        if has_packed_relocations() {
            println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }
}

/// Whether the C library of this system, with which the program is linked, loads packed relocations, as glibc does since
/// 2.36. Others take a twenty-fifth of the program.
fn has_packed_relocations() -> bool {
    let version = output(Command::new("getconf").arg("GNU_LIBC_VERSION")).unwrap_or_default();
    let numbers = version.trim_start_matches("glibc ").split('.');
    let numbers: Vec<u32> = numbers.map_while(|it| it.parse().ok()).collect();
    numbers >= vec![2, 36]
}

/// Whether the compiler links with the lld that it comes with. Other linkers may not know its options.
fn links_with_lld(target: &str) -> bool {
    let is_default =
        target == "x86_64-unknown-linux-gnu" && env::var("HOST").as_deref() == Ok(target);
    let has_flags = env::var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|it| !it.is_empty());
    let has_linker = env::var_os("RUSTC_LINKER").is_some();
    let sysroot =
        env::var_os("RUSTC").and_then(|it| output(Command::new(it).args(["--print", "sysroot"])));
    let folder = sysroot.map(|it| Path::new(&it).join("lib/rustlib").join(target));
    let has_lld = folder.is_some_and(|it| it.join("bin/gcc-ld/ld.lld").exists());
    is_default && !has_flags && !has_linker && has_lld
}

/// The commit that cargo records in a packaged crate.
fn of_package() -> Option<String> {
    let noted = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, sha) = noted.split_once("\"sha1\": \"")?;
    sha.get(..7).map(str::to_owned)
}

/// The output of git; none without git or outside our repository.
fn git(arguments: &[&str]) -> Option<String> {
    output(Command::new("git").args(arguments))
}

/// The output of a command, if it succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
