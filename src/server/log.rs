//! The server's log: for the client with `window/logMessage`, and for a file in the settings.
//!
//! Events are those of `tracing` in this crate. They never contain text of a document: of a panic, only its location
//! is logged, because its message may quote a document. One thread writes, so an event can come from anywhere, even
//! from a panic while sending.

mod file;

use std::{
    fmt::{self, Write},
    io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread,
    time::Duration,
};

use serde_json::Value;
use tower_lsp::ls_types as lsp;
use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    level_filters::LevelFilter,
    subscriber::Interest,
};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use self::file::LogFile;
use super::outbox::Outbox;
use crate::workspace::settings_file;

/// The name of the setting.
pub(super) const SETTING: &str = "log";

/// The levels, from quiet to verbose.
const LEVELS: [(&str, LevelFilter); 5] = [
    ("off", LevelFilter::OFF),
    ("error", LevelFilter::ERROR),
    ("warning", LevelFilter::WARN),
    ("info", LevelFilter::INFO),
    ("debug", LevelFilter::DEBUG),
];

/// The index of the default level.
const DEFAULT_LEVEL: u8 = 2;

/// The log settings of the user.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LogSettings {
    level: u8,
    file: Option<PathBuf>,
}

impl LogSettings {
    /// Reads the setting in the settings of an editor; `None` if it is missing.
    ///
    /// # Errors
    /// A sentence for the user if a value is invalid.
    pub(super) fn read(settings: &Value) -> Result<Option<Self>, String> {
        let Some(chosen) = settings.get(SETTING).filter(|it| !it.is_null()) else {
            return Ok(None);
        };
        if !chosen.is_object() {
            return Err("`log` has to be a table with `level` and `file`.".to_owned());
        }
        let setting = |name| chosen.get(name).filter(|it| !it.is_null());
        let level = match setting("level") {
            None => DEFAULT_LEVEL,
            Some(level) => {
                let mut names = (0..).zip(LEVELS);
                let found = names.find(|(_, (name, _))| level == name);
                let (index, _) = found
                    .ok_or("`log.level` has to be one of \"off\", \"error\", \"warning\", \"info\", \"debug\".".to_owned())?;
                index
            }
        };
        let file = match setting("file") {
            None => None,
            // Editors send this for an unset value.
            Some(path) if path == "" => None,
            Some(path) => {
                let path = path.as_str().map(PathBuf::from);
                let path =
                    path.filter(|it| it.is_absolute() && it.extension() == Some("log".as_ref()));
                Some(path.ok_or("`log.file` has to be an absolute path that ends in `.log`.")?)
            }
        };
        Ok(Some(Self { level, file }))
    }

    /// A sentence for the user about a name in the setting that does not exist.
    pub(super) fn unknown(settings: &Value) -> Option<String> {
        let known = ["level", "file"];
        let mut names = settings.get(SETTING)?.as_object()?.keys();
        let unknown = names.find(|it| !known.contains(&it.as_str()))?;
        let path = format!("{SETTING}.{unknown}");
        Some(settings_file::no_setting(&path, unknown, &known))
    }
}

/// The log of this process.
#[derive(Debug, Clone)]
pub(super) struct Log {
    level: Arc<AtomicU8>,
    entries: Sender<Command>,
}

#[derive(Debug)]
enum Command {
    Event(Level, String),
    File(Option<PathBuf>),
    /// Sent when all earlier entries are written.
    Flush(Sender<()>),
}

