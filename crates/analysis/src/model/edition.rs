//! Editions: the releases of the reference at which rules changed.

use std::{borrow::Cow, fmt, str::FromStr};

/// The release of the reference whose rules apply. Later editions compare greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Edition {
    /// Releases 0.4.0 to 0.5.1, as those before 0.5.0 have it.
    V0_4,
    /// The same in releases 0.5.0 and 0.5.1, whose programs already have the namespaces of edition 0.5. It has no name of
    /// its own: only a release tells it.
    V0_5_0,
    /// Releases 0.5.2 to 0.10.
    V0_5,
    /// Releases 0.11 to 0.13: the rules of the newest release.
    #[default]
    V0_11,
    /// What is announced for the next release.
    Next,
}

impl Edition {
    /// All editions with names, oldest first.
    pub const ALL: [Edition; 4] = [Self::V0_4, Self::V0_5, Self::V0_11, Self::Next];

    /// The edition of the release `major.minor.patch`. Older releases count as the first edition.
    pub fn of_release(release: [u32; 3]) -> Self {
        match release {
            [0, ..5, _] => Self::V0_4,
            [0, 5, ..=1] => Self::V0_5_0,
            [0, ..11, _] => Self::V0_5,
            [0, ..14, _] => Self::V0_11,
            _ => Self::Next,
        }
    }

    /// The name that settings and the command line use.
    pub fn name(self) -> &'static str {
        match self {
            Self::V0_4 | Self::V0_5_0 => "0.4",
            Self::V0_5 => "0.5",
            Self::V0_11 => "0.11",
            Self::Next => "next",
        }
    }

    /// Whether `:datetime` and `:boolean` are type words.
    pub fn has_datetime_and_boolean(self) -> bool {
        self >= Self::V0_11
    }

    /// Whether names that begin with `_` are hidden from prompts and from a parent.
    pub fn has_firewall(self) -> bool {
        self <= Self::V0_5
    }

    /// Whether `name` is hidden from prompts and from a parent.
    pub fn hides(self, name: &str) -> bool {
        self.has_firewall() && name.starts_with('_')
    }

    /// The namespace of tools in PTC-Lisp, as in `(tool/search {…})`.
    pub fn tool_namespace(self) -> &'static str {
        match self {
            Self::V0_4 => "ctx",
            _ => "tool",
        }
    }

    /// The namespace of the context in PTC-Lisp, as in `data/orders`.
    pub fn context_namespace(self) -> &'static str {
        match self {
            Self::V0_4 => "ctx",
            _ => "data",
        }
    }

    /// Whether `-` and `_` in names are equal at the boundary of tools and prompts.
    pub fn folds_hyphens(self) -> bool {
        self >= Self::V0_5
    }

    /// Whether prompts support sections, `{{.}}` and comments.
    pub fn has_sections(self) -> bool {
        self >= Self::V0_5
    }

    /// Whether a record may have two fields of the same name.
    pub fn allows_same_name_twice(self) -> bool {
        self < Self::Next
    }

    /// Whether a string with an integer is coerced to an integer input.
    pub fn coerces_text_to_int(self) -> bool {
        self < Self::Next
    }

    /// Whether the keywords of programs leave them as strings. Only the names of the language's own functions and forms
    /// may stay atoms.
    pub fn writes_keywords_as_strings(self) -> bool {
        self >= Self::V0_11
    }

    /// Whether a program may return a string for a keyword.
    pub fn returns_text_for_keywords(self) -> bool {
        self >= Self::V0_11
    }

    /// Whether a program may return an integer for a float.
    pub fn returns_ints_for_floats(self) -> bool {
        self >= Self::V0_5
    }

    /// Whether a program only gets the lists and maps of the context whose names it contains as they are given.
    pub fn filters_data_by_spelling(self) -> bool {
        self.folds_hyphens() && self < Self::Next
    }

    /// Whether `(and 5 7)` is `true` in a program.
    pub fn and_gives_booleans(self) -> bool {
        self < Self::V0_5
    }

    /// Whether `(str 5)` is 5 in a program.
    pub fn str_keeps_single_values(self) -> bool {
        self < Self::V0_5
    }

    /// Whether `(/ 4)` is 4 in a program.
    pub fn division_keeps_single_numbers(self) -> bool {
        self <= Self::V0_5
    }

    /// The normal form of `name`, by which this edition compares names.
    pub fn normal_name(self, name: &str) -> String {
        self.normal_form(name).into_owned()
    }

    /// The same, which is `name` itself in most cases.
    pub fn normal_form(self, name: &str) -> Cow<'_, str> {
        match self.folds_hyphens() && name.contains('-') {
            true => name.replace('-', "_").into(),
            false => name.into(),
        }
    }

    /// Whether `one` and `other` are the same name.
    pub fn is_same_name(self, one: &str, other: &str) -> bool {
        let normal = |byte| self.normal_byte(byte);
        let last = |it: &str| it.as_bytes().last().copied().map(normal);
        // Names of thousands of fields differ at their ends.
        one.len() == other.len()
            && last(one) == last(other)
            && one.bytes().map(normal).eq(other.bytes().map(normal))
    }

    /// Whether `normal_name` is the normal form of `name`.
    pub fn is_normal_name(self, normal_name: &str, name: &str) -> bool {
        let normal = |byte| self.normal_byte(byte);
        name.len() == normal_name.len() && name.bytes().map(normal).eq(normal_name.bytes())
    }

    fn normal_byte(self, byte: u8) -> u8 {
        match byte {
            b'-' if self.folds_hyphens() => b'_',
            _ => byte,
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Edition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|edition| edition.name() == text)
            .ok_or_else(|| format!("unknown edition `{text}`; use 0.4, 0.5, 0.11 or next"))
    }
}
