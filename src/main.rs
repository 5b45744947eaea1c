//! The binary `signature-ls`: all of it lives in the library.

fn main() {}
