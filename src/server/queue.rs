//! The events that wait for the main loop.

use std::{
    collections::VecDeque,
    sync::mpsc::{Receiver, RecvTimeoutError},
};

use super::{main_loop::Event, memory};

/// The events in order of arrival. Changes of a document that wait together are one event, so that a text is not
/// analyzed once for each key if the user types faster than that.
pub(super) struct Queue<'e> {
    events: &'e Receiver<Event>,
    /// Events that were received but not returned.
    received: VecDeque<Event>,
}

impl<'e> Queue<'e> {
    pub(super) fn new(events: &'e Receiver<Event>) -> Self {
        Self {
            events,
            received: VecDeque::new(),
        }
    }

    /// Waits for the next event; `None` if there is none any more.
    pub(super) fn wait(&mut self) -> Option<Event> {
        let event = self.take().or_else(|| self.received_late())?;
        Some(self.joined(event))
    }

    /// The next event, after memory is released if it takes long to arrive; `None` if there is none any more.
    fn received_late(&self) -> Option<Event> {
        for (patience, release) in memory::STEPS {
            match self.events.recv_timeout(patience) {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => release(),
            }
        }
        self.events.recv().ok()
    }

    /// The next event, if one has arrived.
    pub(super) fn ready(&mut self) -> Option<Event> {
        let event = self.take()?;
        Some(self.joined(event))
    }

    fn take(&mut self) -> Option<Event> {
        let received = self.received.pop_front();
        received.or_else(|| self.events.try_recv().ok())
    }

    /// `event`, with the changes after it if it is a change. Readers between them are overtaken.
    fn joined(&mut self, event: Event) -> Event {
        let Event::Change(mut params) = event else {
            return event;
        };
        let mut readers = Vec::new();
        let mut overtaken = 0;
        let next = loop {
            match self.take() {
                Some(Event::Change(next)) if next.text_document.uri == params.text_document.uri => {
                    params.text_document = next.text_document;
                    params.content_changes.extend(next.content_changes);
                    overtaken = readers.len();
                }
                Some(Event::Look(uri, extent, reader)) if uri == params.text_document.uri => {
                    readers.push((uri, extent, reader));
                }
                next => break next,
            }
        };
        if let Some(next) = next {
            self.received.push_front(next);
        }
        for (index, (uri, extent, reader)) in readers.into_iter().enumerate().rev() {
            self.received.push_front(match index < overtaken {
                true => Event::Overtaken(uri, reader),
                false => Event::Look(uri, extent, reader),
            });
        }
        Event::Change(params)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Weak, mpsc};

    use tower_lsp::ls_types as lsp;

    use super::*;
    use crate::server::main_loop::{Extent, Reader};

    fn change(name: &str, version: i32, text: &str) -> Event {
        let uri = format!("file:///{name}").parse().expect("a URI");
        Event::Change(lsp::DidChangeTextDocumentParams {
            text_document: lsp::VersionedTextDocumentIdentifier { uri, version },
            content_changes: vec![lsp::TextDocumentContentChangeEvent {
                range: None,
                range_length: None,
                text: text.to_owned(),
            }],
        })
    }

    fn look(name: &str) -> Event {
        let uri = format!("file:///{name}").parse().expect("a URI");
        let reader = Reader {
            read: Box::new(|_| {}),
            asked: Weak::new(),
        };
        Event::Look(uri, Extent::Document, reader)
    }

    fn shown(event: &Event) -> String {
        match event {
            Event::Change(params) => {
                let texts = params.content_changes.iter().map(|it| it.text.as_str());
                let texts: Vec<_> = texts.collect();
                format!("{}:{}", params.text_document.version, texts.concat())
            }
            Event::Look(..) => "look".to_owned(),
            Event::Overtaken(..) => "overtaken".to_owned(),
            _ => "other".to_owned(),
        }
    }

    #[test]
    fn changes_of_a_document_are_one_event() {
        let (sender, events) = mpsc::channel();
        for event in [
            change("a", 1, "x"),
            look("a"),
            change("a", 2, "y"),
            look("a"),
            look("a"),
            change("b", 3, "z"),
            change("b", 4, "u"),
            Event::Save,
            change("b", 5, "v"),
            look("a"),
            change("b", 6, "w"),
        ] {
            sender.send(event).expect("a receiver");
        }
        drop(sender);
        let mut queue = Queue::new(&events);
        let mut order = Vec::new();
        while let Some(event) = queue.wait() {
            order.push(shown(&event));
        }
        let expected = [
            "2:xy",
            "overtaken",
            "look",
            "look",
            "4:zu",
            "other",
            "5:v",
            "look",
            "6:w",
        ];
        assert_eq!(order, expected);
    }
}
