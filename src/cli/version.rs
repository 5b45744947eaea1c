//! The version of the program and how it was built.

use std::{fmt::Write, thread};

use super::VERSION;

/// A line for each fact, for bug reports.
pub(super) fn verbose() -> String {
    let build = match cfg!(debug_assertions) {
        true => "debug",
        false => "release",
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut text = format!("{} {VERSION}\n", env!("CARGO_PKG_NAME"));
    for (name, value) in [
        ("target", env!("SIGNATURE_LS_TARGET")),
        ("compiler", env!("SIGNATURE_LS_COMPILER")),
        ("build", build),
        ("cores", &cores.to_string()),
    ] {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}: {value}");
    }
    text
}