impl Log {
    /// Logs events of this process from now on, including panics.
    ///
    /// # Errors
    /// If the system has no threads left.
    pub(super) fn start(outbox: Outbox) -> io::Result<Self> {
        let (entries, inbox) = mpsc::channel();
        thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || write_all(&inbox, &outbox))?;
        let log = Self {
            level: Arc::new(AtomicU8::new(DEFAULT_LEVEL)),
            entries,
        };
        let subscriber = tracing_subscriber::registry().with(log.clone());
        // A process has one server.
        let _ = tracing::subscriber::set_global_default(subscriber);
        std::panic::set_hook(Box::new(|panic| {
            let place = panic.location().map(ToString::to_string);
            tracing::error!("internal error at {}", place.unwrap_or_default());
        }));
        Ok(log)
    }

    /// Applies the user's settings.
    pub(super) fn set(&self, settings: LogSettings) {
        self.level.store(settings.level, Ordering::Release);
        self.put(Command::File(settings.file));
    }

    /// Waits until everything is written, for at most `patience`.
    pub(super) fn flush(&self, patience: Duration) {
        let (done, is_done) = mpsc::channel();
        self.put(Command::Flush(done));
        let _ = is_done.recv_timeout(patience);
    }

    fn put(&self, entry: Command) {
        // The writer lives as long as the process.
        let _ = self.entries.send(entry);
    }

    fn filter(&self) -> LevelFilter {
        let level = usize::from(self.level.load(Ordering::Acquire));
        LEVELS.get(level).map_or(LevelFilter::OFF, |(_, it)| *it)
    }
}

impl<S: Subscriber> Layer<S> for Log {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        match metadata.target().starts_with(env!("CARGO_CRATE_NAME")) {
            true => Interest::sometimes(),
            false => Interest::never(),
        }
    }

    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        *metadata.level() <= self.filter()
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut line = Line::default();
        event.record(&mut line);
        self.put(Command::Event(*event.metadata().level(), line.0));
    }
}

/// The fields of an event on one line.
#[derive(Default)]
struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let gap = if self.0.is_empty() { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = match field.name() {
            "message" => write!(self.0, "{gap}{value:?}"),
            name => write!(self.0, "{gap}{name}={value:?}"),
        };
    }
}

fn write_all(entries: &Receiver<Command>, outbox: &Outbox) {
    let mut file: Option<LogFile> = None;
    for entry in entries {
        match entry {
            Command::Event(level, line) => {
                if let Some(file) = &mut file {
                    file.write(level, &line);
                }
                let typ = message_type(level);
                let message = line;
                outbox.notify("window/logMessage", lsp::LogMessageParams { typ, message });
            }
            Command::File(path) if path.as_deref() == file.as_ref().map(LogFile::path) => {}
            Command::File(path) => file = path.and_then(|path| open(path, outbox)),
            Command::Flush(done) => drop(done.send(())),
        }
    }
}

/// Opens a log file; tells the user if that fails.
fn open(path: PathBuf, outbox: &Outbox) -> Option<LogFile> {
    match LogFile::open(path) {
        Ok(file) => Some(file),
        Err(error) => {
            let typ = lsp::MessageType::WARNING;
            let message = format!("The log file cannot be written: {error}");
            outbox.notify(
                "window/showMessage",
                lsp::ShowMessageParams { typ, message },
            );
            None
        }
    }
}

fn message_type(level: Level) -> lsp::MessageType {
    match level {
        Level::ERROR => lsp::MessageType::ERROR,
        Level::WARN => lsp::MessageType::WARNING,
        Level::INFO => lsp::MessageType::INFO,
        _ => lsp::MessageType::LOG,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_setting_names_a_level_and_a_file() {
        for settings in [json!(null), json!({}), json!({"log": null})] {
            assert_eq!(LogSettings::read(&settings), Ok(None));
        }
        for settings in [json!({"log": {}}), json!({"log": {"level": null}})] {
            let quiet = LogSettings {
                level: DEFAULT_LEVEL,
                file: None,
            };
            assert_eq!(LogSettings::read(&settings), Ok(Some(quiet)));
        }
        let path = std::env::temp_dir().join("a.log");
        let settings = json!({"log": {"level": "debug", "file": path}});
        let expected = LogSettings {
            level: 4,
            file: Some(path),
        };
        assert_eq!(LogSettings::read(&settings), Ok(Some(expected)));
        for wrong in [
            json!("debug"),
            json!({"level": "loud"}),
            json!({"level": 3}),
            json!({"file": true}),
            json!({"file": "a.log"}),
            json!({"file": "/etc/passwd"}),
        ] {
            assert!(LogSettings::read(&json!({ "log": wrong })).is_err());
        }
    }
}
