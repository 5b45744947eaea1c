//! The server as an editor meets it: the real binary over standard input and output.

mod burst;
mod cancellation;
mod client;
mod disk;
mod editor;
mod features;
mod functions;
mod hostile;
mod lifecycle;
mod limits;
mod names;
mod panics;
mod positions;
mod requests;
mod settings;
mod sync;
