//! The functions that JavaScript calls: it writes a request into a buffer of the module, and reads the answer from
//! another.

use std::cell::RefCell;

use crate::Session;

#[derive(Default)]
struct Module {
    session: Session,
    request: Vec<u8>,
    answer: Vec<u8>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

/// The address for the next request, of `len` bytes.
#[expect(unsafe_code, reason = "a name that JavaScript can call")]
#[unsafe(no_mangle)]
extern "C" fn request(len: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        module.request.clear();
        module.request.resize(len, 0);
        module.request.as_mut_ptr()
    })
}

/// Answers the request that was written; returns the length of the answer.
#[expect(unsafe_code, reason = "a name that JavaScript can call")]
#[unsafe(no_mangle)]
extern "C" fn run() -> usize {
    MODULE.with_borrow_mut(|module| {
        module.answer = module.session.answer(&module.request).into_bytes();
        module.answer.len()
    })
}

/// The address of the answer.
#[expect(unsafe_code, reason = "a name that JavaScript can call")]
#[unsafe(no_mangle)]
extern "C" fn answer() -> *const u8 {
    MODULE.with_borrow(|module| module.answer.as_ptr())
}
