//! Watches the client's process.
//!
//! A client that dies usually closes its pipes, which ends the server. If something else holds them open, the server
//! would keep running without a client.

/// The interval of the checks.
#[cfg(unix)]
const INTERVAL: std::time::Duration = std::time::Duration::from_secs(2);

/// Ends this process soon after the process `id` has ended. Nothing is watched if there is no such process: the client
/// may be outside of the container in which the server runs.
#[cfg(unix)]
pub(super) fn end_with(id: u32) {
    use rustix::process::{Pid, test_kill_process};

    let Some(client) = i32::try_from(id).ok().and_then(Pid::from_raw) else {
        return;
    };
    // A process of another user causes another error, and is alive.
    let is_alive = move || test_kill_process(client) != Err(rustix::io::Errno::SRCH);
    if !is_alive() {
        return;
    }
    std::thread::spawn(move || {
        while is_alive() {
            std::thread::sleep(INTERVAL);
        }
        std::process::exit(1);
    });
}

/// Elsewhere, closed pipes are the only sign.
#[cfg(not(unix))]
pub(super) fn end_with(_: u32) {}
