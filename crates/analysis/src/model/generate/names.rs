//! Names of types, derived from the names of tools, agents and fields.

use foldhash::HashSet;

/// The names in use.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// `name`, or `name` with the first free number from 2 on.
    pub(super) fn unique(&mut self, name: String) -> String {
        let mut unique = name.clone();
        let mut number = 1;
        while !self.taken.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}{number}");
        }
        unique
    }
}

/// `UserEmail` for `user_email`; `Tool` if the name has no ASCII letter or digit.
pub(super) fn pascal(name: &str) -> String {
    let capitalised = words(name).map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    });
    begin_with_letter(capitalised.collect(), "Tool")
}

/// `user_email` for `userEmail` or `user-email`; `tool` if the name has no ASCII letter or digit.
pub(super) fn snake(name: &str) -> String {
    let mut snake = String::new();
    for word in words(name) {
        for (index, char) in word.char_indices() {
            let begins_word = index == 0 || char.is_ascii_uppercase();
            if begins_word && !snake.is_empty() && !snake.ends_with('_') {
                snake.push('_');
            }
            snake.push(char.to_ascii_lowercase());
        }
    }
    begin_with_letter(snake, "tool")
}

/// The runs of ASCII letters and digits in a name.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let words = name.split(|char: char| !char.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty())
}

fn begin_with_letter(name: String, prefix: &str) -> String {
    match name.starts_with(|char: char| char.is_ascii_alphabetic()) {
        true => name,
        false => format!("{prefix}{name}"),
    }
}
