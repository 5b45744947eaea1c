//! The language server: the only place with LSP types and their columns.
//!
//! - `transport` reads messages and calls `handlers`, which turn each into an event;
//! - `outbox` queues the messages to the client, `log` the log entries;
//! - `main_loop` owns the open `document`s, applies their changes and publishes the diagnostics, as `rendered`;
//! - readers run on a `pool`, on snapshots, and answer through `convert`; `results` passes rendered answers to the
//!   outbox;
//! - `uris` and `paths` parse URIs, `position` and `lines` count columns, `capabilities` and `settings` read what the
//!   client supports and sets.

mod capabilities;
mod client;
mod client_process;
mod convert;
mod document;
mod framing;
mod handlers;
mod lines;
mod log;
mod main_loop;
mod memory;
mod outbox;
mod paths;
mod pool;
mod position;
mod progress;
mod publish;
mod queue;
mod registrations;
mod rendered;
mod results;
mod settings;
mod settings_files;
mod tolerance;
mod transport;
mod uris;
mod user_settings;

use std::{
    fs::File,
    io,
    process::ExitCode,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use tower_lsp::LspService;

use self::{
    convert::Results,
    handlers::Handlers,
    log::Log,
    main_loop::{Event, MainLoop},
    outbox::Outbox,
    pool::Pool,
};

/// The number of bytes that are read at once, as many as a pipe holds.
const INPUT: usize = 64 * 1024;

/// How many requests run at once at least, so that short ones do not wait for a long one on few processors.
const LEAST_READERS: usize = 4;

/// How long pending work may delay the exit.
const FAREWELL: Duration = Duration::from_secs(1);

/// Serves one client over stdin and stdout until it sends `exit` or is gone.
///
/// The exit code is that of the protocol: 0 after a `shutdown`, else 1.
///
/// # Errors
/// If the system has no threads left or stdout is missing.
pub fn run() -> io::Result<ExitCode> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(processors.max(LEAST_READERS))
        .build()?;
    let outbox = Outbox::new(standard_output()?)?;
    let log = Log::start(outbox.clone())?;
    let (events, inbox) = mpsc::channel();
    let main_loop = MainLoop::new(
        outbox.clone(),
        log.clone(),
        Pool::new(runtime.handle()),
        events.clone(),
    );
    let (end, has_ended) = mpsc::channel();
    thread::Builder::new()
        .name("main-loop".to_owned())
        .spawn(move || {
            main_loop.run(&inbox);
            let _ = end.send(());
        })?;

    let is_shut_down = Arc::new(AtomicBool::new(false));
    let handlers = Handlers {
        events: events.clone(),
        client: OnceLock::new(),
        is_shut_down: is_shut_down.clone(),
        outbox: outbox.clone(),
        results: Results::default(),
    };
    let service = LspService::build(|_| handlers)
        .custom_method("signature-ls/edition", Handlers::edition)
        .custom_method("signature-ls/preview", Handlers::preview)
        .custom_method("window/workDoneProgress/cancel", Handlers::cancel_progress);
    #[cfg(debug_assertions)]
    let service = service
        .custom_method("signature-ls/panic", Handlers::panic)
        .custom_method("signature-ls/text", Handlers::text);
    let (service, _) = service.finish();
    transport::serve(
        io::BufReader::with_capacity(INPUT, io::stdin().lock()),
        &outbox,
        service,
        runtime.handle(),
        |id, value| drop(events.send(Event::Answer(id, value))),
    );

    // The loop ends here, or has ended.
    let _ = events.send(Event::End);
    let _ = has_ended.recv_timeout(FAREWELL);
    log.flush(FAREWELL);
    outbox.drain(FAREWELL);
    runtime.shutdown_background();
    Ok(match is_shut_down.load(Ordering::Acquire) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Stdout without the line buffer, which would split every message.
#[cfg(unix)]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;

    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;

    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}
