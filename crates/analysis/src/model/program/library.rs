//! The functions of the language: what they return, given their arguments.

mod table;

use table::{Known, LIBRARY};

use std::{rc::Rc, sync::LazyLock};

use foldhash::HashMap;

use super::{
    Ty,
    eval::Eval,
    function::{Arg, Function},
    ty::{Parts, join_all},
};
use crate::model::{Edition, Primitive};

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

    /// Whether it makes a string of so many arguments.
    pub(super) fn makes_text(self, args: usize, edition: Edition) -> bool {
        let keeps = args == 1 && keeps_single_value(self.name, edition);
        matches!(self.known, Known::Is(Primitive::String)) && !keeps
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
            Known::Part => part_function(name, args),
            Known::Each => self.each_function(name, args),
            Known::Fold => self.fold_function(name, args),
            Known::List => list_function(name, args),
            Known::Map => self.map_function(name, args),
            Known::Function => combinator(name, args),
            Known::Other => match (name, args) {
                ("replace", [_, _, _]) => Ty::Primitive(Primitive::String),
                ("println", _) => Ty::Nil,
                _ => Ty::Unknown,
            },
        }
    }

    /// Calls the function that comes before a list for its elements.
    fn call_for_elements(&mut self, name: &str, args: &[Arg<'a>]) {
        if let ("every?" | "not-any?" | "not-every?" | "avg-by", [f, list]) = (name, args) {
            self.apply(f, &[list.ty.element()]);
        }
    }

    /// What a function returns that calls its first argument for each element of a list.
    fn each_function(&mut self, name: &str, args: &[Arg<'a>]) -> Ty<'a> {
        match (name, args) {
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
            ("split-with", [f, list]) => {
                let element = list.ty.element();
                self.apply(f, std::slice::from_ref(&element));
                Ty::tuple(vec![list_of(element.clone()), list_of(element)])
            }
            _ => Ty::Unknown,
        }
    }

    /// What a function returns that makes one value of all elements of a list, or of all arguments.
    fn fold_function(&mut self, name: &str, args: &[Arg<'a>]) -> Ty<'a> {
        match (name, args) {
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
            ("max-key" | "min-key", [f, values @ ..]) if !values.is_empty() => {
                for value in values {
                    self.apply(f, std::slice::from_ref(&value.ty));
                }
                join_all(values.iter().map(|it| it.ty.clone()))
            }
            _ => Ty::Unknown,
        }
    }

    /// What a function returns that makes or takes maps.
    fn map_function(&mut self, name: &str, args: &[Arg<'a>]) -> Ty<'a> {
        match (name, args) {
            ("frequencies", [_]) => Ty::dict(Ty::Primitive(Primitive::Int)),
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
                let values = self.map_function("vals", std::slice::from_ref(map));
                let ty = self.apply(f, &[values.element()]);
                Ty::dict(ty)
            }
            ("hash-map" | "array-map", _) => Ty::dict(Ty::Unknown),
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

/// What a function returns that selects elements of a list by their places.
fn part_function<'a>(name: &str, args: &[Arg<'a>]) -> Ty<'a> {
    match (name, args) {
        ("first", [list]) => part(&list.ty, 0),
        ("second", [list]) => part(&list.ty, 1),
        ("last" | "peek", [list]) => list.ty.element(),
        ("nth", [list, index]) => match index.expr {
            Some(_) if list.ty.is_list() => list.ty.element(),
            _ => Ty::Unknown,
        },
        ("butlast" | "pop" | "drop-last", [list]) => list_of(list.ty.element()),
        ("drop-last", [_, list]) | ("nthrest" | "nthnext", [list, _]) => list_of(list.ty.element()),
        ("partition" | "partition-all", [_, .., list]) => Ty::list(list_of(list.ty.element())),
        ("split-at", [_, list]) => {
            let list = list_of(list.ty.element());
            Ty::tuple(vec![list.clone(), list])
        }
        _ => Ty::Unknown,
    }
}

/// What a function returns that makes a list of its arguments, or of the elements of lists.
fn list_function<'a>(name: &str, args: &[Arg<'a>]) -> Ty<'a> {
    match (name, args) {
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
        ("vector" | "list", values) => Ty::tuple(values.iter().map(|it| it.ty.clone()).collect()),
        ("set", [_]) => Ty::set(),
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
        _ => Ty::Unknown,
    }
}

/// What a function returns that makes a function of its arguments.
fn combinator<'a>(name: &str, args: &[Arg<'a>]) -> Ty<'a> {
    match (name, args) {
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
        _ => Ty::Unknown,
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
