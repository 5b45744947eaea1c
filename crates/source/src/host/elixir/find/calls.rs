//! The calls that give their arguments a meaning.

use std::sync::Arc;

use super::{
    super::{
        call::{Argument, Callee, is_name},
        flow::{
            call::Call,
            expr::Expr,
            facts::{self, EXECUTE},
        },
        found::{Found, NameFor, role_of},
        literal::{is_text, text_of},
        modules::Module,
        names::Binder,
    },
    Finder,
    items::{is_attribute, is_key},
};
use crate::host::{
    KeyRole, Role, Unread,
    evidence::{self, Evidence},
    roles::MODULES,
    token_tree::{Element, Kind, range_of},
};

/// A call that runs an agent.
pub(super) struct Runner<'t> {
    pub(super) function: &'t str,
    pub(super) path: Vec<Element<'t>>,
    pub(super) piped: Option<Arc<Expr>>,
}

impl<'t, 'r: 't> Finder<'t, 'r> {
    /// The module of the library that `elements` use, or whose function they call, without parentheses.
    pub(super) fn calls_library(&self, elements: &[Element<'t>]) -> Option<Module<'t>> {
        let used = match elements {
            [word, rest @ ..] if word.text() == "use" => {
                let is_part = |it: &&Element<'_>| it.kind() == Kind::Alias || it.text() == ".";
                let len = rest.iter().take_while(is_part).count();
                self.reading.modules.named(&rest[..len])
            }
            _ => None,
        };
        let calls = |at: usize| {
            let next = elements.get(at + 1)?;
            // Before it looks for the beginning of the name: in `a.b.c`, each name ends another one.
            if matches!(next.kind(), Kind::Parens | Kind::Operator) {
                return None;
            }
            let callee = Callee::ending(&elements[..=at])?;
            let call = self.reading.modules.call(&callee)?;
            Some(Module::from(call))
        };
        let mut symbols = (0..elements.len()).filter(|at| elements[*at].kind() == Kind::Symbol);
        used.or_else(|| symbols.find_map(calls))
    }

    /// The role of a call's first argument.
    pub(super) fn role_of_call(&self, callee: &Callee<'_, 't>) -> Option<KeyRole> {
        let library = self.reading.modules.call(callee);
        let role =
            library.and_then(|it| self.reading.roles.of_library_call(it.module, it.function));
        role.or_else(|| self.reading.roles.of_added_call(callee.segments()))
    }

    /// Whether a call is only assumed to be one of the library.
    fn is_assumed(&self, callee: &Callee<'_, 't>) -> bool {
        self.reading
            .modules
            .call(callee)
            .is_some_and(|it| it.is_assumed)
    }

    /// Adds the first arguments of calls such as `SubAgent.run "…", …` or `"…" |> Signature.parse`, and the values of
    /// module attributes.
    pub(super) fn calls_without_parentheses(&self, item: &[Element<'t>], found: &mut Found<'t>) {
        for at in 1..item.len() {
            if is_attribute(&item[..at]) {
                found.string(self.role_of_attribute(item, at), &item[at]);
            } else if let Some((callee, role)) = self.role_of_argument(item, at) {
                found.is_ours = true;
                found.is_assumed |= self.is_assumed(&callee);
                found.string(Some(role), &item[at]);
            }
            if let Some((callee, role, argument)) = self.piped_without_parentheses(item, at) {
                found.is_ours = true;
                found.is_assumed |= self.is_assumed(&callee);
                found.first_argument(role, Some(argument));
            }
        }
    }

    /// The string before the pipe at `at`, and its role in the call after that.
    fn piped_without_parentheses<'s>(
        &self,
        item: &'s [Element<'t>],
        at: usize,
    ) -> Option<(Callee<'s, 't>, KeyRole, Argument<'t>)> {
        if item[at].text() != "|>" {
            return None;
        }
        let names = item[at + 1..].iter();
        let len = names
            .take_while(|it| is_name(it) || it.text() == ".")
            .count();
        let end = at + 1 + len;
        if item
            .get(end)
            .is_some_and(|next| next.kind() == Kind::Parens)
        {
            return None;
        }
        let callee = Callee::ending(&item[..end])?;
        let role = self.role_of_call(&callee)?;
        Some((callee, role, callee.piped()?))
    }

    /// The role of the string at `at`, the value of a module attribute.
    fn role_of_attribute(&self, item: &[Element<'t>], at: usize) -> Option<Role> {
        if !is_text(&item[at]) || at + 1 < item.len() {
            return None;
        }
        let name = item[at - 1].text();
        let is_signature = self.reading.roles.of_key(name) == Some(KeyRole::Signature)
            && (self.reading.roles.is_added_key(name)
                || evidence::of_signature(&text_of(&item[at])) >= Some(Evidence::Likely));
        is_signature.then_some(Role::Signature)
    }

    /// The call without parentheses whose only argument is the string at `at`, and the role of the string.
    fn role_of_argument<'s>(
        &self,
        item: &'s [Element<'t>],
        at: usize,
    ) -> Option<(Callee<'s, 't>, Role)> {
        if !is_text(&item[at]) || at + 1 < item.len() {
            return None;
        }
        let callee = Callee::ending(&item[..at])?;
        if callee.is_piped() {
            return None;
        }
        Some((callee, role_of(self.role_of_call(&callee)?)?))
    }

    /// The run of an agent by a call of `callee`.
    pub(super) fn runner(&self, callee: &Callee<'_, 't>) -> Option<Runner<'t>> {
        let function = facts::runner(self.reading.modules, callee)?;
        let piped = callee.before_pipe().and_then(|it| self.reader().whole(it));
        if callee.is_piped() && piped.is_none() {
            return None;
        }
        Some(Runner {
            function,
            path: callee.path().to_vec(),
            piped,
        })
    }
}

