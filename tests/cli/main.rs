//! The command line from outside: the real binary in a temporary folder.

mod batch;
mod check;
mod explain;
mod fix;
mod folder;
mod format;
#[cfg(unix)]
mod hostile;
mod list;
mod page;
mod render;
mod report;
mod schema;
mod settings;
mod stdin;
mod validate;
