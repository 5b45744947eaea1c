//! The edition that a project uses, from the text of its `mix.lock` or `mix.exs`.
//!
//! Which files to look into, and in which order, is not decided here.