/// The compiled agent that runs where `before` ends with `.execute.`.
pub(super) fn executor<'t>(before: &[Element<'t>]) -> Option<Runner<'t>> {
    let [before @ .., first, field, second] = before else {
        return None;
    };
    if field.text() != EXECUTE || first.text() != "." || second.text() != "." {
        return None;
    }
    let agent = Callee::ending(before)?;
    let is_attribute = before.len() > agent.path().len() && is_attribute(before);
    let len = agent.path().len() + usize::from(is_attribute);
    Some(Runner {
        function: EXECUTE,
        path: before[before.len() - len..].to_vec(),
        piped: None,
    })
}

/// The names in place of the context of a run, or of all its options.
pub(super) fn names_of_run<'t>(
    runner: &Runner<'t>,
    call: &Call<'_, 't>,
) -> Option<(NameFor, Binder, &'t str)> {
    let named = |wanted, value: &[Element<'t>]| match Argument::of(value)? {
        Argument::Name(binder, name) => Some((wanted, binder, name)),
        Argument::String(_) => None,
    };
    if runner.function == EXECUTE {
        return named(NameFor::Context, call.arguments.first()?);
    }
    if let Some(context) = call.value("context") {
        return named(NameFor::Context, context);
    }
    let piped = usize::from(runner.piped.is_some());
    let after = facts::agent_at(runner.function)? + 1 - piped;
    match call.arguments.get(after..)? {
        [only] => named(NameFor::Options, only),
        _ => None,
    }
}

/// The first argument of a call that takes a `role` there, if it is not a literal.
pub(super) fn unread(role: KeyRole, first: &[Element<'_>]) -> Option<Unread> {
    let is_read = matches!(Argument::of(first), Some(Argument::String(_)));
    let is_pair = first.len() > 1 && first[0].kind() == Kind::Atom;
    let is_keyed = is_pair || first.first().is_some_and(is_key);
    let takes_names = matches!(role, KeyRole::Prompt | KeyRole::Program);
    (takes_names && !is_read && !is_keyed).then_some(Unread {
        range: range_of(first)?,
        is_program: role == KeyRole::Program,
    })
}

/// Whether calls and structs of a module of the library describe agents and tools. Others may contain results of a
/// run, or other kinds of tools.
pub(super) fn takes_tools(module: &str) -> bool {
    MODULES.contains(&module) || matches!(module, "Tool" | "Definition")
}
