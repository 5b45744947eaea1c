//! Scans the text before a place in bracketed code that may be unclosed: Elixir terms, JSON and Lisp.

use signature_ls_source::host::Notation;

/// The result of a scan.
#[derive(Debug, Default)]
pub(in crate::ide) struct Scan {
    /// The brackets that are open at the place, outermost first; the first one stands for the whole text.
    pub(in crate::ide) open: Vec<Open>,
    /// The word before the place, or the open string with its quote.
    pub(in crate::ide) word: String,
    /// The text up to the first unmatched closing bracket, including it.
    closed: Option<(usize, char)>,
}

/// An open bracket.
#[derive(Debug)]
pub(in crate::ide) struct Open {
    pub(in crate::ide) bracket: char,
    /// Its contents up to the place: strings with their quotes, and commas as separate items.
    pub(in crate::ide) items: Vec<String>,
}

/// Scans `text`, which ends at the place; `None` in a comment.
pub(in crate::ide) fn scan(text: &str, notation: Notation) -> Option<Scan> {
    let mut scan = Scan::default();
    scan.open.push(Open::new(' '));
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            _ if is_quote(c, notation) => {
                let (string, is_closed) = read_string(c, &mut chars);
                if !is_closed {
                    scan.word = string;
                    return Some(scan);
                }
                scan.push(string);
            }
            _ if begins_comment(&text[at..], notation) => {
                chars.find(|(_, c)| *c == '\n')?;
            }
            '(' | '[' | '{' => scan.open.push(Open::new(c)),
            ')' | ']' | '}' => {
                if scan.open.len() > 1
                    && let Some(closed) = scan.open.pop()
                {
                    scan.push(closed.bracket.to_string());
                } else if scan.closed.is_none() {
                    scan.closed = Some((scan.open[0].items.len(), c));
                }
            }
            ',' if notation == Notation::Lisp => {}
            ',' => scan.push(",".to_owned()),
            ':' if notation == Notation::Json => scan.push(":".to_owned()),
            _ if c.is_whitespace() => {}
            _ => {
                let mut word = String::from(c);
                while let Some((_, c)) = chars.next_if(|(_, c)| !ends_word(*c, notation)) {
                    word.push(c);
                }
                match chars.peek() {
                    None => scan.word = word,
                    Some(_) => scan.push(word),
                }
            }
        }
    }
    Some(scan)
}

/// The string after its opening `quote`, with its quotes, and whether it is closed.
fn read_string(quote: char, chars: &mut impl Iterator<Item = (usize, char)>) -> (String, bool) {
    let mut string = String::from(quote);
    while let Some((_, c)) = chars.next() {
        string.push(c);
        match c {
            '\\' => string.extend(chars.next().map(|(_, c)| c)),
            _ if c == quote => return (string, true),
            _ => {}
        }
    }
    (string, false)
}

/// The entries of a map after a place.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::ide) struct Following {
    /// Their keys, without colons and quotes.
    pub(in crate::ide) keys: Vec<String>,
    /// Whether one of them has an arrow, as in `"a" => 1`. An entry `a: 1` must not precede it.
    pub(in crate::ide) has_arrow: bool,
}

/// The following entries of a map, whose rest is `text`; none if it is not closed.
pub(in crate::ide) fn entries_after(text: &str, notation: Notation) -> Following {
    let Some(mut scan) = scan(text, notation) else {
        return Following::default();
    };
    let Some((count, '}' | ')')) = scan.closed else {
        return Following::default();
    };
    let mut rest = scan.open.swap_remove(0);
    rest.items.truncate(count);
    if notation == Notation::Lisp {
        let keys = rest.items.iter().filter(|it| it.starts_with(':'));
        return Following {
            keys: keys.map(|it| key(it)).collect(),
            has_arrow: false,
        };
    }
    if text.trim_start().starts_with([':', '=', ',']) {
        // The rest of the entry at the place.
        let next = rest.items.iter().position(|it| it == ",");
        rest.items.drain(..next.unwrap_or(rest.items.len()));
    }
    Following {
        has_arrow: rest.items.iter().any(|it| it == "=>"),
        keys: rest.keys(notation).given,
    }
}

/// The brackets of a signature that are open at the end of `text`, outermost first.
pub(in crate::ide) fn open_brackets(text: &str) -> Vec<char> {
    let mut open = Vec::new();
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => open.push(c),
            ')' | ']' | '}' => drop(open.pop()),
            _ => {}
        }
    }
    open
}

fn begins_comment(text: &str, notation: Notation) -> bool {
    match notation {
        Notation::Lisp => text.starts_with(';'),
        Notation::Elixir => text.starts_with('#') && !text.starts_with("#{"),
        Notation::Json => text.starts_with("//"),
        Notation::Yaml => false,
    }
}

/// JSON5 and YAML flow values have single quotes too.
fn is_quote(c: char, notation: Notation) -> bool {
    c == '"' || (c == '\'' && notation == Notation::Json)
}

