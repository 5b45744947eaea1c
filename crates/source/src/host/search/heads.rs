//! Functions whose heads may be those of tools.

use memchr::memmem;

/// The names of the functions with one parameter that may be a map with atom keys: such a head matters if the function
/// is a tool.
pub fn heads(text: &str) -> impl Iterator<Item = &str> {
    let definitions = memmem::find_iter(text.as_bytes(), "def");
    let mut parenthesis = Next::new(text, b')');
    let mut percent = Next::new(text, b'%');
    let mut colon = Next::new(text, b':');
    definitions.filter_map(move |at| {
        let rest = &text[at + "def".len()..];
        let rest = rest.strip_prefix('p').unwrap_or(rest);
        let name = rest.trim_start();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '?' | '!');
        let mut chars = name.char_indices().take(LONGEST_NAME + 1);
        let (end, _) = chars.find(|(_, c)| !is_part(*c))?;
        let (name, parameters) = name.split_at(end);
        let is_apart = rest.len() > name.len() + parameters.len();
        let parameters = parameters.trim_start().strip_prefix('(')?;
        let start = text.len() - parameters.len();
        let end = parenthesis.from(start);
        let end = closing(parameters).map_or(end, |it| end.max(start + it));
        let is_head = is_apart && percent.from(start) < end && colon.from(start) < end;
        is_head.then_some(name)
    })
}

/// The longest parameters whose parentheses are counted.
const LONGEST_PARAMETERS: usize = 1024;

/// Where the parenthesis closes that opens before `parameters`; `None` if that is too far away.
fn closing(parameters: &str) -> Option<usize> {
    let mut open = 1;
    parameters
        .bytes()
        .take(LONGEST_PARAMETERS)
        .position(|byte| {
            match byte {
                b'(' => open += 1,
                b')' => open -= 1,
                _ => {}
            }
            open == 0
        })
}

/// The most characters that Elixir allows in a name.
const LONGEST_NAME: usize = 255;

/// The next place of a byte, for a reader that only goes on: so all of a text is searched once.
struct Next<'t> {
    text: &'t [u8],
    byte: u8,
    /// The first place at or after the one that was asked for last; the end of the text where there is none.
    at: usize,
}

impl<'t> Next<'t> {
    fn new(text: &'t str, byte: u8) -> Self {
        let text = text.as_bytes();
        let at = memchr::memchr(byte, text).unwrap_or(text.len());
        Self { text, byte, at }
    }

    /// The first place at or after `start`.
    fn from(&mut self, start: usize) -> usize {
        if self.at < start {
            let next = memchr::memchr(self.byte, &self.text[start..]);
            self.at = next.map_or(self.text.len(), |it| start + it);
        }
        self.at
    }
}

/// Whether code in Elixir may say which functions are tools: the value of a key is a function by its name, alone or in a
/// tuple.
pub fn may_name_tools(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_value = |at: usize| {
        let before = bytes[..at].trim_ascii_end();
        // Before the line may be a comment.
        let begins_line = bytes[before.len()..at].contains(&b'\n');
        let name = bytes[at + 1..].trim_ascii_start().first();
        (begins_line || matches!(before.last(), Some(b':' | b'>' | b'{')))
            && name.is_some_and(|it| !matches!(it, b'0'..=b'9' | b'(' | b'{' | b'['))
    };
    memmem::find(bytes, b"tools").is_some() && memchr::memchr_iter(b'&', bytes).any(is_value)
}
