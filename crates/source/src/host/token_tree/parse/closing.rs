//! What a closing token closes.

use super::{
    super::{
        Bracketed, Closer, Kind, Token,
        recover::{MOST_GROUPS, NextCode, Opened, head},
    },
    Parser, head_at,
};

impl Parser<'_> {
    pub(super) fn close<L: Bracketed>(&mut self, token: Token) {
        let is_meant_inside = self.is_meant_inside::<L>(token)
            || (token.kind != Kind::StringClose && self.is_slip::<L>(token));
        if is_meant_inside || !self.has_open(token.kind) {
            self.cut_list(token.kind);
            self.add(token);
            self.reaches_out = true;
            // Nothing in an interpolation closes anything outside of it.
            if !is_meant_inside && self.groups.len() == 1 {
                self.strays.push(token.kind);
            }
            return;
        }
        while let Some(open) = self.pop() {
            let is_closed = token.kind.closes(open.0);
            self.end(open, is_closed.then_some(token));
            if is_closed {
                return;
            }
        }
    }

    /// Whether a closing token begins a line that is indented further than the node that it could close: it was meant
    /// for something inside, which is closed already, unless the next line is outside of the node.
    fn is_meant_inside<L: Bracketed>(&self, token: Token) -> bool {
        let closer = token.kind;
        let is_bracket = !matches!(
            closer,
            Kind::InterpolationClose | Kind::StringClose | Kind::KeyClose
        );
        if !self.is_first_in_line || !is_bracket {
            return false;
        }
        let open = self.opened.iter().rev();
        let mut groups = open.take_while(|it| it.kind.is_group()).take(MOST_GROUPS);
        let indent = self.around.indent;
        match groups.next() {
            Some(innermost) if closer.closes(innermost.kind) => {
                innermost.is_beyond(indent) && !self.is_left_after::<L>(token, innermost)
            }
            _ => {
                let closed = groups.find(|it| closer.closes(it.kind));
                closed.is_some_and(|it| it.indent() < indent)
            }
        }
    }

    /// Whether the line after a closing token, which is the last of its line, is left of those in `group`. In a language
    /// that always indents, the next closing token may also be one that the group cannot have, and what follows a comma
    /// on the line is outside.
    fn is_left_after<L: Bracketed>(&self, token: Token, group: &Opened) -> bool {
        let end = self.offset + usize::from(token.len);
        let rest = head_at(self.text, end, &self.around.following);
        let mut rest = head(&rest);
        if L::INDENTS {
            rest = rest.trim_start_matches([' ', '\t', ']', '}']);
        }
        let next = rest.trim_start_matches([',', ' ', '\t']);
        if !next.starts_with(['\r', '\n']) {
            return L::INDENTS && rest.starts_with(',') && !next.is_empty();
        }
        NextCode::of(next).is_some_and(|next| match next.closes {
            Some(closer) => {
                let is_of_other = !closer.closes(group.kind) || next.indent < Some(group.indent());
                L::INDENTS && next.indent.is_some() && is_of_other
            }
            None => next.indent.is_some() && next.indent < group.content(),
        })
    }

    /// Whether a closing token was not meant for the group.
    fn is_slip<L: Bracketed>(&self, token: Token) -> bool {
        let Some(innermost) = self.opened.last() else {
            return false;
        };
        let mut open = self.opened.iter().rev().take(MOST_GROUPS);
        let mut within = None;
        let closed = loop {
            match open.next() {
                Some(it) if token.kind.closes(it.kind) => break it,
                Some(it) => within = Some(it),
                None => return false,
            }
        };
        L::is_slip(&Closer {
            closed,
            around: open.next(),
            innermost,
            within,
            is_innermost: within.is_none(),
            indent: self.is_first_in_line.then_some(self.around.indent),
            last: self.around.last,
            text: self.text,
            end: self.offset + usize::from(token.len),
            following: &self.around.following,
        })
    }

    /// Whether a token of the kind `closer` has a node to close.
    fn has_open(&self, closer: Kind) -> bool {
        match closer {
            Kind::InterpolationClose => self.groups.len() > 1,
            Kind::StringClose | Kind::KeyClose => {
                let innermost = self.innermost();
                innermost.is_some_and(|open| closer.closes(open))
            }
            _ => self.groups.last().is_some_and(|counts| counts.has(closer)),
        }
    }
}
