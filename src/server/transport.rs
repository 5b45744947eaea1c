//! Messages over two byte streams: the handler of each, and its answer.
//!
//! This replaces the transport of `tower_lsp`, which ends at the first invalid message, polls four handlers at a time,
//! so that a notification waits for slow requests, and does not guarantee to start handlers in the order of their
//! messages. Here a handler runs up to its first `await` before the next message is read.

use std::{
    future,
    io::BufRead,
    task::{Context, Poll, Waker},
    time::Instant,
};

use serde_json::Value;
use tower_lsp::{
    LanguageServer, LspService,
    jsonrpc::{Error, ErrorCode, Id, Request, Response},
};
use tower_service::Service;

use super::{
    framing::{Incoming, Messages},
    outbox::Outbox,
    results::Slot,
};
use crate::panics::guarded;

/// Reads messages and passes them to `service` until the client sends `exit` or closes `input`.
///
/// Answers to the server's requests go to `on_answer`, with null for an error.
pub(super) fn serve<S: LanguageServer>(
    input: impl BufRead,
    outbox: &Outbox,
    mut service: LspService<S>,
    runtime: &tokio::runtime::Handle,
    on_answer: impl Fn(Id, Value),
) {
    let mut messages = Messages::new(input);
    loop {
        match messages.read(outbox.uris()) {
            Ok(Some(Incoming::Call(request))) if is_unknown(&request) => {
                let id = request.id().cloned().unwrap_or_default();
                outbox.answer(&Response::from_error(id, Error::method_not_found()));
            }
            Ok(Some(Incoming::Call(request))) => {
                let is_exit = request.method() == "exit";
                call(&mut service, request, outbox, runtime);
                if is_exit {
                    return;
                }
            }
            Ok(Some(Incoming::Answer(id, result))) => on_answer(id, result),
            Ok(Some(Incoming::Invalid(id, error))) => {
                tracing::info!(code = error.code.code(), "unreadable message");
                outbox.answer(&Response::from_error(id, error));
            }
            Ok(None) | Err(_) => return,
        }
    }
}

/// Whether it is a request of a protocol extension (`$/…`). The service ignores those, but a client waits for the
/// answer to each request.
fn is_unknown(request: &Request) -> bool {
    request.id().is_some() && request.method().starts_with("$/")
}

/// Runs the handler up to its first `await` on this thread, and the rest of it on `runtime`. A panic only affects its
/// own answer.
fn call<S: LanguageServer>(
    service: &mut LspService<S>,
    request: Request,
    outbox: &Outbox,
    runtime: &tokio::runtime::Handle,
) {
    let mut context = Context::from_waker(Waker::noop());
    if !matches!(service.poll_ready(&mut context), Poll::Ready(Ok(()))) {
        return;
    }
    let call = Call {
        method: request.method().to_owned(),
        id: request.id().cloned(),
        result: Slot::default(),
        outbox: outbox.clone(),
        begin: Instant::now(),
    };
    let begun = guarded(|| {
        let mut answer = Box::pin(call.result.around(service.call(request)));
        (answer.as_mut().poll(&mut context), answer)
    });
    match begun {
        None => call.panicked(),
        Some((Poll::Ready(answer), _)) => call.answer(answer),
        Some((Poll::Pending, mut answer)) => {
            runtime.spawn(async move {
                let polled =
                    future::poll_fn(|context| match guarded(|| answer.as_mut().poll(context)) {
                        None => Poll::Ready(None),
                        Some(answer) => answer.map(Some),
                    });
                match polled.await {
                    None => call.panicked(),
                    Some(answer) => call.answer(answer),
                }
            });
        }
    }
}

/// A request or notification in progress.
struct Call {
    method: String,
    id: Option<Id>,
    /// The result, if the handler rendered it.
    result: Slot,
    outbox: Outbox,
    begin: Instant,
}

impl Call {
    fn answer<E>(self, answer: Result<Option<Response>, E>) {
        if let Ok(Some(response)) = answer {
            let milliseconds = self.begin.elapsed().as_millis();
            let code = response.error().map(|it| it.code.code());
            if code == Some(ErrorCode::InternalError.code()) {
                tracing::error!(method = self.method, "failed");
            }
            tracing::debug!(method = self.method, ?code, milliseconds, "answered");
            match self.result.take().filter(|_| response.is_ok()) {
                Some(result) => self.outbox.answer_with(response.id(), result),
                None => self.outbox.answer(&response),
            }
        }
    }

    fn panicked(self) {
        tracing::error!(method = self.method, "failed");
        if let Some(id) = self.id {
            let response = Response::from_error(id, Error::internal_error());
            self.outbox.answer(&response);
        }
    }
}
