//! One open document: its host's tree and its units, both updated by each edit.

use std::{borrow::Cow, cell::OnceCell, sync::Arc};

use crate::{
    host::{
        catalog,
        comments::{self, Comments, SeenComments},
        elixir, evidence, json,
        kind::HostKind,
        lisp, markdown,
        placed::{PlacedUnit, UnitChange},
        prompt_file::PromptFile,
        roles::Roles,
        search,
        unit::Notation,
        units::Units,
        yaml,
    },
    parallel::HAS_THREADS,
    syntax::catalog::certainly_has_more,
    text::{Text, TextEdit, TextRange, TextSize},
};

/// A document with more units is not analyzed. Nobody writes so many, and each costs a few kilobytes.
pub const MOST_UNITS: usize = 100_000;

/// A document with the tree of its host.
#[derive(Debug, Clone)]
pub struct HostDocument {
    roles: Roles,
    host: Host,
    units: Units,
    /// Whether there were too many units to keep.
    is_overfull: bool,
    /// Whether its code or some of its units were not kept.
    is_forgotten: bool,
}

/// The state of each kind of host.
#[derive(Debug, Clone)]
enum Host {
    Elixir(elixir::Document),
    Prompt(PromptFile),
    SignedMarkdown(PromptFile),
    Markdown(markdown::Document),
    Yaml(yaml::Document),
    Json(json::Document),
    Lisp(lisp::Document),
    Catalog(catalog::Document),
    /// The text contains none of our words, or too many units.
    Idle(HostKind),
}

impl HostDocument {
    /// Parses a text that is not edited, and returns it if it was needed in another form than `whole`: both would take
    /// room while the code is parsed. If no unit of it can count, nothing is kept, and its functions are unknown. They
    /// matter, as found by [`search::heads`], if one of them is a tool in another file. `is_ours` tells whether something
    /// besides the text shows that it is ours.
    pub fn parse_closed(
        kind: HostKind,
        whole: &mut String,
        roles: &Roles,
        is_ours: bool,
    ) -> (Option<Text>, Self) {
        let may_count = match is_ours {
            true => search::may_matter,
            false => search::may_count,
        };
        if may_count(kind, whole, roles) {
            let text = OnceCell::new();
            let document = match kind {
                HostKind::Elixir => {
                    let read = elixir::Document::parse_once(whole, roles.of(Notation::Elixir));
                    Self::of_host((Host::Elixir(read.0), read.1), roles, false)
                }
                _ => {
                    let read_text = || text.get_or_init(|| Text::from(&**whole));
                    Self::read(kind, &read_text, &|| (&**whole).into(), roles, false)
                }
            };
            if is_ours || document.counts_alone() || search::may_have_directive(whole) {
                return (text.into_inner(), document);
            }
        }
        (None, Self::idle(kind, roles))
    }

    /// A document of which only these units are known.
    pub fn of_units(kind: HostKind, roles: &Roles, units: Vec<PlacedUnit>) -> Self {
        let empty = Self::parse(kind, &Text::default(), roles);
        Self {
            units: units.into(),
            ..empty
        }
    }

    /// Forgets the code and the places in it: of a text that is not edited, only its units are needed, and its functions
    /// if it `keeps_functions`. An edit parses the whole text then. If `whole`, its text, is forgotten in the meantime, it
    /// is returned.
    pub fn forget_code(&mut self, keeps_functions: bool, whole: &mut String) -> Option<Text> {
        let text = match &mut self.host {
            Host::Elixir(document) => document.forget_code(keeps_functions, whole),
            Host::Yaml(_) | Host::Json(_) | Host::Lisp(_) => {
                let empty = Self::parse(self.kind(), &Text::default(), &self.roles);
                self.host = empty.host;
                None
            }
            _ => return None,
        };
        self.is_forgotten = true;
        text
    }

    /// Forgets the units that are not kept. An edit parses the whole text then.
    pub fn retain_units(&mut self, is_kept: &[bool]) {
        let mut units = Vec::from(std::mem::take(&mut self.units));
        let mut flags = is_kept.iter();
        units.retain(|_| flags.next() == Some(&true));
        self.units = Units::from(units);
        self.is_forgotten = true;
    }

