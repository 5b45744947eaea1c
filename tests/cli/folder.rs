//! A folder of files for one test, and the output of the binary in it.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_signature-ls");

/// A folder that is new for each run of a test.
pub struct Folder(PathBuf);

/// The outcome of a command.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Folder {
    /// The folder `name`, which no other test uses, with `files`.
    pub fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // It does not exist in the first run.
        let _ = fs::remove_dir_all(&path);
        let folder = Self(path);
        fs::create_dir_all(&folder.0).expect("a folder");
        for (file, text) in files {
            folder.write(file, text.as_bytes());
        }
        folder
    }

    /// Writes a file, and creates the folders above it.
    pub fn write(&self, file: &str, bytes: &[u8]) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }

    /// Reads a file.
    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).expect("a file of text")
    }

    /// The path of a file in it.
    pub fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    /// Runs the binary here.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_with(arguments, b"")
    }

    /// Runs the binary here as a user who cannot read everything, unlike root.
    #[cfg(unix)]
    pub fn run_unprivileged(&self, arguments: &[&str]) -> Outcome {
        const MAY_READ_ALL: &str = "-dac_override,-dac_read_search";
        if !rustix::process::geteuid().is_root() {
            return self.run(arguments);
        }
        let mut command = Command::new("setpriv");
        command.args(["--bounding-set", MAY_READ_ALL, "--inh-caps", MAY_READ_ALL]);
        command.arg(PROGRAM).args(arguments);
        self.outcome(command, b"")
    }

    /// Runs the binary here with `input`.
    pub fn run_with(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        let mut command = Command::new(PROGRAM);
        command.args(arguments);
        self.outcome(command, input)
    }

    /// The exit code of the binary here if nobody reads its output.
    pub fn code_with_closed_output(&self, arguments: &[&str]) -> Option<i32> {
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        let mut command = Command::new(PROGRAM);
        command.args(arguments).current_dir(&self.0).stdout(writer);
        command.status().expect("the binary starts").code()
    }

    fn outcome(&self, mut command: Command, input: &[u8]) -> Outcome {
        let mut process = command
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut stdin = process.stdin.take().expect("a pipe");
        stdin.write_all(input).expect("the binary reads");
        drop(stdin);
        let output = process.wait_with_output().expect("the binary ends");
        Outcome {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}
