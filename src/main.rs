//! The binary `signature-ls`: all of it lives in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    signature_ls::cli::run()
}
