//! Types and signatures as text: the canonical form, what a model is shown, and the form of PTC-Lisp.

use std::{
    borrow::Cow,
    fmt::{self, Write},
};

use crate::model::{Edition, Field, Fields, Signature, Type, TypeKind};

/// The canonical text, which reads back as the same type.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        CANONICAL.ty(self, f)
    }
}

/// The canonical text, `name :type`.
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        CANONICAL.field(self, f)
    }
}

impl Field {
    /// The canonical text; of a long one only the beginning: thousands of messages may name a type of thousands of
    /// fields.
    pub(crate) fn short(&self) -> String {
        const LONGEST: usize = 512;
        match beginning(self, LONGEST) {
            (whole, true) => whole,
            (beginning, false) => beginning + "…",
        }
    }
}

/// The first `most` bytes of what `shown` is written as, and whether that is all. It is written no further.
pub(crate) fn beginning(shown: &dyn fmt::Display, most: usize) -> (String, bool) {
    let text = String::new();
    let mut beginning = Beginning { text, most };
    let is_whole = write!(beginning, "{shown}").is_ok();
    (beginning.text, is_whole)
}

/// Ends the writing when it is long enough.
struct Beginning {
    text: String,
    most: usize,
}

impl Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.most - self.text.len();
        if text.len() <= room {
            self.text.push_str(text);
            return Ok(());
        }
        let ends = text.char_indices().map(|(at, _)| at);
        let end = ends.take_while(|&it| it <= room).last().unwrap_or_default();
        self.text.push_str(&text[..end]);
        Err(fmt::Error)
    }
}

/// The canonical text, always with parameters, if only `()`.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        CANONICAL.signature(self, f)
    }
}

/// The signature as PTC-Lisp code sees it: names in kebab-case, if the edition folds hyphens, and
/// without what the edition hides.
pub fn lisp(signature: &Signature, edition: Edition) -> String {
    let form = Form {
        kebab: edition.folds_hyphens(),
        colon: ":",
    };
    form.text(&signature.visible(edition))
}

/// A tool as it is shown to a model: `name(params) -> type`, and the description below it, indented by
/// two spaces, with its blank lines and inner indentation. Without what the edition hides.
pub fn prompt_entry(
    name: &str,
    signature: &Signature,
    description: Option<&str>,
    edition: Edition,
) -> String {
    let mut entry = format!("{name}{}", signature.visible(edition));
    let description = description.unwrap_or_default().replace("\r\n", "\n");
    let mut lines: Vec<_> = description.split(['\n', '\r']).map(str::trim_end).collect();
    let last = lines.iter().rposition(|it| !it.is_empty());
    lines.truncate(last.map_or(0, |last| last + 1));
    let first = lines.iter().position(|it| !it.is_empty());
    let lines = &lines[first.unwrap_or_default()..];
    let indented = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let filled = lines.iter().filter(|it| !it.is_empty());
    let common = filled.map(indented).min().unwrap_or_default();
    for line in lines {
        entry.push('\n');
        if !line.is_empty() {
            entry.push_str("  ");
            entry.push_str(&line[common..]);
        }
    }
    entry
}

/// A tool as PTC-Lisp prompts list it: `tool/name(params) -> type  ; description` on one line, names in
/// kebab-case, type words without colons. Without what the edition hides.
pub fn lisp_entry(
    name: &str,
    signature: &Signature,
    description: Option<&str>,
    edition: Edition,
) -> String {
    let form = Form {
        kebab: edition.folds_hyphens(),
        colon: "",
    };
    let signature = form.text(&signature.visible(edition));
    let mut entry = format!("{}/{name}{signature}", edition.tool_namespace());
    let words = description.unwrap_or_default().split_whitespace();
    let description = words.collect::<Vec<_>>().join(" ");
    if !description.is_empty() {
        entry.push_str("  ; ");
        entry.push_str(&description);
    }
    entry
}

