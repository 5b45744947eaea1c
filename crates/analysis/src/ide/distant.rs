//! Declarations that a diagnostic refers to by the function that has them, because it may be in another file.

use crate::ide::{Document, Returned, Shared, names, places_of};
use signature_ls_source::{
    host::elixir::tools::Capture,
    text::{TextRange, TextSize},
};

/// A related place of a diagnostic that may be in another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distant {
    /// What is declared there.
    pub declaration: Declaration,
    /// A description in one sentence.
    pub message: String,
}

/// A declaration in the file of a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Declaration {
    /// A parameter or field of the agent that a function returns.
    Returned(Returned),
    /// A parameter of a function that is a tool, with its name in the tool's signature.
    Parameter(Capture, String),
    /// A function, with the full name of its module.
    Function(Capture),
}

impl Declaration {
    /// The function, with the full name of its module.
    pub fn function(&self) -> &Capture {
        match self {
            Self::Returned(returned) => &returned.function,
            Self::Parameter(function, _) | Self::Function(function) => function,
        }
    }
}

/// Where `document`, which defines its function, has a declaration: the name of the parameter or field, else that of
/// the function.
pub fn declared_at(document: &Document, declaration: &Declaration) -> Option<TextRange> {
    if let Declaration::Returned(returned) = declaration {
        let places = places_of(document, &Shared::Returned(returned.clone()));
        if let Some(declared) = places.iter().find(|it| it.is_definition) {
            return Some(declared.range);
        }
    }
    let places = { document.host() }.function_places(document.text(), declaration.function());
    if let Declaration::Parameter(_, name) = declaration {
        let mut parameters = places.iter().flat_map(|it| &it.parameters);
        if let Some((_, range)) = parameters.find(|(it, _)| it == name) {
            return Some(*range);
        }
    }
    places.first().map(|it| it.name)
}

/// Where the functions that `document` registers as a tool declare what `shared` is: a parameter, or for a field the
/// function itself.
pub fn declared_by_functions(document: &Document, shared: &Shared) -> Vec<Declaration> {
    let Shared::Member(member) = shared else {
        return Vec::new();
    };
    let captures = names::registered_as(document, None, &member.tool);
    let functions = { captures.iter() }.flat_map(|it| document.scope().full_names(it));
    let declared = functions.map(|function| match (member.is_input, member.path.as_slice()) {
        (true, [only]) => Declaration::Parameter(function, only.clone()),
        _ => Declaration::Function(function),
    });
    declared.collect()
}

/// Where a text outside of a unit is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It begins here in the document.
    At(TextSize),
    /// In the file of a function.
    Of(Declaration),
    Unknown,
}

impl Origin {
    /// Its start, if that is known.
    pub(crate) fn start(&self) -> Option<TextSize> {
        match self {
            Self::At(start) => Some(*start),
            Self::Of(_) | Self::Unknown => None,
        }
    }

    /// The declaration that has to be looked up.
    pub(crate) fn declaration(&self) -> Option<&Declaration> {
        match self {
            Self::Of(declaration) => Some(declaration),
            Self::At(_) | Self::Unknown => None,
        }
    }
}

impl From<Option<Declaration>> for Origin {
    fn from(declaration: Option<Declaration>) -> Self {
        declaration.map_or(Self::Unknown, Self::Of)
    }
}
