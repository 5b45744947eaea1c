//! The functions of the language: what they return, given their arguments.

use std::{rc::Rc, sync::LazyLock};

use foldhash::HashMap;

use super::{
    Ty,
    eval::Eval,
    function::{Arg, Function},
    ty::{Parts, join_all},
};
use crate::model::{Edition, Primitive};

/// What a function returns where that does not depend on functions among its arguments.
#[derive(Debug, Clone, Copy)]
enum Known {
    /// A value of this type.
    Is(Primitive),
    /// A list of values of this type.
    ListOf(Primitive),
    /// A list of elements of its last argument, for which its first argument is called if it is a function.
    Selection,
    /// Its first argument.
    First,
    /// A number like its arguments.
    Number,
    /// One of its arguments, a number.
    Choice,
    /// It depends.
    Special,
}

/// Each list in the order of its names.
const LIBRARY: &[(Known, &[&str])] = &[
    (
        Known::Is(Primitive::Bool),
        &[
            "<",
            "<=",
            "=",
            "==",
            ">",
            ">=",
            "NaN?",
            "associative?",
            "blank?",
            "boolean",
            "boolean?",
            "char?",
            "coll?",
            "contains?",
            "counted?",
            "decimal?",
            "distinct?",
            "double?",
            "empty?",
            "ends-with?",
            "even?",
            "every?",
            "false?",
            "float?",
            "fn?",
            "ifn?",
            "includes?",
            "indexed?",
            "infinite?",
            "int?",
            "integer?",
            "keyword?",
            "map-entry?",
            "map?",
            "nat-int?",
            "neg-int?",
            "neg?",
            "nil?",
            "not",
            "not-any?",
            "not-every?",
            "not=",
            "number?",
            "odd?",
            "parse-boolean",
            "pos-int?",
            "pos?",
            "ratio?",
            "rational?",
            "regex?",
            "reversible?",
            "seq?",
            "seqable?",
            "sequential?",
            "set?",
            "some?",
            "sorted?",
            "starts-with?",
            "string?",
            "symbol?",
            "true?",
            "vector?",
            "zero?",
        ],
    ),
    (
        Known::Is(Primitive::String),
        &[
            "downcase",
            "format",
            "join",
            "lower-case",
            "name",
            "pr-str",
            "str",
            "subs",
            "trim",
            "trim-newline",
            "triml",
            "trimr",
            "upcase",
            "upper-case",
        ],
    ),
    (
        Known::Is(Primitive::Int),
        &[
            "ceil",
            "compare",
            "count",
            "floor",
            "index-of",
            "int",
            "last-index-of",
            "parse-int",
            "parse-long",
            "quot",
            "round",
            "trunc",
        ],
    ),
    (
        Known::Is(Primitive::Float),
        &[
            "/",
            "avg",
            "avg-by",
            "double",
            "float",
            "parse-double",
            "pow",
            "sqrt",
        ],
    ),
    (Known::Is(Primitive::Keyword), &["keyword"]),
    (
        Known::ListOf(Primitive::String),
        &["re-split", "split", "split-lines"],
    ),
    (
        Known::Selection,
        &[
            "dedupe",
            "distinct",
            "distinct-by",
            "drop",
            "drop-while",
            "filter",
            "filterv",
            "next",
            "remove",
            "rest",
            "reverse",
            "seq",
            "sort",
            "sort-by",
            "take",
            "take-last",
            "take-while",
            "vec",
        ],
    ),
    (Known::First, &["identity", "not-empty"]),
    (
        Known::Number,
        &[
            "*", "*'", "+", "+'", "-", "-'", "abs", "dec", "inc", "mod", "rem",
        ],
    ),
    (Known::Choice, &["max", "min"]),
    (
        Known::Special,
        &[
            "apply",
            "array-map",
            "assoc",
            "assoc-in",
            "butlast",
            "comp",
            "complement",
            "concat",
            "conj",
            "cons",
            "constantly",
            "dissoc",
            "drop-last",
            "entries",
            "first",
            "flatten",
            "fnil",
            "frequencies",
            "get",
            "get-in",
            "group-by",
            "hash-map",
            "interpose",
            "into",
            "juxt",
            "keep",
            "keep-indexed",
            "keys",
            "last",
            "list",
            "map",
            "map-indexed",
            "mapcat",
            "mapv",
            "max-by",
            "max-key",
            "merge",
            "merge-with",
            "min-by",
            "min-key",
            "nth",
            "nthnext",
            "nthrest",
            "partial",
            "partition",
            "partition-all",
            "partition-by",
            "peek",
            "pluck",
            "pmap",
            "pop",
            "println",
            "range",
            "reduce",
            "reduce-kv",
            "replace",
            "second",
            "select-keys",
            "set",
            "some",
            "split-at",
            "split-with",
            "sum",
            "sum-by",
            "update",
            "update-in",
            "update-vals",
            "vals",
            "vector",
            "zip",
            "zipmap",
        ],
    ),
];

