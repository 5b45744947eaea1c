//! The binary `signature-ls`: everything is in the library.

use std::process::ExitCode;

/// Faster than the allocators of most systems with many threads, and gives more memory back; docs/dependencies.md.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    signature_ls::cli::run()
}
