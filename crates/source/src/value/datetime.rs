//! Date-times in ISO 8601, as the reference's runtime reads them.
//!
//! The forms are those of Elixir's `DateTime.from_iso8601/1`. They are stricter than those of date libraries in some
//! ways (`T` and `Z` in upper case, seconds are required) and laxer in others (a blank for `T`, a comma before the
//! fraction, a sign before the year), so no library accepts the same set.

use std::fmt;

const MINUTES_A_DAY: i32 = 24 * 60;
const LAST_YEAR: i32 = 9999;

/// A point of time in UTC.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Datetime {
    date: Date,
    /// Minutes since midnight.
    minute: i32,
    second: u32,
    /// The digits of the fraction of a second, at most six.
    fraction: String,
    /// The offset from UTC in the text, in minutes.
    offset: i32,
}

/// Why a text is not a date-time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DatetimeError {
    /// It does not have the form of one.
    Format,
    /// It has no offset from UTC.
    MissingOffset,
    /// There is no such date or time.
    OutOfRange,
}

impl Datetime {
    /// Parses all of `text`, and converts it to UTC.
    pub fn parse(text: &str) -> Result<Self, DatetimeError> {
        let mut reader = Reader(text.as_bytes());
        let date = reader.date().ok_or(DatetimeError::Format)?;
        let (hour, minute, second) = reader.time().ok_or(DatetimeError::Format)?;
        let fraction = reader.fraction().ok_or(DatetimeError::Format)?;
        if !date.is_valid() || hour > 23 || minute > 59 || second > 59 {
            return Err(DatetimeError::OutOfRange);
        }
        if reader.0.is_empty() {
            return Err(DatetimeError::MissingOffset);
        }
        let offset = reader.offset().ok_or(DatetimeError::Format)?;
        let minute = (hour * 60 + minute) as i32 - offset;
        let date = match minute {
            ..0 => date.before(),
            MINUTES_A_DAY.. => date.after(),
            _ => Some(date),
        };
        Ok(Self {
            date: date.ok_or(DatetimeError::OutOfRange)?,
            minute: minute.rem_euclid(MINUTES_A_DAY),
            second,
            fraction,
            offset,
        })
    }

    /// Whether the text was in UTC already.
    pub fn was_utc(&self) -> bool {
        self.offset == 0
    }
}

/// The canonical text, in UTC.
impl fmt::Display for Datetime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Date { year, month, day } = self.date;
        let sign = if year < 0 { "-" } else { "" };
        let (hour, minute) = (self.minute / 60, self.minute % 60);
        write!(f, "{sign}{:04}-{month:02}-{day:02}T", year.abs())?;
        write!(f, "{hour:02}:{minute:02}:{:02}", self.second)?;
        if !self.fraction.is_empty() {
            write!(f, ".{}", self.fraction)?;
        }
        f.write_str("Z")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Date {
    year: i32,
    month: u32,
    day: u32,
}

impl Date {
    fn is_valid(self) -> bool {
        (1..=12).contains(&self.month)
            && (1..=days_in_month(self.year, self.month)).contains(&self.day)
    }

    /// The day before, within the supported years.
    fn before(self) -> Option<Self> {
        let Self { year, month, day } = self;
        if day > 1 {
            return Some(Self {
                day: day - 1,
                ..self
            });
        }
        let (year, month) = if month > 1 {
            (year, month - 1)
        } else {
            (year - 1, 12)
        };
        let day = days_in_month(year, month);
        (year >= -LAST_YEAR).then_some(Self { year, month, day })
    }

    /// The day after, within the supported years.
    fn after(self) -> Option<Self> {
        let Self { year, month, day } = self;
        if day < days_in_month(year, month) {
            return Some(Self {
                day: day + 1,
                ..self
            });
        }
        let (year, month) = if month < 12 {
            (year, month + 1)
        } else {
            (year + 1, 1)
        };
        (year <= LAST_YEAR).then_some(Self {
            year,
            month,
            day: 1,
        })
    }
}

