//! Recursive-descent parser from tokens to terms.
//!
//! ```text
//! sum      = product { ("+" | "-") product }
//! product  = signed { ("*" | "/") signed }
//! signed   = { "-" | "+" } power
//! power    = primary [ "^" signed ]
//! primary  = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
//! ```

use std::ops::Range;

use super::token::{Token, tokens};
use super::words::{corner, is_corner, unknown_function};
use super::{Binary, Formula, FormulaError, LONGEST_TEXT, MOST_TERMS, NESTING, Term, What};
use crate::function::Function;

/// Parsing stops after this; the reason is among the errors.
struct Stopped;

struct Reader<'t> {
    text: &'t str,
    tokens: Vec<(Token, Range<usize>)>,
    next: usize,
    depth: usize,
    terms: Vec<Term>,
    errors: Vec<FormulaError>,
    /// Whether `abs` may be written.
    modulus: bool,
}

/// The terms of `text`, operands before the operations that use them, or all mistakes in it; `abs` has a meaning only with
/// `modulus`.
pub(super) fn read(text: &str, modulus: bool) -> Result<Formula, Vec<FormulaError>> {
    if text.len() > LONGEST_TEXT {
        let message = format!("the formula has {} bytes and may have {LONGEST_TEXT} at most", text.len());
        return Err(vec![FormulaError::new(message, 0..text.len(), Some("split it by [definitions]"))]);
    }
    let (tokens, errors) = tokens(text);
    if !errors.is_empty() {
        // The context of an invalid character is not analysed.
        return Err(errors);
    }
    let mut reader = Reader { text, tokens, next: 0, depth: 0, terms: Vec::new(), errors, modulus };
    if reader.tokens.is_empty() {
        let help = Some("write a number or a formula such as \"-2*zeta*y - x\"");
        return Err(vec![FormulaError::new("the formula is empty", 0..text.len(), help)]);
    }
    if let Ok(_root) = reader.sum()
        && let Some((token, span)) = reader.tokens.get(reader.next).cloned()
    {
        reader.errors.push(match token {
            Token::Close => FormulaError::new("this bracket closes nothing", span, Some("remove it or open it before")),
            Token::Comma => reader.stray_comma(span),
            _ => FormulaError::new("the formula should have ended here", span, None),
        });
    }
    if reader.errors.is_empty() { Ok(Formula { terms: reader.terms }) } else { Err(reader.errors) }
}