/// The parameters and the output as PTC-Lisp prompts list them: names in kebab-case, type words without colons.
pub fn lisp_words(signature: &Signature) -> String {
    LISP_WORDS.text(signature)
}

/// The type as PTC-Lisp prompts show it, with names in kebab-case.
pub fn lisp_type(ty: &Type) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = Form {
        kebab: true,
        colon: ":",
    }
    .ty(ty, &mut text);
    text
}

/// The key of the field `name` in PTC-Lisp code, without its colon.
pub fn lisp_key(name: &str, edition: Edition) -> Cow<'_, str> {
    match edition.folds_hyphens() && name.contains('_') {
        true => kebab_name(name).into(),
        false => name.into(),
    }
}

/// `name` with hyphens for underscores, but for one at its start.
pub fn kebab_name(name: &str) -> String {
    match name.strip_prefix('_') {
        Some(rest) => format!("_{}", rest.replace('_', "-")),
        None => name.replace('_', "-"),
    }
}

impl Signature {
    /// The signature as models and callers see it: without the names that the edition hides, at every
    /// depth.
    pub fn visible(&self, edition: Edition) -> Self {
        Self {
            params: visible_fields(&self.params, edition),
            output: self.output.visible(edition),
        }
    }
}

impl Type {
    /// The type as models and callers see it: without the names that the edition hides, at every depth.
    pub fn visible(&self, edition: Edition) -> Self {
        let kind = match &self.kind {
            TypeKind::List(element) => TypeKind::List(Box::new(element.visible(edition))),
            TypeKind::Record(fields) => TypeKind::Record(visible_fields(fields, edition)),
            TypeKind::Primitive(primitive) => TypeKind::Primitive(*primitive),
            TypeKind::Unknown => TypeKind::Unknown,
        };
        Self {
            kind,
            optional: self.optional,
            range: self.range,
        }
    }
}

fn visible_fields(fields: &[Field], edition: Edition) -> Fields {
    let visible = fields.iter().filter(|field| !edition.hides(&field.name));
    let visible = visible.map(|field| Field {
        name: field.name.clone(),
        name_range: field.name_range,
        ty: field.ty.visible(edition),
    });
    visible.collect()
}

/// How names and type words are written.
struct Form {
    kebab: bool,
    /// What precedes a type word.
    colon: &'static str,
}

const CANONICAL: Form = Form {
    kebab: false,
    colon: ":",
};

const LISP_WORDS: Form = Form {
    kebab: true,
    colon: "",
};

impl Form {
    fn text(&self, signature: &Signature) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.signature(signature, &mut text);
        text
    }

    fn signature(&self, signature: &Signature, out: &mut impl Write) -> fmt::Result {
        out.write_str("(")?;
        self.fields(&signature.params, out)?;
        out.write_str(") -> ")?;
        self.ty(&signature.output, out)
    }

    fn fields(&self, fields: &[Field], out: &mut impl Write) -> fmt::Result {
        for (index, field) in fields.iter().enumerate() {
            if index > 0 {
                out.write_str(", ")?;
            }
            self.field(field, out)?;
        }
        Ok(())
    }

    fn field(&self, field: &Field, out: &mut impl Write) -> fmt::Result {
        if self.kebab {
            out.write_str(&kebab_name(&field.name))?;
        } else {
            out.write_str(&field.name)?;
        }
        out.write_str(" ")?;
        self.ty(&field.ty, out)
    }

    fn ty(&self, ty: &Type, out: &mut impl Write) -> fmt::Result {
        match &ty.kind {
            TypeKind::Primitive(primitive) => write!(out, "{}{}", self.colon, primitive.word())?,
            TypeKind::List(element) => {
                out.write_str("[")?;
                self.ty(element, out)?;
                out.write_str("]")?;
            }
            TypeKind::Record(fields) => {
                out.write_str("{")?;
                self.fields(fields, out)?;
                out.write_str("}")?;
            }
            TypeKind::Unknown => write!(out, "{}any", self.colon)?,
        }
        if ty.optional {
            out.write_str("?")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
