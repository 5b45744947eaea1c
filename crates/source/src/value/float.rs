//! Floating-point numbers in decimal digits.

/// The nearest finite number to the one that `text` writes: an optional sign, digits with or without a point among
/// them, and an optional exponent. `None` if it writes none, or one that is too large.
///
/// Read by `serde_json`, which every build has. The tables of the standard library would be a sixtieth of the
/// module for browsers.
pub fn parse(text: &str) -> Option<f64> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let [whole, fraction, exponent] = parts(unsigned)?;
    // JSON requires digits on both sides of the point, and no zero before other digits.
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let json = format!("{sign}{whole}.{fraction}0e{exponent}");
    // As the requests of the page, so that one reader serves both.
    serde_json::from_slice(json.as_bytes()).ok()
}

/// Whether `text` writes a number of any size: `.5`, `1.`, `1.5`, `1e3`. It has no sign.
pub fn is_unsigned(text: &str) -> bool {
    parts(text).is_some()
}

/// The digits before and after the point, and the exponent with its sign.
fn parts(unsigned: &str) -> Option<[&str; 3]> {
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent_digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = whole.len() + fraction.len() > 0
        && !exponent_digits.is_empty()
        && [whole, fraction, exponent_digits]
            .into_iter()
            .all(are_digits);
    is_number.then_some([whole, fraction, exponent])
}

/// A finite number as JSON.
pub fn json(number: f64) -> String {
    serde_json::to_string(&number).unwrap_or_default()
}

/// The shortest decimal digits that are read back as a number, without its sign.
#[derive(Debug, PartialEq, Eq)]
pub struct Digits {
    /// The digits, which neither begin nor end with a zero; none for zero.
    pub digits: String,
    /// The power of ten of the first digit.
    pub exponent: i32,
}

/// The shortest digits of a finite number.
pub fn digits(number: f64) -> Digits {
    let written = json(number.abs());
    let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0');
    let zeros = all.len() - significant.len();
    let exponent = exponent.parse().unwrap_or(0) + whole.len() as i32 - 1 - zeros as i32;
    Digits {
        digits: significant.trim_end_matches('0').to_owned(),
        exponent,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn expected(text: &str) -> Option<f64> {
        text.parse().ok().filter(|float: &f64| float.is_finite())
    }

    #[test]
    fn only_numbers_are_read() {
        for text in [
            "", ".", "-", "1e", "1e+", " 1", "1 ", "1_0", "inf", "NaN", "1e999", "0x1", "1e5 ",
            "--1", "+-1",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn digits_are_read_as_by_the_standard_library(
            text in "[+-]?[0-9]{0,25}(\\.[0-9]{0,25})?([eE][+-]?[0-9]{1,4})?",
        ) {
            prop_assert_eq!(parse(&text), expected(&text), "{}", text);
        }

        #[test]
        fn the_shortest_digits_are_those_of_the_standard_library(bits in any::<u64>()) {
            let float = f64::from_bits(bits);
            prop_assume!(float.is_finite() && float != 0.0);
            let expected = format!("{:e}", float.abs());
            let (mantissa, exponent) = expected.split_once('e').expect("an exponent");
            let expected = Digits {
                digits: mantissa.replace('.', ""),
                exponent: exponent.parse().expect("a number"),
            };
            prop_assert_eq!(digits(float), expected);
        }

        #[test]
        fn every_number_is_read_back(bits in any::<u64>()) {
            let float = f64::from_bits(bits);
            prop_assume!(float.is_finite());
            for text in [format!("{float:?}"), format!("{float:e}"), format!("{float:.25}")] {
                prop_assert_eq!(parse(&text), expected(&text), "{}", text);
            }
        }
    }
}
