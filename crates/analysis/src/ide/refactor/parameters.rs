//! Parameters: missing ones of a prompt, unused ones, and conversions to and from a record.

use super::{Offer, Refactoring, Unavailable, offered, samples, tried};
use crate::{
    ide::{
        Document, fixes,
        format::{Layout, laid_out},
        fragment::Tree,
        fragment::in_parens,
        inference,
        names::{self, Place, Symbol},
        place::{self, Literal},
        rename::refuse_unseen_uses,
        rules::missing,
        unit::{NameKind, UnitView},
    },
    model::{
        Field, Lowered, Signature, Type, TypeKind,
        placeholders::{self, Use, Uses},
    },
};
use signature_ls_source::{
    host::Role,
    order,
    syntax::{
        error::ErrorKind,
        kind::{SyntaxKind, SyntaxNode},
    },
    text::{TextEdit, TextRange, TextSize},
};

/// The name of the record for all parameters.
const RECORD: &str = "input";

/// Why a sample cannot follow.
const FIXED_SAMPLE: &str = "A sample or a `context:` of it cannot be rewritten.";

/// A refactoring with more edits takes too long to try and is not offered.
const MOST_EDITS: usize = 1_000;

/// The number of parameters that can become a record: the uses of each are looked for.
const MOST_MOVED: usize = 100;

/// The number of missing parameters that can be added one by one. More would hide everything else in the menu.
const MOST_OFFERED: usize = 8;

/// A prompt without interpolations.
struct Prompt<'a> {
    /// The start of its text, in bytes of the document.
    start: TextSize,
    root: SyntaxNode,
    /// The meaning of its names, if it is known.
    uses: Option<&'a Uses>,
}

/// A signature with the prompts beside it.
struct Agent<'a> {
    document: &'a Document,
    literal: Literal<'a>,
    /// The start of the signature, in bytes of the document.
    start: TextSize,
    root: SyntaxNode,
    lowered: &'a Lowered,
    prompts: Vec<Prompt<'a>>,
    /// Whether all names in the prompts are those of parameters and fields.
    is_complete: bool,
}

pub(super) fn refactorings(
    document: &Document,
    literal: &Literal<'_>,
    offset: TextSize,
) -> Vec<Offer> {
    let Some(agent) = Agent::around(document, literal) else {
        return Vec::new();
    };
    let mut found = agent.add_missing();
    let edition = document.edition();
    if agent
        .lowered
        .problems
        .iter()
        .any(|it| it.is_refused_by(edition))
    {
        return found;
    }
    if let Some(at) = offset.checked_sub(agent.start)
        && literal.site.role == Role::Signature
    {
        found.extend(agent.remove_unused(at));
        found.extend(agent.fields_to_parameters(at));
        found.extend(agent.parameters_to_record(at));
    }
    found
}

/// Why the parameters of a tool do not become a record, or the other way around.
pub(super) fn of_tool(
    literal: &Literal<'_>,
    signature: &Signature,
    offset: TextSize,
) -> Option<Unavailable> {
    let at = offset.checked_sub(literal.start)?;
    let params = &signature.params;
    let param = { params.iter() }.find(|it| it.name_range.contains_inclusive(at))?;
    let title = match &param.ty.kind {
        TypeKind::Record(_) => to_parameters(param),
        _ if params.len() > 1 => to_record(),
        _ => return None,
    };
    let reason = "The function of the tool reads its arguments by these names.".to_owned();
    Some(Unavailable { title, reason })
}

fn to_parameters(record: &Field) -> String {
    format!("Make parameters of the fields of `{}`", record.name)
}

fn to_record() -> String {
    format!("Move the parameters into a record `{RECORD}`")
}

/// The parameters as they are written in a signature.
fn listed(params: &[(String, Type)]) -> String {
    let params = params.iter().map(|(name, ty)| format!("{name} {ty}"));
    params.collect::<Vec<_>>().join(", ")
}

fn too_many() -> String {
    format!("It would change more than {MOST_EDITS} places.")
}

