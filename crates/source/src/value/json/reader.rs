//! Parses text into values, by recursive descent to a bounded depth.

use crate::{
    text::{TextRange, size},
    value::{
        Entry, Key, MAX_DEPTH, Value, ValueKind, float,
        json::{Error, ErrorKind},
    },
};

/// Parses all of `text` as one JSON value. A byte order mark before it is skipped.
pub fn read(text: &str) -> Result<Value, Error> {
    let pos = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut reader = Reader {
        text,
        pos,
        depth: 0,
    };
    reader.skip_space();
    let value = reader.value()?;
    reader.skip_space();
    if reader.pos < text.len() {
        // What follows may be white space, but not that of JSON.
        let written = text.trim_end().len();
        let end = if written > reader.pos {
            written
        } else {
            text.len()
        };
        return Err(reader.error(ErrorKind::TextAfterValue, reader.pos, end));
    }
    Ok(value)
}

struct Reader<'a> {
    text: &'a str,
    /// Always at a character boundary.
    pos: usize,
    depth: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Value, Error> {
        let start = self.pos;
        let kind = match self.peek() {
            Some(b'{') => self.nested(Self::map)?,
            Some(b'[') => self.nested(Self::list)?,
            Some(b'"') => ValueKind::String(self.string()?),
            Some(b'-' | b'+' | b'.' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Value::new(kind, self.range(start, self.pos)))
    }

    fn nested(
        &mut self,
        read: fn(&mut Self) -> Result<ValueKind, Error>,
    ) -> Result<ValueKind, Error> {
        if self.depth == MAX_DEPTH {
            return Err(self.error(ErrorKind::TooDeep, self.pos, self.pos + 1));
        }
        self.depth += 1;
        self.pos += 1;
        self.skip_space();
        let kind = read(self)?;
        self.depth -= 1;
        Ok(kind)
    }

    fn list(&mut self) -> Result<ValueKind, Error> {
        let mut items = Vec::new();
        if self.eat(b']') {
            return Ok(ValueKind::list(items));
        }
        loop {
            items.push(self.value()?);
            if !self.goes_on(b']', "`,` or `]`")? {
                return Ok(ValueKind::list(items));
            }
        }
    }

    fn map(&mut self) -> Result<ValueKind, Error> {
        let mut entries = Vec::new();
        if self.eat(b'}') {
            return Ok(ValueKind::map(entries));
        }
        loop {
            entries.push(self.entry()?);
            if !self.goes_on(b'}', "`,` or `}`")? {
                return Ok(ValueKind::map(entries));
            }
        }
    }

    fn entry(&mut self) -> Result<Entry, Error> {
        let start = self.pos;
        if self.peek() != Some(b'"') {
            return Err(self.expected("a key in double quotes"));
        }
        let name = Some(self.string()?);
        let key = Key {
            name,
            range: self.range(start, self.pos),
            is_atom: false,
        };
        self.skip_space();
        if !self.eat(b':') {
            return Err(self.expected("`:`"));
        }
        self.skip_space();
        let value = self.value()?;
        Ok(Entry { key, value })
    }

    /// After an item: whether another item follows, or the list or map ends.
    fn goes_on(&mut self, close: u8, expected: &'static str) -> Result<bool, Error> {
        self.skip_space();
        if self.eat(close) {
            return Ok(false);
        }
        let comma = self.pos;
        if !self.eat(b',') {
            return Err(self.expected(expected));
        }
        self.skip_space();
        if self.peek() == Some(close) {
            return Err(self.error(ErrorKind::TrailingComma, comma, comma + 1));
        }
        Ok(true)
    }

    fn word(&mut self) -> Result<ValueKind, Error> {
        let start = self.pos;
        self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match &self.text[start..self.pos] {
            "null" => Ok(ValueKind::Null),
            "true" => Ok(ValueKind::Bool(true)),
            "false" => Ok(ValueKind::Bool(false)),
            "" => Err(self.expected("a value")),
            _ => Err(self.error(ErrorKind::Expected("a value"), start, self.pos)),
        }
    }

    fn number(&mut self) -> Result<ValueKind, Error> {
        let start = self.pos;
        self.skip_while(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(&byte));
        let text = &self.text[start..self.pos];
        let Some(is_integer) = number_form(text) else {
            return Err(self.error(ErrorKind::MalformedNumber, start, self.pos));
        };
        if is_integer && let Some(integer) = ValueKind::integer(text) {
            return Ok(integer);
        }
        match float::parse(text) {
            Some(float) => Ok(ValueKind::Float(float)),
            None => Err(self.error(ErrorKind::NumberOutOfRange, start, self.pos)),
        }
    }

    fn string(&mut self) -> Result<Box<str>, Error> {
        let start = self.pos;
        self.pos += 1;
        let mut string = String::new();
        loop {
            let plain = self.pos;
            self.skip_while(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\');
            let text = &self.text[plain..self.pos];
            if string.is_empty() && self.eat(b'"') {
                return Ok(text.into());
            }
            string.push_str(text);
            match self.peek() {
                Some(b'"') => {
                    self.pos += 1;
                    return Ok(string.into());
                }
                Some(b'\\') => string.push(self.escape()?),
                Some(b'\n') | None => {
                    return Err(self.error(ErrorKind::UnclosedString, start, self.pos));
                }
                Some(_) => {
                    let at = self.pos;
                    return Err(self.error(ErrorKind::ControlCharacter, at, at + 1));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Error> {
        let start = self.pos;
        self.pos += 1;
        let char = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(start),
            _ => {
                let escaped = self.text[self.pos..].chars().next();
                let end = self.pos + escaped.map_or(0, char::len_utf8);
                return Err(self.error(ErrorKind::UnknownEscape, start, end));
            }
        };
        self.pos += 1;
        Ok(char)
    }

    /// `\u0041`, or a surrogate pair of them; the `u` of the first is next.
    fn unicode_escape(&mut self, start: usize) -> Result<char, Error> {
        let first = self.code_unit(start)?;
        if let Some(char) = char::from_u32(first) {
            return Ok(char);
        }
        let low_follows = (0xD800..0xDC00).contains(&first) && self.eat(b'\\');
        if low_follows && self.peek() == Some(b'u') {
            let second = self.code_unit(self.pos - 1)?;
            if (0xDC00..0xE000).contains(&second) {
                let scalar = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                if let Some(char) = char::from_u32(scalar) {
                    return Ok(char);
                }
            }
        }
        Err(self.error(ErrorKind::LoneSurrogate, start, start + 6))
    }

    /// The four digits after the `u` of the escape that begins at `start`.
    fn code_unit(&mut self, start: usize) -> Result<u32, Error> {
        let digits = self.pos + 1;
        self.pos = digits;
        self.skip_while(|byte| byte.is_ascii_hexdigit());
        self.pos = self.pos.min(digits + 4);
        if self.pos < digits + 4 {
            return Err(self.error(ErrorKind::UnknownEscape, start, self.pos));
        }
        let unit = u32::from_str_radix(&self.text[digits..self.pos], 16);
        unit.map_err(|_| self.error(ErrorKind::UnknownEscape, start, self.pos))
    }

    fn skip_space(&mut self) {
        self.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    }

    fn skip_while(&mut self, predicate: fn(u8) -> bool) {
        let rest = &self.text.as_bytes()[self.pos..];
        self.pos += rest.iter().take_while(|byte| predicate(**byte)).count();
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.pos += usize::from(is_next);
        is_next
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    fn expected(&self, what: &'static str) -> Error {
        let found = self.text[self.pos..].chars().next();
        let end = self.pos + found.map_or(0, char::len_utf8);
        self.error(ErrorKind::Expected(what), self.pos, end)
    }

    fn error(&self, kind: ErrorKind, start: usize, end: usize) -> Error {
        let range = self.range(start, end);
        Error { kind, range }
    }

    fn range(&self, start: usize, end: usize) -> TextRange {
        TextRange::new(size(start), size(end))
    }
}

/// Whether `text` is an integer (`Some(true)`) or another number (`Some(false)`) in the notation of JSON.
fn number_form(text: &str) -> Option<bool> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let are_digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent_digits = exponent.map(|it| it.strip_prefix(['+', '-']).unwrap_or(it));
    let whole_is_valid = are_digits(whole) && (whole == "0" || !whole.starts_with('0'));
    let is_valid =
        whole_is_valid && fraction.is_none_or(are_digits) && exponent_digits.is_none_or(are_digits);
    is_valid.then_some(fraction.is_none() && exponent.is_none())
}
