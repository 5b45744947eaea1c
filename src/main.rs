//! The binary `signature-ls`: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    signature_ls::cli::run()
}
