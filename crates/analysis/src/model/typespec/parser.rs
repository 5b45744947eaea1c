//! Parses type expressions, to a bounded depth.

use super::expr::{Declaration, Expr, ExprKind, MapField, Spec};
use crate::model::{
    elixir::{Token, TokenKind, Tokens, tokens},
    type_words,
};
use signature_ls_source::text::{TextRange, TextSize};

/// The maximum depth of types in a spec; deeper ones are rejected.
const MAX_DEPTH: usize = 256;

/// Parses `@spec name(type, …) :: type`.
pub(super) fn spec(text: &str) -> Option<Spec> {
    let mut parser = Parser::new(text);
    parser.eat(TokenKind::At)?;
    parser.word("spec")?;
    parser.eat(TokenKind::Ident)?;
    let params = if parser.eat(TokenKind::LeftParen).is_some() {
        parser.list_until(TokenKind::RightParen)?
    } else {
        Vec::new()
    };
    parser.eat(TokenKind::ColonColon)?;
    let output = parser.ty()?;
    parser.peek().is_none().then_some(Spec { params, output })
}

/// Parses every type declaration in `text`.
pub(super) fn declarations(text: &str) -> Vec<Declaration> {
    let mut declarations = Vec::new();
    let mut parser = Parser::new(text);
    while parser.peek().is_some() {
        let before = parser.clone();
        match parser.declaration() {
            Some(declaration) => declarations.push(declaration),
            None => {
                parser = before;
                parser.bump();
            }
        }
    }
    declarations
}

#[derive(Clone)]
struct Parser<'a> {
    rest: Tokens<'a>,
    /// The next two tokens, before the rest.
    next: [Option<Token<'a>>; 2],
    /// The end of the previous token.
    end: TextSize,
    depth: usize,
}

