//! Whether a value of one type is accepted for another type.

use crate::model::{Edition, Field, Primitive, Type, TypeKind};

/// How values of one type fit another type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fit {
    /// All values fit.
    Fits,
    /// It depends on the value, or is unknown.
    Unknown,
    /// Values are coerced if possible.
    Coerced,
    /// No value fits.
    Never,
}

/// How an input of type `given` fits `wanted`.
pub fn fit(given: &Type, wanted: &Type, edition: Edition) -> Fit {
    let of_values = of_values(given, wanted, edition);
    match given.optional && wanted.optional {
        // `nil` fits.
        true => of_values.min(Fit::Unknown),
        false => of_values,
    }
}

fn of_values(given: &Type, wanted: &Type, edition: Edition) -> Fit {
    match (&given.kind, &wanted.kind) {
        (_, TypeKind::Unknown | TypeKind::Primitive(Primitive::Any)) => Fit::Fits,
        (TypeKind::Unknown | TypeKind::Primitive(Primitive::Any), _) => Fit::Unknown,
        (TypeKind::Primitive(given), TypeKind::Primitive(wanted)) => {
            of_primitives(*given, *wanted, edition)
        }
        (TypeKind::List(given), TypeKind::List(wanted)) => match fit(given, wanted, edition) {
            // An empty list still fits.
            Fit::Never => Fit::Unknown,
            fit => fit,
        },
        (TypeKind::Record(_), TypeKind::Primitive(Primitive::Map)) => Fit::Fits,
        (TypeKind::Primitive(Primitive::Map), TypeKind::Record(_)) => Fit::Unknown,
        (TypeKind::Record(given), TypeKind::Record(wanted)) => {
            if given.is_empty() {
                return Fit::Unknown;
            }
            let of_field = |it: &Field| match given.named(&it.name, edition) {
                Some(field) => fit(&field.ty, &it.ty, edition),
                None if it.ty.optional => Fit::Fits,
                None => Fit::Never,
            };
            wanted.iter().map(of_field).max().unwrap_or(Fit::Fits)
        }
        _ => Fit::Never,
    }
}

fn of_primitives(given: Primitive, wanted: Primitive, edition: Edition) -> Fit {
    use Primitive::{Bool, Datetime, Float, Int, Keyword, String};
    match (given, wanted) {
        (given, wanted) if given == wanted => Fit::Fits,
        (Int, Float) => Fit::Fits,
        (String, Int) if !edition.coerces_text_to_int() => Fit::Never,
        (String, Int | Float | Bool | Keyword) => Fit::Coerced,
        // Models write both as strings.
        (String, Datetime) | (Keyword | Datetime, String) => Fit::Unknown,
        _ => Fit::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parse_signature;

    fn fit_of(given: &str, wanted: &str) -> Fit {
        let ty = |text| {
            let (signature, problems) = parse_signature(text, Edition::V0_11);
            signature
                .unwrap_or_else(|| panic!("{text}: {problems:?}"))
                .output
        };
        fit(&ty(given), &ty(wanted), Edition::V0_11)
    }

    #[test]
    fn each_type_fits_itself_and_any() {
        for text in [
            ":string",
            ":int",
            ":float",
            ":bool",
            ":keyword",
            ":datetime",
            ":map",
            ":any",
            "[:int]",
            "{a :int, b {c [:string]}}",
            "[{a :int?}]",
        ] {
            let itself = fit_of(text, text);
            assert!(
                matches!(itself, Fit::Fits | Fit::Unknown),
                "{text}: {itself:?}"
            );
            assert_eq!(fit_of(text, ":any"), Fit::Fits, "{text}");
            assert!(fit_of(":any", text) <= Fit::Unknown, "{text}");
        }
    }

    #[test]
    fn what_never_fits_is_certain() {
        for (given, wanted, expected) in [
            (":int", ":float", Fit::Fits),
            (":float", ":int", Fit::Never),
            (":string", ":int", Fit::Coerced),
            (":string", ":datetime", Fit::Unknown),
            ("[:string]", ":string", Fit::Never),
            (":string", "[:string]", Fit::Never),
            ("[:string]", "[:int]", Fit::Coerced),
            ("[:map]", "[:int]", Fit::Unknown),
            ("{a [[:float]]}", "{a [[:int]]}", Fit::Unknown),
            ("{a [:float], b :float}", "{a [:int], b :int}", Fit::Never),
            ("{a :int}", ":map", Fit::Fits),
            (":map", "{a :int}", Fit::Unknown),
            ("{a :int}", "{a :int, b :int}", Fit::Never),
            ("{a :int}", "{a :int, b :int?}", Fit::Fits),
            ("{a :int, b :int}", "{a :float}", Fit::Fits),
            ("{a :string}", "{a :int}", Fit::Coerced),
            ("{a :int}", ":string", Fit::Never),
            ("{a :int?}", "{a :string?}", Fit::Unknown),
            ("{a :int}", "{a :string?}", Fit::Never),
            ("{a :int?}", "{a :string}", Fit::Never),
        ] {
            assert_eq!(fit_of(given, wanted), expected, "{given} for {wanted}");
        }
    }
}
