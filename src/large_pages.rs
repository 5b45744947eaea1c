//! Memory in large pages, for which the allocator asks (`.cargo/config.toml`), but which it gets only at times.
//!
//! Most of the system's time for reading and opening a long text is for its first use of each page. For anything else,
//! large pages are bad: the program gets more than it needs, and the system restores what was given back of one.

/// The texts, in bytes, whose trees fill several large pages.
const LONG: usize = 1 << 20;

/// Large pages for a long text, until this is dropped.
#[derive(Debug)]
pub(crate) struct LargePages(());

impl LargePages {
    /// Large pages for a text of `len` bytes; `None` if it is not long.
    pub(crate) fn for_text(len: usize) -> Option<Self> {
        (len >= LONG).then(|| {
            allow(true);
            Self(())
        })
    }
}

impl Drop for LargePages {
    fn drop(&mut self) {
        forbid();
    }
}

/// Forbids large pages, as is right for everything that the program does but reading and opening a long text.
pub(crate) fn forbid() {
    allow(false);
}

/// A system without large pages or without this setting makes no difference but in speed.
#[cfg(target_os = "linux")]
fn allow(is_allowed: bool) {
    let _ = rustix::thread::disable_transparent_huge_pages(!is_allowed);
}

#[cfg(not(target_os = "linux"))]
fn allow(_is_allowed: bool) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::thread::transparent_huge_pages_are_disabled as are_forbidden;

    use super::{LONG, LargePages, forbid};

    #[test]
    fn large_pages_are_for_opening_a_long_text_only() {
        forbid();
        assert_eq!(are_forbidden(), Ok(true));
        let short = LargePages::for_text(LONG - 1);
        assert_eq!(are_forbidden(), Ok(true));
        let long = LargePages::for_text(LONG);
        assert_eq!(are_forbidden(), Ok(false));
        drop((short, long));
        assert_eq!(are_forbidden(), Ok(true));
    }
}