fn ends_word(c: char, notation: Notation) -> bool {
    c.is_whitespace()
        || matches!(c, '"' | ',' | '(' | ')' | '[' | ']' | '{' | '}')
        || (c == ':' && notation == Notation::Json)
        || (c == ';' && notation == Notation::Lisp)
}

impl Scan {
    fn push(&mut self, item: String) {
        if let Some(open) = self.open.last_mut() {
            open.items.push(item);
        }
    }
}

impl Open {
    fn new(bracket: char) -> Self {
        Self {
            bracket,
            items: Vec::new(),
        }
    }

    /// The keys in it and what comes at the place, if it is a map in `notation`.
    pub(in crate::ide) fn keys(&self, notation: Notation) -> Keys {
        let items = self.items.iter().map(String::as_str);
        match notation {
            Notation::Lisp => keys_in_turn(items.collect()),
            _ => keys_by_commas(items.collect(), notation),
        }
    }
}

/// The keys of a map up to a place.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::ide) struct Keys {
    /// The existing keys, without colons and quotes.
    pub(in crate::ide) given: Vec<String>,
    /// The key whose value comes next; none if a key comes next.
    pub(in crate::ide) of_value: Option<String>,
}

/// Alternating keys and values, as in Lisp.
pub(in crate::ide) fn keys_in_turn(items: Vec<&str>) -> Keys {
    let given: Vec<_> = items.iter().step_by(2).map(|it| key(it)).collect();
    let of_value = (items.len() % 2 == 1)
        .then(|| given.last().cloned())
        .flatten();
    Keys { given, of_value }
}

fn keys_by_commas(items: Vec<&str>, notation: Notation) -> Keys {
    let mut keys = Keys::default();
    for entry in items.split(|it| *it == ",") {
        let entry: Vec<_> = entry.iter().copied().filter(|it| *it != "%").collect();
        keys.of_value = match (entry.as_slice(), notation) {
            ([], _) => None,
            ([name, ":", ..], Notation::Json) | ([name, "=>", ..], Notation::Elixir) => {
                Some(key(name))
            }
            ([name, ..], Notation::Elixir) if name.ends_with(':') => Some(key(name)),
            // Without a key before it, a value counts too: no key follows it.
            ([..], _) => Some(String::new()),
        };
        keys.given.extend(keys.of_value.clone());
    }
    keys
}

fn key(written: &str) -> String {
    written.trim_matches([':', '"', '\'']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(
        text: &str,
        notation: Notation,
        expected: Option<(&str, &[&str], Option<&str>, &str)>,
    ) {
        let found = scan(text, notation).map(|scan| {
            let open: String = scan.open.iter().map(|it| it.bracket).collect();
            let keys = scan.open.last().expect("the text").keys(notation);
            (open.trim().to_owned(), keys, scan.word)
        });
        let expected = expected.map(|(open, given, of_value, word)| {
            let given = given.iter().map(|it| (*it).to_owned()).collect();
            let of_value = of_value.map(str::to_owned);
            (open.to_owned(), Keys { given, of_value }, word.to_owned())
        });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn entries_after_a_place_end_with_their_map() {
        use Notation::{Elixir, Json, Lisp};
        for (text, notation, expected) in [
            (" :b 2} :c 3", Lisp, &["b"][..]),
            (" 1 :b {:x 2})", Lisp, &["b"]),
            (", b: 2, c: %{d: 1}}, e: 2", Elixir, &["b", "c"]),
            (" b: 2}", Elixir, &["b"]),
            (", \"b\" => 2}", Elixir, &["b"]),
            (": 1, \"b\": {\"c\": 1}}", Json, &["b"]),
            (", b: 2", Elixir, &[]),
        ] {
            let following = entries_after(text, notation);
            assert_eq!(following.keys, expected, "{text}");
            assert_eq!(following.has_arrow, text.contains("=>"), "{text}");
        }
    }

    #[test]
    fn keys_and_values_are_distinguished() {
        use Notation::{Elixir, Json, Lisp};
        check("%{a: 1, ", Elixir, Some(("{", &["a"], None, "")));
        check(
            "%{a: 1, \"b\" => %{c: ",
            Elixir,
            Some(("{{", &["c"], Some("c"), "")),
        );
        check(
            "%{a: [1, %{x: 2}], li",
            Elixir,
            Some(("{", &["a"], None, "li")),
        );
        check("%{a: foo(1, 2) # , b: 2", Elixir, None);
        check("{\"a\": [1], \"li", Json, Some(("{", &["a"], None, "\"li")));
        check("{\"a\": ", Json, Some(("{", &["a"], Some("a"), "")));
        check("{a: ['x'], 'li", Json, Some(("{", &["a"], None, "'li")));
        check("{'a': {b: 1, ", Json, Some(("{{", &["b"], None, "")));
        check("{:a 1 :b {:c ", Lisp, Some(("{{", &["c"], Some("c"), "")));
        check(
            "{:a (f \"}\" ; }\n 1), :li",
            Lisp,
            Some(("{", &["a"], None, ":li")),
        );
        check("{:a 1 ; x", Lisp, None);
    }
}