impl Reader<'_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.next).map(|(token, _)| *token)
    }

    /// The place of the token before the next one.
    fn last_span(&self) -> Range<usize> {
        self.tokens[self.next - 1].1.clone()
    }

    fn written(&self, span: &Range<usize>) -> String {
        self.text[span.clone()].to_string()
    }

    fn term(&mut self, what: What, span: Range<usize>) -> Result<usize, Stopped> {
        if self.terms.len() >= MOST_TERMS {
            let message = format!("the formula has more than {MOST_TERMS} numbers, names and operations");
            self.errors.push(FormulaError::new(message, span, Some("split it by [definitions]")));
            return Err(Stopped);
        }
        self.terms.push(Term { what, span });
        Ok(self.terms.len() - 1)
    }

    fn binary(&mut self, operator: Binary, a: usize, b: usize) -> Result<usize, Stopped> {
        let span = self.terms[a].span.start..self.terms[b].span.end;
        self.term(What::Binary(operator, a, b), span)
    }

    /// Runs `inner` one level deeper, unless that is too deep.
    fn deeper(&mut self, inner: fn(&mut Self) -> Result<usize, Stopped>) -> Result<usize, Stopped> {
        if self.depth >= NESTING {
            let message = format!("the formula is nested more than {NESTING} levels deep");
            self.errors.push(FormulaError::new(message, self.last_span(), Some("split it by [definitions]")));
            return Err(Stopped);
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn sum(&mut self) -> Result<usize, Stopped> {
        let mut left = self.product()?;
        while let Some(token @ (Token::Plus | Token::Minus)) = self.peek() {
            self.next += 1;
            let right = self.product()?;
            left = self.binary(if token == Token::Plus { Binary::Add } else { Binary::Subtract }, left, right)?;
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<usize, Stopped> {
        let mut left = self.signed()?;
        loop {
            let operator = match self.peek() {
                Some(Token::Star) => Binary::Multiply,
                Some(Token::Slash) => Binary::Divide,
                Some(Token::Number(_) | Token::Name | Token::Open) => {
                    self.missing_product()?;
                    let right = self.power()?;
                    left = self.binary(Binary::Multiply, left, right)?;
                    continue;
                }
                _ => return Ok(left),
            };
            self.next += 1;
            let right = self.signed()?;
            left = self.binary(operator, left, right)?;
        }
    }

    /// Two adjacent terms: a product without its sign, or a word such as `mod` between them.
    fn missing_product(&mut self) -> Result<(), Stopped> {
        let (before, after) = (self.last_span(), self.tokens[self.next].1.clone());
        let right = self.written(&after);
        if is_corner(&right) && self.tokens.get(self.next + 1).map(|t| t.0) != Some(Token::Open) {
            self.errors.push(corner(&right, after));
            return Err(Stopped);
        }
        let left = self.written(&before);
        let message = format!("a `*` is missing between `{left}` and `{right}`");
        let help = if matches!(self.tokens[self.next].0, Token::Open) && before.end == after.start {
            format!("write {left}*(…), or check the name if `{left}` should be a function")
        } else {
            let called = Function::named(&right).is_some() || right == "atan2";
            format!("write {left}*{right}{}", if called { "(…)" } else { "" })
        };
        self.errors.push(FormulaError::new(message, before.start..after.end, Some(&help)));
        Ok(())
    }

    fn signed(&mut self) -> Result<usize, Stopped> {
        let mut signs = Vec::new();
        while let Some(token @ (Token::Plus | Token::Minus)) = self.peek() {
            if token == Token::Minus {
                signs.push(self.tokens[self.next].1.start);
            }
            self.next += 1;
        }
        let mut term = self.power()?;
        for start in signs.into_iter().rev() {
            let span = start..self.terms[term].span.end;
            term = self.term(What::Negate(term), span)?;
        }
        Ok(term)
    }

    fn power(&mut self) -> Result<usize, Stopped> {
        let base = self.primary()?;
        if self.peek() != Some(Token::Caret) {
            return Ok(base);
        }
        self.next += 1;
        let exponent = self.deeper(Self::signed)?;
        self.binary(Binary::Power, base, exponent)
    }

    fn primary(&mut self) -> Result<usize, Stopped> {
        let Some((token, span)) = self.tokens.get(self.next).cloned() else {
            let span = self.last_span();
            let message = format!("something is missing after `{}`", self.written(&span));
            self.errors.push(FormulaError::new(message, span, None));
            return Err(Stopped);
        };
        match token {
            Token::Number(value) => {
                self.next += 1;
                self.term(What::Number(value), span)
            }
            Token::Name => {
                self.next += 1;
                self.name(span)
            }
            Token::Open => {
                self.next += 1;
                let inner = self.deeper(Self::sum)?;
                self.close(&span)?;
                // The brackets belong to what they hold, so that a message underlines them too.
                self.terms[inner].span = span.start..self.last_span().end;
                Ok(inner)
            }
            Token::Plus | Token::Minus | Token::Star | Token::Slash | Token::Caret | Token::Close | Token::Comma => {
                let message = format!("a number or a name is missing before `{}`", self.written(&span));
                self.errors.push(FormulaError::new(message, span, None));
                Err(Stopped)
            }
        }
    }

    /// Takes the bracket that closes the one at `open`.
    fn close(&mut self, open: &Range<usize>) -> Result<(), Stopped> {
        match self.tokens.get(self.next).cloned() {
            Some((Token::Close, _)) => {
                self.next += 1;
                Ok(())
            }
            Some((Token::Comma, span)) => {
                let error = self.stray_comma(span);
                self.errors.push(error);
                Err(Stopped)
            }
            _ => {
                self.errors.push(FormulaError::new("this bracket is never closed", open.clone(), Some("add a `)`")));
                Err(Stopped)
            }
        }
    }

    fn stray_comma(&self, span: Range<usize>) -> FormulaError {
        let digit = |at: Option<usize>| at.and_then(|i| self.text.as_bytes().get(i)).is_some_and(u8::is_ascii_digit);
        if digit(span.start.checked_sub(1)) && digit(Some(span.end)) {
            FormulaError::new("decimals are written with a point, not a comma", span, Some("write 1.5 for 1,5"))
        } else {
            FormulaError::new(
                "a comma has no place here",
                span,
                Some("only the arguments of atan2 are separated by a comma"),
            )
        }
    }

    /// A name that has just been taken: a quantity, or a function with its arguments.
    fn name(&mut self, span: Range<usize>) -> Result<usize, Stopped> {
        let name = self.written(&span);
        let called = self.peek() == Some(Token::Open);
        let function = Function::named(&name);
        if !called {
            if function.is_some() || name == "atan2" {
                let arguments = if name == "atan2" { "(y, x)" } else { "(x)" };
                let message = format!("the function `{name}` needs its argument in brackets");
                self.errors.push(FormulaError::new(message, span, Some(&format!("write {name}{arguments}"))));
                return Err(Stopped);
            }
            return self.term(What::Name(name), span);
        }
        let is_modulus = self.modulus && name == "abs";
        let glued = self.tokens[self.next].1.start == span.end;
        if function.is_none() && name != "atan2" && !is_modulus {
            if name == "pi" || !glued && !is_corner(&name) {
                // The product without its sign is reported by `product`.
                return self.term(What::Name(name), span);
            }
            let error = unknown_function(&name, span.clone());
            self.errors.push(error);
        }
        let open = self.tokens[self.next].1.clone();
        self.next += 1;
        let arguments = self.arguments(&open)?;
        let whole = span.start..self.last_span().end;
        let wanted = if name == "atan2" { 2 } else { 1 };
        match (function, arguments.as_slice()) {
            (Some(function), &[a]) => self.term(What::Apply(function, a), whole),
            (None, &[a]) if is_modulus => self.term(What::Modulus(a), whole),
            (None, &[y, x]) if name == "atan2" => self.term(What::Atan2(y, x), whole),
            _ => {
                if function.is_some() || name == "atan2" || is_modulus {
                    let plural = if wanted == 1 { "" } else { "s" };
                    let message = format!("`{name}` takes {wanted} argument{plural}, not {}", arguments.len());
                    let help = if wanted == 1 { "decimals are written with a point" } else { "write atan2(y, x)" };
                    let help = (arguments.len() > 1 || wanted == 2).then_some(help);
                    self.errors.push(FormulaError::new(message, whole.clone(), help));
                }
                // A placeholder, so that parsing continues: the formula is rejected in any case.
                self.term(What::Number(1.0), whole)
            }
        }
    }

    fn arguments(&mut self, open: &Range<usize>) -> Result<Vec<usize>, Stopped> {
        let mut arguments = Vec::new();
        if self.peek() != Some(Token::Close) {
            if self.peek().is_none() {
                self.close(open)?;
            }
            arguments.push(self.deeper(Self::sum)?);
            while self.peek() == Some(Token::Comma) {
                self.next += 1;
                arguments.push(self.deeper(Self::sum)?);
            }
        }
        self.close(open)?;
        Ok(arguments)
    }
}
