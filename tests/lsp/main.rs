//! The server from an editor's point of view: the real binary over stdin and stdout.

mod announced;
mod burst;
mod cancellation;
mod client;
mod clients;
mod disk;
mod drift;
mod editor;
mod features;
mod functions;
mod hostile;
mod lifecycle;
mod limits;
mod memory;
mod model;
mod names;
mod noise;
mod panics;
mod positions;
mod random;
mod requests;
mod settings;
mod settings_file;
mod sync;
mod typist;
mod workspace;
