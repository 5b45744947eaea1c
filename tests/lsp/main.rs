//! The server as an editor meets it: the real binary over standard input and output.

mod burst;
mod cancellation;
mod client;
mod editor;
mod features;
mod functions;
mod lifecycle;
mod names;
mod positions;
mod requests;
mod settings;
mod sync;
