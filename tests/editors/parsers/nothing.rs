//! Holds nothing; see `Cargo.toml`.
