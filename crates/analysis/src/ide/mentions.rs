//! Which units mention a tool, a signature or a function, so that a request about one name looks at no other units.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
    sync::Arc,
};

use crate::{
    ide::{analysis::UnitAnalysis, fragment::Fragment, functions::UnitFunctions, tools::UnitTools},
    model::{Edition, listed::ListedTool},
};
use signature_ls_source::{
    host::{Role, Unit, flow::Written},
    parallel,
};

/// How many units a chunk has at most.
const MOST: usize = 64;

/// With fewer units a chunk is joined with the next one, if there is one.
const LEAST: usize = 16;

/// Something that a unit mentions. Two things may rarely have the same one, so it finds units to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mention(u64);

impl Mention {
    /// The tool with this name in normal form.
    pub(crate) fn tool(name: &str) -> Self {
        Self::of(("tool", name))
    }

    /// The signature whose text has these [letters](signature_ls_source::host::flow::letters_of). Code in Markdown has margins.
    pub(crate) fn signature(letters: u64) -> Self {
        Self::of(("signature", letters))
    }

    /// The function with this name.
    pub(super) fn function(name: &str) -> Self {
        Self::of(("function", name))
    }

    fn of(what: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        Self(hasher.finish())
    }

    /// What a unit mentions: the tools that it registers, describes or calls, also in definitions that it refers to, those
    /// of other units that its prompts list, the signatures that flow into it, and the functions that it names.
    pub(super) fn all(
        (unit, listed): (&Unit, &[ListedTool]),
        fragments: &[Fragment],
        (tools, functions): (&UnitTools, &UnitFunctions),
        edition: Edition,
    ) -> Box<[Self]> {
        let described = fragments.iter().filter(|it| it.role == Role::Tool);
        let described = described.filter_map(|it| it.name.as_deref());
        let registered = unit.tools.iter().flatten();
        let registered = registered.filter_map(|it| it.name.as_deref());
        let mut called = Vec::new();
        unit.each_program(&mut |it| {
            called.extend(it.calls.iter().map(|it| it.name.as_str()));
            called.append(&mut it.tools_before());
        });
        let named = tools.named.iter().map(|it| &*it.name);
        let listed = listed.iter().map(|it| it.name.as_str());
        let names = described.chain(registered).chain(called).chain(listed);
        let names = names.chain(named);
        let tools = names.map(|it| Self::tool(&edition.normal_name(it)));
        let sources = unit.flow.sources.iter();
        let signatures = sources.filter_map(|it| match &it.written {
            Written::Here(text) => Some(Self::signature(text.letters())),
            Written::Prompt(_) | Written::Function(_) => None,
        });
        let functions = functions.names().map(Self::function);
        let mut all: Vec<_> = tools.chain(signatures).chain(functions).collect();
        all.sort_unstable();
        all.dedup();
        all.into()
    }
}

/// What the units of a document mention, in chunks: an edit reads again only what a chunk or two hold.
#[derive(Debug, Clone, Default)]
pub(super) struct Mentions(Vec<Arc<Chunk>>);

#[derive(Debug)]
struct Chunk {
    /// How many units it has.
    len: usize,
    /// What they mention, sorted, each with the index of its unit in the chunk.
    mentions: Vec<(Mention, usize)>,
}

impl Mentions {
    /// What `units` mention.
    pub(super) fn of(units: &[Arc<UnitAnalysis>]) -> Self {
        Self(parallel::map_long(
            &units.chunks(MOST).collect::<Vec<_>>(),
            |units| chunk(units),
        ))
    }

    /// Follows the replacement of the units at `removed` by so many that are `inserted`; `units` are all units now.
    pub(super) fn splice(
        &mut self,
        removed: Range<usize>,
        inserted: usize,
        units: &[Arc<UnitAnalysis>],
    ) {
        let (mut first, mut start) = (0, 0);
        while let Some(chunk) = self.0.get(first)
            && start + chunk.len < removed.start
        {
            start += chunk.len;
            first += 1;
        }
        let (mut last, mut end) = (first, start);
        let rest = |end: usize| end.max(removed.end) - removed.len() + inserted - start;
        while let Some(chunk) = self.0.get(last)
            && (end < removed.end || rest(end) < LEAST)
        {
            end += chunk.len;
            last += 1;
        }
        let units = &units[start..start + rest(end)];
        self.0.splice(first..last, chunks(units));
    }

    /// The indices of the units with a mention, in rising order.
    pub(super) fn units(&self, mention: Mention) -> impl Iterator<Item = usize> {
        let chunks = self.0.iter().scan(0, |end, chunk| {
            *end += chunk.len;
            Some((*end - chunk.len, chunk))
        });
        chunks.flat_map(move |(start, chunk)| {
            let first = chunk.mentions.partition_point(|(it, _)| *it < mention);
            let found = chunk.mentions[first..].iter();
            let found = found.take_while(move |(it, _)| *it == mention);
            found.map(move |(_, index)| start + index)
        })
    }
}

fn chunks(units: &[Arc<UnitAnalysis>]) -> impl Iterator<Item = Arc<Chunk>> {
    units.chunks(MOST).map(chunk)
}

fn chunk(units: &[Arc<UnitAnalysis>]) -> Arc<Chunk> {
    let mentions = units.iter().enumerate();
    let mentions =
        mentions.flat_map(|(index, unit)| unit.mentions.iter().map(move |it| (*it, index)));
    let mut mentions: Vec<_> = mentions.collect();
    mentions.sort_unstable();
    Arc::new(Chunk {
        len: units.len(),
        mentions,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Mentions {
        /// Whether it finds what `units` mention, and nothing else.
        pub(in crate::ide) fn are_of(&self, units: &[Arc<UnitAnalysis>]) -> bool {
            let of_unit = |(index, unit): (usize, &Arc<UnitAnalysis>)| {
                let mentions = unit.mentions.iter();
                mentions.map(|it| (*it, index)).collect::<Vec<_>>()
            };
            let mut all: Vec<_> = units.iter().enumerate().flat_map(of_unit).collect();
            all.sort_unstable();
            let found = all.chunk_by(|one, next| one.0 == next.0);
            let mut found = found.map(|it| (it[0].0, it.iter().map(|(_, index)| *index)));
            let lens = self.0.iter().map(|it| it.len);
            lens.sum::<usize>() == units.len()
                && found.all(|(mention, indices)| self.units(mention).eq(indices))
        }
    }
}