/// In the proleptic Gregorian calendar.
fn days_in_month(year: i32, month: u32) -> u32 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The rest of the text. A parser returns `None` if its part is missing.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn date(&mut self) -> Option<Date> {
        let sign = self.one_of(b"+-");
        let year = self.digits(4)? as i32;
        self.one_of(b"-")?;
        let month = self.digits(2)?;
        self.one_of(b"-")?;
        let day = self.digits(2)?;
        let year = if sign == Some(b'-') { -year } else { year };
        Some(Date { year, month, day })
    }

    fn time(&mut self) -> Option<(u32, u32, u32)> {
        self.one_of(b"T ")?;
        let hour = self.digits(2)?;
        self.one_of(b":")?;
        let minute = self.digits(2)?;
        self.one_of(b":")?;
        Some((hour, minute, self.digits(2)?))
    }

    /// The significant digits of the fraction; none if there is no fraction.
    fn fraction(&mut self) -> Option<String> {
        if self.one_of(b".,").is_none() {
            return Some(String::new());
        }
        let mut digits = String::new();
        while let Some(digit) = self.one_of(b"0123456789") {
            digits.push(char::from(digit));
        }
        if digits.is_empty() {
            return None;
        }
        digits.truncate(6);
        Some(digits)
    }

    /// `Z`, `+02:00`, `+0200` or `+02` at the end of the text, in minutes. `-00:00` means that the offset is unknown.
    fn offset(&mut self) -> Option<i32> {
        if self.0 == b"Z" {
            return Some(0);
        }
        if self.0 == b"-00:00" {
            return None;
        }
        let sign = self.one_of(b"+-")?;
        let hours = self.digits(2)?;
        let minutes = if self.0.is_empty() {
            0
        } else {
            self.one_of(b":");
            self.digits(2)?
        };
        if hours > 23 || minutes > 59 || !self.0.is_empty() {
            return None;
        }
        let offset = (hours * 60 + minutes) as i32;
        Some(if sign == b'-' { -offset } else { offset })
    }

    fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        if !bytes.contains(first) {
            return None;
        }
        self.0 = rest;
        Some(*first)
    }

    /// Exactly `count` digits, at most four.
    fn digits(&mut self, count: usize) -> Option<u32> {
        let mut number = 0;
        for _ in 0..count {
            number = number * 10 + u32::from(self.one_of(b"0123456789")? - b'0');
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::{DatetimeError::*, *};

    /// Each as Elixir 1.14 answers, except for the two years on which it crashes.
    #[test]
    fn reads_what_the_runtime_reads() {
        let cases = [
            ("2026-05-03T09:14:00Z", Ok("2026-05-03T09:14:00Z")),
            ("2026-05-03 09:14:00Z", Ok("2026-05-03T09:14:00Z")),
            ("2026-05-03T11:14:00+02:00", Ok("2026-05-03T09:14:00Z")),
            ("2026-05-03T09:14:00.123Z", Ok("2026-05-03T09:14:00.123Z")),
            ("2026-05-03T09:14:00,5Z", Ok("2026-05-03T09:14:00.5Z")),
            ("2026-05-03T09:14:00.0Z", Ok("2026-05-03T09:14:00.0Z")),
            (
                "2026-05-03T09:14:00.1234567Z",
                Ok("2026-05-03T09:14:00.123456Z"),
            ),
            (
                "2026-05-03T09:14:00.123+02:00",
                Ok("2026-05-03T07:14:00.123Z"),
            ),
            ("2026-05-03T09:14:00+02", Ok("2026-05-03T07:14:00Z")),
            ("2026-05-03T09:14:00+0200", Ok("2026-05-03T07:14:00Z")),
            ("2026-05-03T09:14:00-0000", Ok("2026-05-03T09:14:00Z")),
            ("2026-05-03T09:14:00-00", Ok("2026-05-03T09:14:00Z")),
            ("2026-01-01T00:00:00+00:01", Ok("2025-12-31T23:59:00Z")),
            ("2025-12-31T23:59:00-23:59", Ok("2026-01-01T23:58:00Z")),
            ("-2026-05-03T09:14:00Z", Ok("-2026-05-03T09:14:00Z")),
            ("+2026-05-03T09:14:00Z", Ok("2026-05-03T09:14:00Z")),
            ("0000-01-01T00:00:00+02:00", Ok("-0001-12-31T22:00:00Z")),
            ("0000-03-01T00:00:00+01:00", Ok("0000-02-29T23:00:00Z")),
            ("-0000-01-01T00:00:00Z", Ok("0000-01-01T00:00:00Z")),
            ("-0004-02-29T00:00:00Z", Ok("-0004-02-29T00:00:00Z")),
            ("2000-02-29T00:00:00Z", Ok("2000-02-29T00:00:00Z")),
            ("2026-05-03T09:14:00", Err(MissingOffset)),
            ("2026-05-03T09:14:00.123", Err(MissingOffset)),
            ("1900-02-29T00:00:00Z", Err(OutOfRange)),
            ("2023-02-29T00:00:00Z", Err(OutOfRange)),
            ("2026-13-03T09:14:00Z", Err(OutOfRange)),
            ("2026-00-03T09:14:00Z", Err(OutOfRange)),
            ("2026-04-31T09:14:00Z", Err(OutOfRange)),
            ("2026-05-03T24:00:00Z", Err(OutOfRange)),
            ("2026-05-03T23:59:60Z", Err(OutOfRange)),
            ("9999-12-31T23:00:00-02:00", Err(OutOfRange)),
            ("-9999-01-01T00:00:00+02:00", Err(OutOfRange)),
            ("2026-05-03t09:14:00Z", Err(Format)),
            ("2026-05-03T09:14:00z", Err(Format)),
            ("2026-05-03T09:14:00.Z", Err(Format)),
            ("2026-05-03T09:14:00-00:00", Err(Format)),
            ("2026-05-03T09:14:00+24:00", Err(Format)),
            ("2026-05-03T09:14:00+02:60", Err(Format)),
            ("2026-05-03T09:14:00+2:00", Err(Format)),
            ("2026-05-03T09:14:00+02:0", Err(Format)),
            ("2026-05-03T09:14:00+02:", Err(Format)),
            ("2026-05-03T09:14:00+02:00:00", Err(Format)),
            ("2026-05-03T09:14:00\u{2212}02:00", Err(Format)),
            ("2026-05-03T09:14:00[Etc/UTC]", Err(Format)),
            ("2026-05-03T09:14:00Z ", Err(Format)),
            (" 2026-05-03T09:14:00Z", Err(Format)),
            ("2026-05-03T09:14Z", Err(Format)),
            ("2026-5-3T09:14:00Z", Err(Format)),
            ("20260503T091400Z", Err(Format)),
            ("2026-05-03", Err(Format)),
            ("09:14:00Z", Err(Format)),
            ("", Err(Format)),
        ];
        for (text, expected) in cases {
            let actual = Datetime::parse(text).map(|datetime| datetime.to_string());
            assert_eq!(
                actual.as_deref().map_err(|error| *error),
                expected,
                "{text}"
            );
        }
    }
}