impl<'a> Agent<'a> {
    fn around(document: &'a Document, literal: &Literal<'a>) -> Option<Self> {
        let placed = literal.placed;
        let signatures = placed.unit.sites.iter().zip(&literal.analysis.fragments);
        let mut signatures =
            signatures.filter(|(site, _)| site.role == Role::Signature && !site.is_dynamic());
        let (Some((_, signature)), None) = (signatures.next(), signatures.next()) else {
            return None;
        };
        let Tree::Signature { green, lowered, .. } = &signature.tree else {
            return None;
        };
        let prompts = literal.analysis.static_prompts();
        let prompts = prompts.map(|(start, green, uses)| Prompt {
            start: start + placed.start,
            root: SyntaxNode::new_root(green.clone()),
            uses: uses.filter(|it| *it.signature() == *lowered.signature),
        });
        Some(Self {
            document,
            literal: *literal,
            start: signature.start + placed.start,
            root: SyntaxNode::new_root(green.clone()),
            lowered,
            is_complete: literal.analysis.knows_all_names(&lowered.signature),
            prompts: prompts.collect(),
        })
    }

    fn signature(&self) -> &'a Signature {
        &self.lowered.signature
    }

    /// The names in the prompts that begin with the parameter at `index`, with the starts of their prompts.
    fn uses_of(&self, index: usize) -> Vec<(TextSize, Use)> {
        self.uses_where(&|it| it == index)
    }

    /// The names in the prompts that begin with a parameter at one of the `indices`, with the starts of their prompts.
    fn uses_where(&self, indices: &dyn Fn(usize) -> bool) -> Vec<(TextSize, Use)> {
        let edition = self.document.edition();
        let uses = self.prompts.iter().flat_map(|prompt| {
            let uses = match prompt.uses {
                Some(uses) => uses.of_params(indices),
                None => {
                    let all = placeholders::resolve(&prompt.root, self.signature(), edition);
                    all.into_iter()
                        .filter(|it| it.param.is_some_and(indices))
                        .collect()
                }
            };
            uses.into_iter().map(|it| (prompt.start, it))
        });
        uses.collect()
    }

    fn add_missing(&self) -> Vec<Offer> {
        let is_unclosed = |it: SyntaxNode| it.kind() == SyntaxKind::Error(ErrorKind::Unclosed);
        // What an open bracket swallows is not missing.
        if self.is_complete || self.root.descendants().any(is_unclosed) {
            return Vec::new();
        }
        let prompts: Vec<_> = self.prompts.iter().map(|it| it.root.clone()).collect();
        let missing = inference::missing(&prompts, self.signature(), self.document.edition());
        if missing.len() > MOST_EDITS {
            return Vec::new();
        }
        let (placed, analysis) = (self.literal.placed, self.literal.analysis);
        let as_sampled = |view: &UnitView<'_>| {
            let missing = missing.into_iter().map(|(name, ty)| {
                let ty = view.as_sampled(&name, ty);
                (name, ty)
            });
            missing.collect()
        };
        let missing: Vec<_> = self.document.with_view(placed, analysis, as_sampled);
        let all = format!(
            "Add the {} parameters that the prompt asks for",
            missing.len()
        );
        let all = (missing.len() > 1).then(|| (all, &missing[..]));
        // Each is tried, which takes as long as reading the unit.
        let tried = fixes::MOST_READ / (1 + usize::from(placed.unit.len));
        let each = missing.chunks(1).take(tried.clamp(1, MOST_OFFERED));
        let each = each.map(|it| (format!("Add the parameter `{}`", listed(it)), it));
        let added = all.into_iter().chain(each);
        added
            .filter_map(|(title, params)| self.added(title, params))
            .collect()
    }

    /// The refactoring that adds `params` and their values in samples.
    fn added(&self, title: String, params: &[(String, Type)]) -> Option<Offer> {
        let edits = self.in_samples(|view| {
            let mut edits = missing::values_for(view, TextRange::default(), params);
            edits.push(view.insert_parameters(params)?);
            Some(edits)
        });
        let found = Refactoring::new(title, edits?.collect());
        Some(offered(found, |edits| {
            fixes::add_parameters(self.document, edits)
        }))
    }

    /// The parameter `param` as a name; `None` if another one has the same name.
    fn symbol_of(&self, param: &Field) -> Option<Symbol> {
        Some(Symbol::Field {
            signature: self.start,
            field: self.lowered.names.at(param.name_range)?,
        })
    }

    /// Refuses if something that passes a value to the parameter `param` is unknown, or if a program reads it.
    fn refuse_unseen(&self, param: &Field) -> Result<(), String> {
        let Some(symbol) = self.symbol_of(param) else {
            return Err("The signature has two parameters of that name.".to_owned());
        };
        refuse_unseen_uses(self.document, &symbol).map_err(|it| it.0)?;
        let places = names::places(self.document, &symbol);
        match places.iter().any(|it| it.name.kind == NameKind::Data) {
            true => Err(format!("A program reads `data/{}`.", param.name)),
            false => Ok(()),
        }
    }

    /// The edits of samples that `edits` returns, in bytes of the document.
    fn in_samples(
        &self,
        edits: impl FnOnce(&UnitView<'_>) -> Option<Vec<TextEdit>>,
    ) -> Option<impl Iterator<Item = TextEdit>> {
        let (placed, analysis) = (self.literal.placed, self.literal.analysis);
        let edits = self
            .document
            .with_view(placed, analysis, edits)?
            .into_iter();
        Some(edits.map(|it| TextEdit::replace(it.range + placed.start, it.insert)))
    }

    fn param_at(&self, at: TextSize) -> Option<(usize, &'a Field)> {
        let mut params = self.signature().params.iter().enumerate();
        params.find(|(_, it)| it.range().contains_inclusive(at))
    }

    fn remove_unused(&self, at: TextSize) -> Option<Offer> {
        let (index, param) = self.param_at(at)?;
        if self.prompts.is_empty() || !self.uses_of(index).is_empty() || self.is_named(param) {
            return None;
        }
        let title = format!("Remove the unused parameter `{}`", param.name);
        Some(self.offer(title, self.without_parameter((index, param))))
    }

    /// Whether something other than the samples beside the signature names a parameter.
    fn is_named(&self, param: &Field) -> bool {
        let Some(symbol) = self.symbol_of(param) else {
            return false;
        };
        let placed = self.literal.placed;
        let unit = placed.range();
        let is_removed = |it: &Place| match it.name.kind {
            NameKind::Declaration => true,
            NameKind::SampleKey => unit.contains_range(it.name.range),
            _ => false,
        };
        !names::places(self.document, &symbol).iter().all(is_removed)
    }

    fn without_parameter(&self, (index, param): (usize, &Field)) -> Result<Vec<TextEdit>, String> {
        let params = &self.signature().params;
        let own = param.range();
        let range = match (params.get(index + 1), index.checked_sub(1)) {
            (Some(next), _) => TextRange::new(own.start(), next.name_range.start()),
            (None, Some(before)) => TextRange::new(params[before].end(), own.end()),
            // The lines of a list without parameters would be empty.
            (None, None) => in_parens(&self.root).unwrap_or(own),
        };
        let mut edits = vec![TextEdit::delete(range + self.start)];
        let in_samples = self.in_samples(|view| samples::without(view, &param.name));
        edits.extend(in_samples.ok_or(FIXED_SAMPLE)?);
        Ok(edits)
    }

    /// `(user {name :string})` becomes `(name :string)`, and `{{user.name}}` becomes `{{name}}`.
    fn fields_to_parameters(&self, at: TextSize) -> Option<Offer> {
        let (index, param) = self.param_at(at)?;
        let TypeKind::Record(fields) = &param.ty.kind else {
            return None;
        };
        if fields.is_empty() || !param.name_range.contains_inclusive(at) {
            return None;
        }
        let title = to_parameters(param);
        let edits = self.without_record((index, param), fields);
        Some(self.offer(title, edits.map(|it| self.laid_out_after(it))))
    }

    fn without_record(
        &self,
        (index, param): (usize, &Field),
        fields: &[Field],
    ) -> Result<Vec<TextEdit>, String> {
        if param.ty.optional {
            return Err(format!("`{}` is optional.", param.name));
        }
        self.refuse_unseen(param)?;
        self.refuse_taken(index, fields)?;
        let [first, ..] = fields else {
            return Err(format!("`{}` has no fields.", param.name));
        };
        let last = fields.last().unwrap_or(first);
        let before = TextRange::new(param.name_range.start(), first.name_range.start());
        let following = TextRange::new(last.end(), param.end());
        let mut edits = vec![
            TextEdit::delete(before + self.start),
            TextEdit::delete(following + self.start),
        ];
        for (start, it) in self.uses_of(index) {
            let [(_, first), (_, second), ..] = it.segments.as_slice() else {
                return Err(format!("The prompt uses `{}` as a whole.", param.name));
            };
            edits.push(TextEdit::delete(
                TextRange::new(first.start(), second.start()) + start,
            ));
            if let [first, second, ..] = it.closing.as_slice() {
                edits.push(TextEdit::delete(
                    TextRange::new(first.start(), second.start()) + start,
                ));
            }
        }
        let in_samples = self.in_samples(|view| samples::without_record(view, &param.name));
        edits.extend(in_samples.ok_or(FIXED_SAMPLE)?);
        Ok(edits)
    }

    /// Refuses if one of `fields` has the name of a parameter other than that at `index`.
    fn refuse_taken(&self, index: usize, fields: &[Field]) -> Result<(), String> {
        let edition = self.document.edition();
        let normal = |it: &Field| edition.normal_name(&it.name);
        let params = self.signature().params.iter().enumerate();
        let others: Vec<_> = params
            .filter(|(at, _)| *at != index)
            .map(|(_, it)| normal(it))
            .collect();
        match fields.iter().find(|it| others.contains(&normal(it))) {
            Some(taken) => Err(format!("Another parameter is named `{}`.", taken.name)),
            None => Ok(()),
        }
    }

    /// `(name :string, age :int)` becomes `(input {name :string, age :int})`, and `{{name}}` `{{input.name}}`.
    fn parameters_to_record(&self, at: TextSize) -> Option<Offer> {
        let params = &self.signature().params;
        let is_on_name = self.param_at(at)?.1.name_range.contains_inclusive(at);
        let [first, .., last] = params.as_slice() else {
            return None;
        };
        is_on_name.then(|| {
            let edits = self.in_record((first, last));
            self.offer(to_record(), edits.map(|it| self.laid_out_after(it)))
        })
    }

    fn in_record(&self, (first, last): (&Field, &Field)) -> Result<Vec<TextEdit>, String> {
        let params = &self.signature().params;
        if params.len() > MOST_MOVED {
            return Err(format!("There are more than {MOST_MOVED} parameters."));
        }
        let uses = self.uses_where(&|_| true);
        if uses.len() > MOST_EDITS {
            return Err(too_many());
        }
        params.iter().try_for_each(|it| self.refuse_unseen(it))?;
        let mut edits = vec![
            TextEdit::insert(
                first.name_range.start() + self.start,
                format!("{RECORD} {{"),
            ),
            TextEdit::insert(last.end() + self.start, "}"),
        ];
        for (start, it) in uses {
            let opening = it.segments.first().map(|(_, range)| *range);
            let places = opening.into_iter().chain(it.closing.first().copied());
            edits.extend(
                places.map(|place| TextEdit::insert(place.start() + start, format!("{RECORD}."))),
            );
        }
        let edition = self.document.edition();
        let names = params
            .iter()
            .map(|it| edition.normal_name(&it.name))
            .collect();
        let in_samples = self.in_samples(|view| samples::in_record(view, &names, RECORD));
        edits.extend(in_samples.ok_or(FIXED_SAMPLE)?);
        Ok(edits)
    }

    /// The offer of `edits`, or the reason why they cannot be made.
    fn offer(&self, title: String, edits: Result<Vec<TextEdit>, String>) -> Offer {
        let reason = match edits {
            Ok(edits) if edits.len() > MOST_EDITS => too_many(),
            Ok(edits) => return tried(self.document, Refactoring::new(title, edits)),
            Err(reason) => reason,
        };
        Err(Unavailable { title, reason })
    }

    /// `edits`, and those that lay out a signature of several lines after them.
    fn laid_out_after(&self, mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
        if edits.len() > MOST_EDITS || !self.root.text().contains_char('\n') {
            return edits;
        }
        order::by_start(&mut edits, |it| it.range.start());
        let before = edits.partition_point(|it| it.range.end() <= self.start);
        let mut start = self.start;
        for edit in &edits[..before] {
            start = start + TextSize::of(edit.insert.as_str()) - edit.range.len();
        }
        fixes::followed_by(self.document, &edits, |after| {
            let literal = place::literal_at(after, start);
            literal.map_or_else(Vec::new, |it| laid_out(after, &it, Layout::Canonical, &[]))
        })
    }
}
