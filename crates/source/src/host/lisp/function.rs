//! Functions with a signature, and their parameters.

use crate::text::{TextRange, TextSize};

/// A function with a signature in its metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub name_range: TextRange,
    /// Its documentation with the quotes.
    pub doc: Option<TextRange>,
    /// The parameters for each arity, in the order of the text.
    pub arities: Vec<Arity>,
    /// The uses of its parameters in its body, in the order of the text.
    pub locals: Vec<Local>,
}

/// The name of a parameter in the body of its function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    /// The name.
    pub name: String,
    /// Where it is.
    pub range: TextRange,
    /// Whether it is bound again here, to the value of a key with that name.
    pub is_key: bool,
}

impl Function {
    /// Whether `range` is in the parameters of an arity.
    pub fn is_in_head(&self, range: TextRange) -> bool {
        let before = |it: &Arity| it.range.end() < range.end();
        let next = self.arities.get(self.arities.partition_point(before));
        next.is_some_and(|it| it.range.contains_range(range))
    }

    pub(super) fn moved_by(&self, by: TextSize) -> Self {
        let mut moved = self.clone();
        moved.name_range += by;
        moved.doc = moved.doc.map(|doc| doc + by);
        for arity in &mut moved.arities {
            arity.range += by;
            for parameter in &mut arity.parameters {
                parameter.range += by;
                parameter.keys.iter_mut().for_each(|(_, key)| *key += by);
            }
        }
        moved
    }
}

/// The parameters of one arity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arity {
    /// The vector.
    pub range: TextRange,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; `None` if it is destructured.
    pub name: Option<String>,
    /// Where it is.
    pub range: TextRange,
    /// Whether it follows `&` and takes all other arguments.
    pub is_rest: bool,
    /// If it destructures a map: the keys, without colons, quotes and namespaces.
    pub keys: Vec<(String, TextRange)>,
}
