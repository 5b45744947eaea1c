//! The binary `signature-ls`: everything is in the library.

use std::process::ExitCode;

/// Faster than the allocators of most systems, and leaves less room between what it gives out; docs/dependencies.md.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[cfg(target_env = "msvc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    signature_ls::cli::run()
}