/// Each method returns `None` if the text does not match; the whole spec is rejected then.
impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        let mut rest = tokens(text);
        Self {
            next: [rest.next(), rest.next()],
            rest,
            end: TextSize::default(),
            depth: 0,
        }
    }

    fn declaration(&mut self) -> Option<Declaration> {
        self.depth = 0;
        self.eat(TokenKind::At)?;
        let is_public = self.word("type").is_some();
        if !is_public {
            self.word("typep").or_else(|| self.word("opaque"))?;
        }
        let name = self.eat(TokenKind::Ident)?.text.to_owned();
        if self.eat(TokenKind::LeftParen).is_some() {
            self.eat(TokenKind::RightParen)?;
        }
        self.eat(TokenKind::ColonColon)?;
        let definition = self.ty()?;
        let definition = is_public.then_some(definition);
        Some(Declaration { name, definition })
    }

    fn ty(&mut self) -> Option<Expr> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let ty = self.named_or_union()?;
        self.depth -= 1;
        Some(ty)
    }

    /// `name :: type`, or a type.
    fn named_or_union(&mut self) -> Option<Expr> {
        let start = self.start();
        let union = self.union()?;
        if self.eat(TokenKind::ColonColon).is_none() {
            return Some(union);
        }
        self.ty()?;
        Some(self.expr(ExprKind::Other, start))
    }

    /// `a | b | c`. A union in parentheses is flattened at the end but not at the start, as in Elixir.
    fn union(&mut self) -> Option<Expr> {
        let start = self.start();
        let first = self.range()?;
        if self.peek() != Some(TokenKind::Pipe) {
            return Some(first);
        }
        self.bump()?;
        let mut last = self.range()?;
        let mut is_long = false;
        while self.eat(TokenKind::Pipe).is_some() {
            last = self.range()?;
            is_long = true;
        }
        let kind = match last.kind {
            _ if is_long => ExprKind::LongUnion,
            ExprKind::Union(_) | ExprKind::LongUnion => ExprKind::LongUnion,
            _ => ExprKind::Union(Box::new([first, last])),
        };
        Some(self.expr(kind, start))
    }

    /// `1..10`, or an operand.
    fn range(&mut self) -> Option<Expr> {
        let start = self.start();
        let first = self.primary()?;
        if self.eat(TokenKind::Range).is_none() {
            return Some(first);
        }
        self.primary()?;
        Some(self.expr(ExprKind::Other, start))
    }

    fn primary(&mut self) -> Option<Expr> {
        let start = self.start();
        let token = self.bump()?;
        let kind = match token.kind {
            TokenKind::Ident => self.ident(token.text)?,
            TokenKind::Alias => self.alias(token.text)?,
            TokenKind::Atom => self.atom(token.text)?,
            TokenKind::Int | TokenKind::Float | TokenKind::String => ExprKind::Other,
            TokenKind::Minus => {
                self.eat(TokenKind::Int)?;
                ExprKind::Other
            }
            TokenKind::LeftParen => return self.in_parens(start),
            TokenKind::LeftBracket => self.list()?,
            TokenKind::LeftBrace => tuple(self.list_until(TokenKind::RightBrace)?),
            TokenKind::LeftBinary => {
                self.skip_until(TokenKind::RightBinary)?;
                ExprKind::Other
            }
            TokenKind::Percent => self.map_or_struct()?,
            _ => return None,
        };
        Some(self.expr(kind, start))
    }

    fn ident(&mut self, name: &str) -> Option<ExprKind> {
        if matches!(name, "nil" | "true" | "false") {
            return Some(ExprKind::Atom(name.into()));
        }
        // A type of the module itself is a local type.
        let name = match name == "__MODULE__" && self.eat(TokenKind::Dot).is_some() {
            true => self.eat(TokenKind::Ident)?.text,
            false => name,
        };
        let mut args = self.args()?;
        Some(match (name, args.len()) {
            (_, 0) => ExprKind::Local(name.into()),
            ("list", 1) => ExprKind::List(Box::new(args.remove(0))),
            ("required", 1) => ExprKind::Required(Box::new(args.remove(0))),
            _ => ExprKind::Other,
        })
    }

    /// `Module.Name.type(…)`, or a module name, which is an atom.
    fn alias(&mut self, first: &str) -> Option<ExprKind> {
        let mut module = first.to_owned();
        while self.eat(TokenKind::Dot).is_some() {
            if let Some(part) = self.eat(TokenKind::Alias) {
                module.push('.');
                module.push_str(part.text);
            } else {
                return self.remote(&module);
            }
        }
        Some(ExprKind::Other)
    }

    fn atom(&mut self, text: &str) -> Option<ExprKind> {
        let name = text.strip_prefix(':').unwrap_or(text);
        let name = name.trim_matches('"');
        if self.eat(TokenKind::Dot).is_some() {
            return self.remote(&format!(":{name}"));
        }
        Some(ExprKind::Atom(name.into()))
    }

    fn remote(&mut self, module: &str) -> Option<ExprKind> {
        let name = self.eat(TokenKind::Ident)?.text;
        let args = self.args()?;
        let module = module.strip_prefix("Elixir.").unwrap_or(module);
        let is_text = name == "t" && args.is_empty() && type_words::is_text_module(module);
        Some(match is_text {
            true => ExprKind::Text,
            false => ExprKind::Other,
        })
    }

    fn args(&mut self) -> Option<Vec<Expr>> {
        match self.eat(TokenKind::LeftParen) {
            Some(_) => self.list_until(TokenKind::RightParen),
            None => Some(Vec::new()),
        }
    }

    /// A type in parentheses, or a function type.
    fn in_parens(&mut self, start: TextSize) -> Option<Expr> {
        if !matches!(self.peek()?, TokenKind::Arrow | TokenKind::Ellipsis) {
            let inner = self.ty()?;
            if self.eat(TokenKind::RightParen).is_some() {
                return Some(inner);
            }
        }
        self.skip_until(TokenKind::RightParen)?;
        Some(self.expr(ExprKind::Other, start))
    }

    fn list(&mut self) -> Option<ExprKind> {
        if self.eat(TokenKind::RightBracket).is_some() {
            return Some(ExprKind::Other);
        }
        if self.peek() == Some(TokenKind::Ellipsis) {
            self.skip_until(TokenKind::RightBracket)?;
            return Some(ExprKind::Other);
        }
        let start = self.start();
        if let Some(name) = self.key() {
            return self.keywords(name, start);
        }
        let element = self.ty()?;
        self.comma_before(TokenKind::RightBracket);
        if self.eat(TokenKind::RightBracket).is_some() {
            return Some(ExprKind::List(Box::new(element)));
        }
        self.skip_until(TokenKind::RightBracket)?;
        Some(ExprKind::Other)
    }

    /// `[a: t, b: u]` is a list of `{:a, t} | {:b, u}`. The first key has been parsed.
    fn keywords(&mut self, mut name: &'a str, start: TextSize) -> Option<ExprKind> {
        let mut pairs = Vec::new();
        let mut is_long = false;
        loop {
            let pair_start = self.start();
            let value = self.ty()?;
            is_long |= pairs.len() == 2;
            if !is_long {
                let tagged = ExprKind::Tagged(Box::new((name.into(), value)));
                pairs.push(self.expr(tagged, pair_start));
            }
            self.comma_before(TokenKind::RightBracket)?;
            if self.peek() == Some(TokenKind::RightBracket) {
                break;
            }
            name = self.key()?;
        }
        let element = match (pairs.pop(), pairs.pop()) {
            _ if is_long => self.expr(ExprKind::LongUnion, start),
            (Some(second), Some(first)) => {
                self.expr(ExprKind::Union(Box::new([first, second])), start)
            }
            (only, _) => only?,
        };
        self.eat(TokenKind::RightBracket)?;
        Some(ExprKind::List(Box::new(element)))
    }

    fn map_or_struct(&mut self) -> Option<ExprKind> {
        if self.eat(TokenKind::LeftBrace).is_some() {
            return self.map();
        }
        while matches!(
            self.peek(),
            Some(TokenKind::Alias | TokenKind::Dot | TokenKind::Ident)
        ) {
            self.bump();
        }
        self.eat(TokenKind::LeftBrace)?;
        self.skip_until(TokenKind::RightBrace)?;
        Some(ExprKind::Other)
    }

    fn map(&mut self) -> Option<ExprKind> {
        let mut fields = Vec::new();
        while self.eat(TokenKind::RightBrace).is_none() {
            let (name, ty) = self.map_field()?;
            fields.extend(name.map(|name| MapField { name, ty }));
            self.comma_before(TokenKind::RightBrace)?;
        }
        Some(ExprKind::Map(fields.into()))
    }

    /// A field, with its name if that is a required atom.
    fn map_field(&mut self) -> Option<(Option<Box<str>>, Expr)> {
        if let Some(name) = self.key() {
            return Some((Some(name.into()), self.ty()?));
        }
        let key = self.ty()?;
        self.eat(TokenKind::FatArrow)?;
        Some((required_atom(key), self.ty()?))
    }

    /// `name:` or `"name":`.
    fn key(&mut self) -> Option<&'a str> {
        let [Some(name), Some(colon)] = self.next else {
            return None;
        };
        let is_name = matches!(
            name.kind,
            TokenKind::Ident | TokenKind::Alias | TokenKind::String
        );
        let is_key =
            is_name && colon.kind == TokenKind::Colon && name.range.end() == colon.range.start();
        if !is_key {
            return None;
        }
        self.bump();
        self.bump();
        Some(name.text.trim_matches('"'))
    }

    /// Types between commas, up to the closing token. Keywords at the end are one more type.
    fn list_until(&mut self, close: TokenKind) -> Option<Vec<Expr>> {
        let mut items = Vec::new();
        while self.eat(close).is_none() {
            let start = self.start();
            if self.key().is_some() {
                self.skip_until(close)?;
                items.push(self.expr(ExprKind::Other, start));
                break;
            }
            items.push(self.ty()?);
            self.comma_before(close)?;
        }
        Some(items)
    }

    /// Takes the comma after an item, unless `close` follows. Elixir allows a trailing comma, but not in parentheses.
    fn comma_before(&mut self, close: TokenKind) -> Option<()> {
        let has_comma = self.eat(TokenKind::Comma).is_some();
        let at_end = self.peek() == Some(close);
        let is_valid = match close {
            TokenKind::RightParen => has_comma != at_end,
            _ => has_comma || at_end,
        };
        is_valid.then_some(())
    }

    /// Skips to the end of the open bracket.
    fn skip_until(&mut self, close: TokenKind) -> Option<()> {
        let mut open = 0_usize;
        loop {
            let kind = self.bump()?.kind;
            match kind {
                _ if open == 0 && kind == close => return Some(()),
                TokenKind::LeftParen
                | TokenKind::LeftBracket
                | TokenKind::LeftBrace
                | TokenKind::LeftBinary => open += 1,
                TokenKind::RightParen
                | TokenKind::RightBracket
                | TokenKind::RightBrace
                | TokenKind::RightBinary => open = open.checked_sub(1)?,
                _ => {}
            }
        }
    }

    fn word(&mut self, word: &str) -> Option<()> {
        let token = self.next[0]?;
        if token.kind != TokenKind::Ident || token.text != word {
            return None;
        }
        self.bump();
        Some(())
    }

    fn eat(&mut self, kind: TokenKind) -> Option<Token<'a>> {
        if self.peek()? != kind {
            return None;
        }
        self.bump()
    }

    fn bump(&mut self) -> Option<Token<'a>> {
        let [next, following] = self.next;
        let token = next?;
        self.next = [following, self.rest.next()];
        self.end = token.range.end();
        Some(token)
    }

    fn peek(&self) -> Option<TokenKind> {
        self.next[0].map(|token| token.kind)
    }

    /// The start of the next token.
    fn start(&self) -> TextSize {
        self.next[0].map_or(self.end, |token| token.range.start())
    }

    fn expr(&self, kind: ExprKind, start: TextSize) -> Expr {
        let range = TextRange::new(start, self.end.max(start));
        Expr { kind, range }
    }
}

/// A tuple of these types.
fn tuple(mut parts: Vec<Expr>) -> ExprKind {
    match (parts.pop(), parts.pop().map(|it| it.kind)) {
        (Some(value), Some(ExprKind::Atom(tag))) if parts.is_empty() => {
            ExprKind::Tagged(Box::new((tag, value)))
        }
        _ => ExprKind::Other,
    }
}

/// The name in `:name =>` and `required(:name) =>`.
fn required_atom(key: Expr) -> Option<Box<str>> {
    match key.kind {
        ExprKind::Atom(name) => Some(name),
        ExprKind::Required(name) => match name.kind {
            ExprKind::Atom(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}
