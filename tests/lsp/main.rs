//! The server as an editor meets it: the real binary over standard input and output.

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
mod workspace;
