//! What the keys of a call say of an agent: its signature, its prompt, its mode and its tools.

use std::sync::Arc;

use super::{expr::MapKey, reader::LONGEST_LIST};
use crate::{
    host::{
        elixir::{
            call::Argument,
            contract::items,
            literal::{key_text, literal},
            names::Binder,
        },
        flow::{ModeText, SharedText},
        token_tree::{Element, Kind},
    },
    text::TextSize,
};

/// A prompt with more bytes is not compared with the context of runs elsewhere.
const MOST_PROMPT: usize = 4096;

/// What the keys of a call say of an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentKeys {
    /// Its signature.
    pub signature: Option<SignatureText>,
    /// Its prompt.
    pub prompt: Option<SignatureText>,
    /// Its mode of validation.
    pub mode: Option<ModeText>,
    /// Its tools.
    pub tools: Option<ToolNames>,
    /// The name of the list in place of the keys, and where it begins.
    pub options: Option<(Binder, String, TextSize)>,
}

/// Where a signature or a prompt is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignatureText {
    /// In a string: where that begins, where the text in it begins, and the text.
    Literal([TextSize; 2], SharedText),
    /// In what a name is bound to.
    Name(Binder, String, TextSize),
    /// Where nobody can see it.
    Unknown,
}

/// The names of the tools of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolNames {
    /// In a map that is written there.
    Written(Arc<[String]>),
    /// In the map that a name is bound to.
    Name(Binder, String, TextSize),
}

impl ToolNames {
    fn of(value: &[Element<'_>]) -> Option<Self> {
        if let [percent, map] = value
            && percent.text() == "%"
        {
            return Some(Self::Written(names_in(map)?));
        }
        match Argument::of(value)? {
            Argument::Name(binder, name) => {
                let at = value.first()?.range.start();
                Some(Self::Name(binder, name.to_owned(), at))
            }
            Argument::String(_) => None,
        }
    }
}

/// The names in a `map` of tools that are written out; `None` if it is not a whole map.
pub(super) fn names_in(map: &Element<'_>) -> Option<Arc<[String]>> {
    let is_map = map.kind() == Kind::Braces && map.is_closed() && map.range.len() <= LONGEST_LIST;
    let items = is_map.then(|| items(map))?;
    let names = items.iter().filter_map(|item| {
        MapKey::of(item)?;
        key_text(item.first()?).map(str::to_owned)
    });
    Some(names.collect())
}

/// What the keys of a call say; `None` where more may be said than can be seen, unless a signature comes first.
pub fn agent_keys(items: &[&[Element<'_>]]) -> Option<AgentKeys> {
    let mut keys = AgentKeys::default();
    if let [only] = items
        && let Some(Argument::Name(binder, name)) = Argument::of(only)
    {
        keys.options = Some((binder, name.to_owned(), only.first()?.range.start()));
        return Some(keys);
    }
    for item in items {
        let [key, value @ ..] = item else {
            continue;
        };
        if !matches!(key.kind(), Kind::Key | Kind::QuotedKey) {
            keys.mode.get_or_insert(ModeText::Dynamic);
            return keys.signature.is_some().then_some(keys);
        }
        match key_text(key)? {
            "signature" if keys.signature.is_none() => keys.signature = Some(signature_of(value)),
            "prompt" if keys.prompt.is_none() => keys.prompt = prompt_of(value),
            "tools" if keys.tools.is_none() => keys.tools = ToolNames::of(value),
            "signature_validation" | "validation" if keys.mode.is_none() => {
                keys.mode = Some(match value {
                    [atom] if atom.kind() == Kind::Atom => {
                        ModeText::Named(atom.text().trim_start_matches(':').to_owned())
                    }
                    _ => ModeText::Dynamic,
                });
            }
            _ => {}
        }
    }
    Some(keys)
}

fn signature_of(value: &[Element<'_>]) -> SignatureText {
    let Some(first) = value.first() else {
        return SignatureText::Unknown;
    };
    match Argument::of(value) {
        Some(Argument::String(string)) => signature_text(&string),
        Some(Argument::Name(binder, name)) => {
            SignatureText::Name(binder, name.to_owned(), first.range.start())
        }
        None => SignatureText::Unknown,
    }
}

/// The prompt that a run of the agent is checked against; `None` where it names nothing, or is too long to be kept with
/// each run.
fn prompt_of(value: &[Element<'_>]) -> Option<SignatureText> {
    match signature_of(value) {
        SignatureText::Literal(at, text) => {
            let is_kept = text.len() <= MOST_PROMPT && text.contains("{{");
            is_kept.then_some(SignatureText::Literal(at, text))
        }
        other => Some(other),
    }
}

/// The signature that `string` holds.
pub fn signature_text(string: &Element<'_>) -> SignatureText {
    let literal = literal(string);
    let text = string.full_text();
    let content = &text[literal.content - string.range.start()];
    let at = [literal.literal.start(), literal.content.start()];
    SignatureText::Literal(at, SharedText::new(content, literal))
}

impl AgentKeys {
    pub(super) fn start(&self) -> TextSize {
        let texts = self.signature.iter().chain(&self.prompt);
        let starts = texts.filter_map(|it| match it {
            SignatureText::Literal([start, _], _) => Some(*start),
            SignatureText::Name(.., at) => Some(*at),
            SignatureText::Unknown => None,
        });
        let options = self.options.iter().map(|(.., at)| *at);
        let tools = self.tools.iter().filter_map(|it| match it {
            ToolNames::Name(.., at) => Some(*at),
            ToolNames::Written(_) => None,
        });
        starts
            .chain(options)
            .chain(tools)
            .min()
            .unwrap_or(TextSize::from(u32::MAX))
    }

    /// The same keys, counted from `base`.
    pub fn rebased(&self, base: TextSize) -> Self {
        let on = |it: SignatureText| match it {
            SignatureText::Literal(at, text) => {
                SignatureText::Literal(at.map(|it| it - base), text)
            }
            SignatureText::Name(binder, name, at) => SignatureText::Name(binder, name, at - base),
            SignatureText::Unknown => SignatureText::Unknown,
        };
        Self {
            signature: self.signature.clone().map(on),
            prompt: self.prompt.clone().map(on),
            mode: self.mode.clone(),
            tools: self.tools.clone().map(|it| match it {
                ToolNames::Name(binder, name, at) => ToolNames::Name(binder, name, at - base),
                written @ ToolNames::Written(_) => written,
            }),
            options: { self.options.clone() }.map(|(binder, name, at)| (binder, name, at - base)),
        }
    }
}
