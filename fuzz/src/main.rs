//! An in-process fuzzer; README.md says how to use it.

mod cases;
mod input;
mod mutate;
mod targets;

use std::{
    panic::{self, AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    time::{Duration, Instant},
};

use clap::Parser;
use rustix::time::{ClockId, clock_gettime};

use crate::{
    input::Input,
    mutate::Mutator,
    targets::{TARGETS, Target},
};

/// The limit of processor time for an input. Texts have a few kilobytes.
const SLOW: Duration = Duration::from_secs(10);

#[derive(Parser)]
struct Arguments {
    /// The name of a target, or `all`.
    target: String,
    /// The time for each target.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The seed of the inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let is_wanted =
        |target: &&Target| matches!(&*arguments.target, "all") || arguments.target == target.name;
    let targets: Vec<_> = TARGETS.iter().filter(is_wanted).collect();
    if targets.is_empty() {
        let names: Vec<_> = TARGETS.iter().map(|it| it.name).collect();
        eprintln!("there is no such target; there are {}", names.join(", "));
        return ExitCode::FAILURE;
    }
    // Failures are reported with their inputs.
    panic::set_hook(Box::new(|_| {}));
    let mut found = 0;
    for target in targets {
        found += run(
            target,
            Duration::from_secs(arguments.seconds),
            arguments.seed,
        );
    }
    if found == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs a target; returns the number of different failures.
fn run(target: &Target, time: Duration, seed: u64) -> usize {
    let mut problems: Vec<String> = Vec::new();
    let kept = cases::read(target.name);
    for (name, input) in &kept {
        if let Err(problem) = attempt(target, input) {
            println!("{}: case {name}: {problem}", target.name);
            problems.push(problem);
        }
    }
    let begin = Instant::now();
    let mut mutator = Mutator::new(seed);
    let mut count = 0_u64;
    while begin.elapsed() < time {
        let input = mutator.input(target.has_edits);
        count += 1;
        let Err(problem) = attempt(target, &input) else {
            continue;
        };
        if !problems.contains(&problem) {
            let small = cases::shrink(&input, |input| {
                attempt(target, input).as_ref() == Err(&problem)
            });
            let path = cases::write(target.name, &small);
            println!("{}: {problem}\n  {}", target.name, path.display());
            problems.push(problem);
        }
    }
    let seconds = begin.elapsed().as_secs();
    println!(
        "{}: {} cases, {count} inputs in {seconds} s, {} problems",
        target.name,
        kept.len(),
        problems.len()
    );
    problems.len()
}

/// Runs one input; the error is the same for all inputs with the same problem.
fn attempt(target: &Target, input: &Input) -> Result<(), String> {
    let begin = processor_time();
    let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    let outcome = outcome.unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|it| (*it).to_owned()));
        let text = text.unwrap_or_default();
        let digits = |c: char| if c.is_ascii_digit() { '0' } else { c };
        Err(format!(
            "panic: {}",
            text.chars().take(60).map(digits).collect::<String>()
        ))
    });
    if processor_time() - begin > SLOW {
        return Err("slow".to_owned());
    }
    outcome
}

/// The processor time of this thread: on a busy machine each input takes long by the clock on the wall.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or_default(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}
