//! The command line over a folder, compared with ripgrep.

use std::{
    env, fs,
    hint::black_box,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use signature_ls_analysis::{ide::standalone::check_signature, model::Edition};

use crate::elixir;

const FILES: usize = 1_000;
/// One of this many files has signatures.
const SIGNED: usize = 10;
const RUNS: usize = 15;
const SIGNATURES: u32 = 10_000;

/// Prints the time of `check` over a folder, compared with ripgrep if that is installed, the time for one signature,
/// and the size of the program. `TREE` names a folder; without it a project is generated.
pub fn measure() {
    let program = env!("CARGO_BIN_EXE_signature-ls");
    let generated = env::var_os("TREE").is_none().then(Tree::generate);
    let folder = match &generated {
        Some(tree) => tree.0.clone(),
        None => PathBuf::from(env::var_os("TREE").unwrap_or_default()),
    };
    println!("check of {}", folder.display());
    let check = fastest(Command::new(program).arg("check").arg(&folder));
    println!("  signature-ls check    {:.2?}", check.unwrap_or_default());
    let mut search = Command::new("rg");
    match fastest(search.args(["-c", r"signature|\{\{"]).arg(&folder)) {
        Some(search) => {
            let ratio = check.unwrap_or_default().as_secs_f64() / search.as_secs_f64();
            println!("  rg -c                 {search:.2?}; check takes {ratio:.1} times as long");
        }
        None => println!("  rg is not installed"),
    }
    let text = "(user {name :string, mail :string?}, count :int) -> {greeting :string, tags [:keyword], n :int?}";
    let begin = Instant::now();
    for _ in 0..SIGNATURES {
        black_box(check_signature(black_box(text), Edition::V0_5));
    }
    let one = begin.elapsed() / SIGNATURES;
    println!(
        "one signature of {} bytes, with its findings: {one:.2?}",
        text.len()
    );
    let size = fs::metadata(program).map_or(0, |it| it.len());
    println!("the program has {:.1} MB", size as f64 / 1e6);
}

/// The time of the fastest of some runs; `None` if the program cannot be run.
fn fastest(command: &mut Command) -> Option<Duration> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let times = (0..RUNS).map(|_| {
        let begin = Instant::now();
        command.status().ok().map(|_| begin.elapsed())
    });
    times.collect::<Option<Vec<_>>>()?.into_iter().min()
}

/// A generated project, which is deleted with it.
struct Tree(PathBuf);

impl Tree {
    fn generate() -> Self {
        let root = env::temp_dir().join(format!("signature-ls-tree-{}", std::process::id()));
        for file in 0..FILES {
            let folder = root.join(format!("lib/part{}", file / 10));
            fs::create_dir_all(&folder).expect("a folder");
            let text = match file % SIGNED {
                0 => elixir::source(184),
                _ => plain(file),
            };
            write(&folder, file, &text);
        }
        Self(root)
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn write(folder: &Path, file: usize, text: &str) {
    fs::write(folder.join(format!("file{file}.ex")), text).expect("a file");
}

/// A module of 10 KB without signatures.
fn plain(file: usize) -> String {
    let functions = (0..100).map(|function| {
        format!(
            "  @doc \"Gets {function}.\"\n  def get_{function}(id, name) do\n    {{:ok, id + {function}, String.trim(name)}}\n  end\n\n"
        )
    });
    let functions: String = functions.collect();
    format!("defmodule Shop.Part{file} do\n{functions}end\n")
}