/// A function of the language.
#[derive(Debug, Clone, Copy)]
pub struct Library {
    /// Its name, without a namespace.
    name: &'static str,
    known: Known,
}

/// The name without the namespace of a part of the language.
fn plain(name: &str) -> &str {
    let modules = [
        "str/",
        "string/",
        "clojure.string/",
        "clojure.core/",
        "core/",
    ];
    let mut plain = modules.iter().filter_map(|it| name.strip_prefix(it));
    plain.next().unwrap_or(name)
}

impl Library {
    /// The function of this name, if it is known here.
    pub(super) fn find(name: &str) -> Option<Self> {
        static BY_NAME: LazyLock<HashMap<&str, Library>> = LazyLock::new(|| {
            let groups = LIBRARY.iter();
            let all = groups.flat_map(|&(known, names)| {
                let names = names.iter();
                names.map(move |&name| (name, Library { name, known }))
            });
            all.collect()
        });
        let is_plain = !name.as_bytes().contains(&b'/');
        let name = if is_plain { name } else { plain(name) };
        BY_NAME.get(name).copied()
    }
}

impl<'a> Eval<'a, '_> {
    /// What a function of the language returns.
    pub(super) fn library(&mut self, of: Library, args: &[Arg<'a>]) -> Ty<'a> {
        let Library { name, known } = of;
        let edition = self.world.edition;
        match known {
            _ if keeps_single_value(name, edition) && args.len() == 1 => ty_at(args, 0),
            Known::Is(primitive) => {
                self.call_for_elements(name, args);
                Ty::Primitive(primitive)
            }
            Known::ListOf(primitive) => Ty::list(Ty::Primitive(primitive)),
            Known::Selection => match args {
                [] => Ty::Unknown,
                // Without a list it makes a function.
                [only] if !only.ty.is_list() && takes_function(name) => Ty::Unknown,
                [first, .., last] => {
                    let element = last.ty.element();
                    if takes_function(name) {
                        self.apply(first, std::slice::from_ref(&element));
                    }
                    list_of(element)
                }
                [only] => list_of(only.ty.element()),
            },
            Known::First => ty_at(args, 0),
            Known::Number => number(args.iter().map(|it| &it.ty)),
            Known::Choice => {
                let is_number = |it: &Arg<'a>| !number([&it.ty].into_iter()).is_unknown();
                match args.iter().all(is_number) {
                    true => join_all(args.iter().map(|it| it.ty.clone())),
                    false => Ty::Unknown,
                }
            }
            Known::Special => self.special(name, args),
        }
    }

    /// Calls the function that comes before a list for its elements.
    fn call_for_elements(&mut self, name: &str, args: &[Arg<'a>]) {
        if let ("every?" | "not-any?" | "not-every?" | "avg-by", [f, list]) = (name, args) {
            self.apply(f, &[list.ty.element()]);
        }
    }

    fn special(&mut self, name: &str, args: &[Arg<'a>]) -> Ty<'a> {
        match (name, args) {
            ("first", [list]) => part(&list.ty, 0),
            ("second", [list]) => part(&list.ty, 1),
            ("last" | "peek", [list]) => list.ty.element(),
            ("nth", [list, index]) => match index.expr {
                Some(_) if list.ty.is_list() => list.ty.element(),
                _ => Ty::Unknown,
            },
            ("butlast" | "pop" | "drop-last", [list]) => list_of(list.ty.element()),
            ("drop-last", [_, list]) | ("nthrest" | "nthnext", [list, _]) => {
                list_of(list.ty.element())
            }
            ("map" | "mapv" | "pmap" | "keep", [f, lists @ ..]) if !lists.is_empty() => {
                let elements: Vec<_> = lists.iter().map(|it| it.ty.element()).collect();
                let ty = self.apply(f, &elements);
                list_of(ty)
            }
            ("pluck", [f, list]) => {
                let ty = self.apply(f, &[list.ty.element()]);
                list_of(ty)
            }
            ("mapcat", [f, list]) => {
                let ty = self.apply(f, &[list.ty.element()]);
                // The entries of maps are no lists here.
                match ty.is_list() || matches!(ty, Ty::Undeclared(_)) {
                    true => list_of(ty.element()),
                    false => Ty::list(Ty::Unknown),
                }
            }
            ("map-indexed" | "keep-indexed", [f, list]) => {
                let index = Ty::Primitive(Primitive::Int);
                let ty = self.apply(f, &[index, list.ty.element()]);
                list_of(ty)
            }
            ("some", [f, list]) => self.apply(f, &[list.ty.element()]),
            ("group-by", [f, list]) => {
                let element = list.ty.element();
                self.apply(f, std::slice::from_ref(&element));
                Ty::dict(list_of(element))
            }
            ("partition-by", [f, list]) => {
                let element = list.ty.element();
                self.apply(f, std::slice::from_ref(&element));
                Ty::list(list_of(element))
            }
            ("partition" | "partition-all", [_, .., list]) => Ty::list(list_of(list.ty.element())),
            ("split-with", [f, list]) => {
                let element = list.ty.element();
                self.apply(f, std::slice::from_ref(&element));
                Ty::tuple(vec![list_of(element.clone()), list_of(element)])
            }
            ("split-at", [_, list]) => {
                let list = list_of(list.ty.element());
                Ty::tuple(vec![list.clone(), list])
            }
            ("frequencies", [_]) => Ty::dict(Ty::Primitive(Primitive::Int)),
            ("reduce", [f, list]) => {
                let element = list.ty.element();
                self.reduce(f, element.clone(), element)
            }
            ("reduce", [f, first, list]) => self.reduce(f, first.ty.clone(), list.ty.element()),
            ("apply", [f, first @ .., list]) => self.apply_to_all(f, first, &list.ty),
            ("sum", [list]) => number([&list.ty.element()].into_iter()),
            ("sum-by", [f, list]) => {
                let ty = self.apply(f, &[list.ty.element()]);
                number([&ty].into_iter())
            }
            ("max-by" | "min-by", [f, list]) if list.ty.is_list() => {
                self.apply(f, &[list.ty.element()]);
                Ty::Unknown
            }
            ("max-key" | "min-key", [f, values @ ..]) => {
                for value in values {
                    self.apply(f, std::slice::from_ref(&value.ty));
                }
                join_all(values.iter().map(|it| it.ty.clone()))
            }
            ("vals", [map]) => match &map.ty.element() {
                Ty::Compound(it) => match &it.parts {
                    Parts::Tuple(pair) if !map.ty.is_list() => {
                        list_of(pair.get(1).cloned().unwrap_or_default())
                    }
                    _ => Ty::list(Ty::Unknown),
                },
                _ => Ty::list(Ty::Unknown),
            },
            ("keys", [_]) => Ty::list(Ty::Unknown),
            ("entries", [map]) => list_of(map.ty.element()),
            ("zipmap", [_, values]) => Ty::dict(values.ty.element()),
            ("update-vals", [map, f]) => {
                let values = self.special("vals", std::slice::from_ref(map));
                let ty = self.apply(f, &[values.element()]);
                Ty::dict(ty)
            }
            ("into", [to, from]) if to.ty.is_list() => {
                let of_both = [to.ty.clone(), list_of(from.ty.element())];
                join_all(of_both.into_iter())
            }
            ("conj", [list, values @ ..]) if list.ty.is_list() => {
                let values = values.iter().map(|it| it.ty.clone());
                list_of(values.fold(list.ty.element(), Ty::join))
            }
            ("cons", [first, list]) if list.ty.is_list() => {
                list_of(first.ty.clone().join(list.ty.element()))
            }
            ("concat", lists) if lists.iter().all(|it| it.ty.is_list()) => {
                list_of(join_all(lists.iter().map(|it| it.ty.element())))
            }
            ("concat", [only]) => only.ty.clone(),
            ("concat" | "flatten" | "interpose", _) => Ty::list(Ty::Unknown),
            ("vector" | "list", values) => {
                Ty::tuple(values.iter().map(|it| it.ty.clone()).collect())
            }
            ("hash-map" | "array-map", _) => Ty::dict(Ty::Unknown),
            ("range", ends) => {
                let is_int = |it: &Arg<'a>| it.ty.as_primitive() == Some(Primitive::Int);
                // `(range 3.0)` has integers.
                match ends.iter().all(is_int) {
                    true => Ty::list(Ty::Primitive(Primitive::Int)),
                    false => Ty::list(Ty::Unknown),
                }
            }
            ("zip", lists) => {
                let elements = lists.iter().map(|it| it.ty.element());
                Ty::list(Ty::tuple(elements.collect()))
            }
            ("replace", [_, _, _]) => Ty::Primitive(Primitive::String),
            ("comp", functions) => {
                let functions = functions.iter().map(|it| it.ty.clone());
                Ty::Function(Function::Composed(Rc::new(functions.collect())))
            }
            ("partial", [f, first @ ..]) => {
                let first = first.iter().map(|it| it.ty.clone());
                let partial = (f.ty.clone(), first.collect());
                Ty::Function(Function::Partial(Rc::new(partial)))
            }
            ("constantly", [value]) => Ty::Function(Function::Constant(Rc::new(value.ty.clone()))),
            ("fnil", [f, ..]) => f.ty.clone(),
            ("println", _) => Ty::Nil,
            _ => self.of_map(name, args),
        }
    }

    /// Folds elements of one type. Without elements, or with just one, the function is not called. What comes of it is
    /// certain where each step evaluates to what it began with.
    fn reduce(&mut self, f: &Arg<'a>, first: Ty<'a>, element: Ty<'a>) -> Ty<'a> {
        let step = |eval: &mut Self, before: &Ty<'a>| {
            let args = [before.clone(), element.clone()];
            eval.quietly(|eval| eval.apply(f, &args))
        };
        let before = match f.ty {
            Ty::Function(Function::Library(_)) => first.clone().join(step(self, &first)),
            _ => first,
        };
        let after = step(self, &before);
        match !before.is_unknown() && before.is_same(&after) {
            true => self.apply(f, &[before, element]),
            false => {
                self.apply(f, &[Ty::Unknown, element]);
                Ty::Unknown
            }
        }
    }

    /// `(apply f a b list)`
    fn apply_to_all(&mut self, f: &Arg<'a>, first: &[Arg<'a>], list: &Ty<'a>) -> Ty<'a> {
        let Ty::Function(Function::Library(of)) = f.ty else {
            return Ty::Unknown;
        };
        let element = list.element();
        let is_uniform = match of.name {
            "+" | "-" | "*" | "max" | "min" | "max-key" | "min-key" => true,
            // There may be just one argument.
            "str" => first.len() > 1 || !self.world.edition.str_keeps_single_values(),
            "concat" => element.is_list() && first.iter().all(|it| it.ty.is_list()),
            _ => false,
        };
        if !is_uniform {
            return Ty::Unknown;
        }
        let element = Arg::of(element);
        let args: Vec<_> = first.iter().cloned().chain([element]).collect();
        self.library(of, &args)
    }
}

/// Whether it returns its argument if there is only one.
fn keeps_single_value(name: &str, edition: Edition) -> bool {
    match name {
        "str" => edition.str_keeps_single_values(),
        "/" => edition.division_keeps_single_numbers(),
        _ => false,
    }
}

/// Whether its first argument is a function.
fn takes_function(name: &str) -> bool {
    matches!(
        name,
        "filter" | "filterv" | "remove" | "sort-by" | "distinct-by" | "take-while" | "drop-while"
    )
}

fn ty_at<'a>(args: &[Arg<'a>], index: usize) -> Ty<'a> {
    args.get(index).map(|it| it.ty.clone()).unwrap_or_default()
}

/// A list, also where nobody can tell of what.
fn list_of(element: Ty<'_>) -> Ty<'_> {
    Ty::list(match element {
        Ty::Nil => Ty::Unknown,
        element => element,
    })
}

/// The element of a list at `index`, or what a map begins with.
fn part<'a>(list: &Ty<'a>, index: usize) -> Ty<'a> {
    match list.is_list() {
        true => list.at(index),
        false => list.element(),
    }
}

/// What arithmetic on numbers of these types evaluates to.
fn number<'t, 'a: 't>(types: impl Iterator<Item = &'t Ty<'a>>) -> Ty<'a> {
    let mut is_float = false;
    for ty in types {
        match ty.as_primitive() {
            Some(Primitive::Int) => {}
            Some(Primitive::Float) => is_float = true,
            _ => return Ty::Unknown,
        }
    }
    Ty::Primitive(match is_float {
        true => Primitive::Float,
        false => Primitive::Int,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_known(name: &str) -> bool {
        Library::find(name).is_some()
    }

    #[test]
    fn functions_are_found_by_their_names() {
        let mut all = foldhash::HashSet::default();
        for (_, names) in LIBRARY {
            assert!(names.is_sorted(), "{names:?}");
            assert!(names.iter().all(|name| is_known(name) && all.insert(*name)));
        }
        // Functions of Clojure that no release has.
        assert!(!is_known("launch") && !is_known("shuffle") && !is_known("repeat"));
    }
}