    /// The same document with the code, for edits.
    pub fn opened(&self, text: &Text) -> Self {
        match self.is_forgotten {
            true => Self::parse(self.kind(), text, &self.roles),
            false => self.clone(),
        }
    }

    /// Whether a unit may count if nothing but the text shows that it is ours.
    fn counts_alone(&self) -> bool {
        self.is_overfull || self.units().iter().any(|it| it.unit.counts_alone())
    }

    /// Parses all of `text`, with the keys and calls of `roles`.
    pub fn parse(kind: HostKind, text: &Text, roles: &Roles) -> Self {
        Self::parse_whole(kind, text, &|| text.whole(), roles)
    }

    /// The same, where `whole` returns `text` in one piece.
    pub fn parse_whole<'t>(
        kind: HostKind,
        text: &Text,
        whole: &dyn Fn() -> Cow<'t, str>,
        roles: &Roles,
    ) -> Self {
        Self::read(kind, &|| text, whole, roles, true)
    }

    /// The same. If it is not edited, less of it is kept.
    fn read<'t, 'w>(
        kind: HostKind,
        text: &dyn Fn() -> &'t Text,
        whole: &dyn Fn() -> Cow<'w, str>,
        roles: &Roles,
        is_edited: bool,
    ) -> Self {
        let host = match kind {
            HostKind::Elixir => {
                let roles = roles.of(Notation::Elixir);
                let (document, units) = elixir::Document::parse(&whole(), roles);
                (Host::Elixir(document), units)
            }
            HostKind::Prompt => {
                let (file, units) = PromptFile::parse(text(), whole, roles, is_edited);
                (Host::Prompt(file), units)
            }
            HostKind::Markdown => {
                match PromptFile::parse_if_signed(text(), whole, roles, is_edited) {
                    Some((file, units)) => (Host::SignedMarkdown(file), units),
                    None => {
                        let (document, units) =
                            markdown::Document::parse(text(), &whole(), roles, false);
                        (Host::Markdown(document), units)
                    }
                }
            }
            HostKind::Livebook => {
                let (document, units) = markdown::Document::parse(text(), &whole(), roles, true);
                (Host::Markdown(document), units)
            }
            HostKind::Yaml => {
                let (document, units) = yaml::Document::parse(&whole(), roles.of(Notation::Yaml));
                (Host::Yaml(document), units)
            }
            HostKind::Json => {
                let (document, units) = json::Document::parse(&whole(), roles.of(Notation::Json));
                (Host::Json(document), units)
            }
            HostKind::Lisp => {
                let (document, units) = lisp::Document::parse(&whole(), roles.of(Notation::Lisp));
                (Host::Lisp(document), units)
            }
            HostKind::Catalog => {
                let whole = whole();
                if catalog::certainly_has_more(text(), &whole, MOST_UNITS) {
                    return Self::overfull(kind, roles);
                }
                let (document, units) = catalog::Document::parse(&whole, MOST_UNITS + 1);
                (Host::Catalog(document), units)
            }
        };
        Self::of_host(host, roles, is_edited)
    }

    /// A document with these units. If it is not edited, less of it is kept.
    fn of_host((host, mut units): (Host, Vec<PlacedUnit>), roles: &Roles, is_edited: bool) -> Self {
        let mut document = Self {
            roles: roles.clone(),
            host,
            units: Units::default(),
            is_overfull: false,
            is_forgotten: false,
        };
        let found = units.len();
        if found > MOST_UNITS {
            return Self::overfull(document.kind(), roles);
        }
        if !is_edited {
            units.retain(|it| !it.unit.is_silent());
        }
        let is_whole = units.len() == found;
        document.units = Units::from(units);
        let is_elixir = matches!(document.host, Host::Elixir(_));
        let is_read_once = is_elixir || document.is_prompt_file() || !is_whole;
        document.is_forgotten = !is_edited && is_read_once;
        document
    }

    /// A document with too many units.
    fn overfull(kind: HostKind, roles: &Roles) -> Self {
        Self {
            is_overfull: true,
            ..Self::idle(kind, roles)
        }
    }

    /// A document of which nothing was parsed.
    fn idle(kind: HostKind, roles: &Roles) -> Self {
        Self {
            roles: roles.clone(),
            host: Host::Idle(kind),
            units: Units::default(),
            is_overfull: false,
            is_forgotten: false,
        }
    }

    /// Whether it has more than [`MOST_UNITS`].
    pub fn is_overfull(&self) -> bool {
        self.is_overfull || self.units.as_slice().len() > MOST_UNITS
    }

    /// Whether nothing was parsed.
    pub fn is_idle(&self) -> bool {
        matches!(self.host, Host::Idle(_))
    }

    /// Applies `edit`; `text` is the document after it.
    pub fn edit(&mut self, text: &Text, edit: &TextEdit) -> UnitChange {
        let (roles, units) = (&self.roles, &mut self.units);
        let change = match &mut self.host {
            _ if self.is_forgotten => None,
            Host::Prompt(file) | Host::SignedMarkdown(file) => {
                file.edit_body(text, edit, units, roles)
            }
            Host::Markdown(document) => document.edit(text, edit, units, roles),
            Host::Yaml(document) => document.edit(text, edit, units, roles.of(Notation::Yaml)),
            Host::Json(document) => document.edit(text, edit, units, roles.of(Notation::Json)),
            Host::Lisp(document) => document.edit(text, edit, units, roles.of(Notation::Lisp)),
            Host::Elixir(document) => document.edit(text, edit, units, roles.of(Notation::Elixir)),
            // It is refused before its entries are read.
            Host::Catalog(_) if certainly_has_more(&edit.insert, MOST_UNITS) => None,
            Host::Catalog(document) => document.edit(edit, units),
            Host::Idle(_) => None,
        };
        change.unwrap_or_else(|| self.parse_again(text, edit))
    }

    fn parse_again(&mut self, text: &Text, edit: &TextEdit) -> UnitChange {
        let new = Self::parse(self.kind(), text, &self.roles);
        let all = 0..self.units.as_slice().len();
        self.host = new.host;
        self.is_overfull = new.is_overfull;
        self.is_forgotten = false;
        let change = self.units.replace(all, new.units.into(), edit);
        if let Host::Elixir(document) = &mut self.host {
            document.share_units(&self.units);
        }
        change
    }

    /// Whether `offset`, in a line that looks like a comment, is in a comment: not in a string, a heredoc, prose or
    /// code of an unsupported language. `seen` keeps what is parsed for that.
    pub fn is_comment(&self, text: &Text, offset: TextSize, seen: &mut SeenComments) -> bool {
        let mut in_yaml =
            |range: TextRange| seen.hold(range, offset, || Comments::of_yaml(&text.slice(range)));
        match &self.host {
            Host::Elixir(document) => comments::is_comment_in(document.tree(), offset),
            Host::Json(document) => {
                let tree = document.tree();
                tree.is_some_and(|tree| comments::is_comment_in(tree, offset))
            }
            Host::Lisp(document) => comments::is_comment_in(document.tree(), offset),
            Host::Yaml(document) => in_yaml(document.entry_around(offset)),
            Host::Catalog(_) => true,
            Host::Idle(_) => false,
            Host::Markdown(document) => match document.code_at(offset) {
                Some(block) => seen.hold(block.range(), offset, || block.comments(text)),
                None => comments::has_mark(text, offset),
            },
            Host::Prompt(file) | Host::SignedMarkdown(file) => match file.yaml_around(offset) {
                Some(yaml) => in_yaml(yaml),
                None => comments::has_mark(text, offset),
            },
        }
    }

    /// The length of what an edit at `offset` of `text` reads again at most: the unit around it, or more where its host
    /// reads larger parts.
    pub fn read_around(&self, text: &Text, offset: TextSize) -> TextSize {
        let part = match &self.host {
            Host::Yaml(document) => document.read_around(offset),
            Host::Markdown(document) => document.blocks_around(text, offset).len(),
            _ => TextSize::default(),
        };
        let units = self.units_around(offset).into_iter();
        let units = units.map(|it| self.units()[it].unit.len);
        units.fold(part, TextSize::max)
    }

    /// The kind of the document.
    pub fn kind(&self) -> HostKind {
        match &self.host {
            Host::Elixir(_) => HostKind::Elixir,
            Host::Prompt(_) => HostKind::Prompt,
            Host::Markdown(document) if document.is_livebook() => HostKind::Livebook,
            Host::Markdown(_) | Host::SignedMarkdown(_) => HostKind::Markdown,
            Host::Yaml(_) => HostKind::Yaml,
            Host::Json(_) => HostKind::Json,
            Host::Lisp(_) => HostKind::Lisp,
            Host::Catalog(_) => HostKind::Catalog,
            Host::Idle(kind) => *kind,
        }
    }

    /// Reads the functions of a file of Elixir on several threads. No lock may be held meanwhile.
    pub fn read_functions(&mut self) {
        if HAS_THREADS && let Host::Elixir(document) = &mut self.host {
            document.read_functions();
        }
    }

    /// Its functions in Elixir; the same `Arc` as before if an edit does not change them. `None` for kinds without
    /// functions.
    pub fn facts(&self) -> Option<&Arc<elixir::module::Facts>> {
        match &self.host {
            Host::Elixir(document) => Some(document.facts()),
            Host::Markdown(document) => Some(document.facts()),
            _ => None,
        }
    }

    /// The units whose literals count, in the order of their starts; `in_project` tells whether the project shows that
    /// possible ones do.
    pub fn our_units(&self, in_project: bool) -> impl Iterator<Item = &PlacedUnit> {
        let is_ours = in_project || self.units().iter().any(|it| it.unit.is_evidence());
        let units = self.units().iter();
        units.filter(move |it| is_ours || it.unit.evidence > evidence::Evidence::Possible)
    }

    /// Whether its functions may be other ones than those that are `known` from an earlier call of [`Self::facts`].
    pub fn may_have_other_facts(&self, known: &Arc<elixir::module::Facts>) -> bool {
        match &self.host {
            Host::Elixir(document) => {
                let facts = document.known_facts();
                facts.is_none_or(|it| !Arc::ptr_eq(it, known))
            }
            Host::Markdown(_) => true,
            _ => false,
        }
    }

    /// Whether it is a prompt file: by its name, or because its front matter has a signature.
    pub fn is_prompt_file(&self) -> bool {
        matches!(self.host, Host::Prompt(_) | Host::SignedMarkdown(_))
    }

    /// The places of the function with the full name of its module.
    pub fn function_places(
        &self,
        text: &Text,
        function: &elixir::tools::Capture,
    ) -> Vec<elixir::places::FunctionPlace> {
        match &self.host {
            Host::Elixir(document) => document.function_places(text, function),
            Host::Markdown(document) => document.function_places(text, function),
            _ => Vec::new(),
        }
    }

    /// The function whose definition or spec has its name at `offset`, one per arity, and the place of the name.
    pub fn function_at(
        &self,
        text: &Text,
        offset: TextSize,
    ) -> Option<(TextRange, Vec<elixir::tools::Capture>)> {
        match &self.host {
            Host::Elixir(document) => document.function_at(text, offset),
            Host::Markdown(document) => document.function_at(text, offset),
            _ => None,
        }
    }

    /// The function of an Elixir file whose body contains `offset`, one per arity.
    pub fn function_around(&self, offset: TextSize) -> Vec<elixir::tools::Capture> {
        match &self.host {
            Host::Elixir(document) => document.function_around(offset),
            _ => Vec::new(),
        }
    }

    /// The bodies of a function of an Elixir file, with the full name of its module.
    pub fn bodies_of(&self, function: &elixir::tools::Capture) -> Vec<TextRange> {
        match &self.host {
            Host::Elixir(document) => document.bodies(function),
            _ => Vec::new(),
        }
    }

    /// The unclosed Elixir string around `offset`, else the one at the end of the text.
    pub fn unclosed_around(&self, offset: TextSize) -> Option<elixir::unclosed::Unclosed> {
        match &self.host {
            Host::Elixir(document) => elixir::unclosed::around(document.tree(), offset),
            _ => None,
        }
    }

    /// The units in the order of their starts, including possible ones.
    pub fn units(&self) -> &[PlacedUnit] {
        self.units.as_slice()
    }

    /// The indices of the units that begin in `range`.
    pub fn units_in(&self, range: TextRange) -> std::ops::Range<usize> {
        self.units.beginning_in(range)
    }

    /// The indices of the units that contain `offset` or end there, ascending.
    pub fn units_around(&self, offset: TextSize) -> Vec<usize> {
        self.units.around(offset)
    }
}
