//! Recursive-descent parser from tokens to terms.
//!
//! ```text
//! sum      = product { ("+" | "-") product }
//! product  = signed { ("*" | "/") signed }
//! signed   = { "-" | "+" } power
//! power    = primary [ "^" signed ]
//! primary  = number | name | function "(" sum { "," sum } ")" | "if" "(" condition "," sum "," sum ")" | "(" sum ")"
//!
//! condition   = conjunction { "or" conjunction }
//! conjunction = negation { "and" negation }
//! negation    = "not" negation | "(" condition ")" | sum ("<" | ">") sum
//! ```

use std::ops::Range;

use super::token::{Token, tokens};
use super::words::{is_stairs, is_synonym, unknown_function, unsupported};
use super::{Binary, Corner, Formula, FormulaError, LONGEST_TEXT, MOST_TERMS, NESTING, Term, What};
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
    /// Whether `abs` is the root of a square.
    modulus: bool,
    /// How many conditions are open.
    conditions: usize,
}

/// The terms of `text`, operands before the operations that use them, or all mistakes in it; `abs` is the root of a square with `modulus`.
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
    let mut reader = Reader { text, tokens, next: 0, depth: 0, terms: Vec::new(), errors, modulus, conditions: 0 };
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
            Token::Less | Token::Greater => stray_comparison(span),
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

    /// The value of a term that is a number; none, which compares with nothing, of another.
    fn number(&self, term: usize) -> f64 {
        match self.terms[term].what {
            What::Number(number) => number,
            What::Negate(of) => -self.number(of),
            _ => f64::NAN,
        }
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
                Some(Token::Name) if self.conditions > 0 && (self.is_word("and") || self.is_word("or")) => {
                    return Ok(left);
                }
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
        if is_stairs(&right) && self.tokens.get(self.next + 1).map(|t| t.0) != Some(Token::Open) {
            self.errors.push(unsupported(&right, after));
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
            Token::Plus
            | Token::Minus
            | Token::Star
            | Token::Slash
            | Token::Caret
            | Token::Close
            | Token::Comma
            | Token::Less
            | Token::Greater => {
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
            Some((Token::Less | Token::Greater, span)) => {
                self.errors.push(stray_comparison(span));
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
                Some("only the arguments of a function, as of atan2(y, x), are separated by commas"),
            )
        }
    }

    /// A name that has just been taken: a quantity, or a function with its arguments.
    fn name(&mut self, span: Range<usize>) -> Result<usize, Stopped> {
        let name = self.written(&span);
        let called = self.peek() == Some(Token::Open);
        let function = Function::named(&name);
        if !called {
            // Names of corners, and of some functions, are words of the language only where they are called.
            if function.is_some_and(|function| !function.leaves_its_name()) || name == "atan2" {
                let arguments = if name == "atan2" { "(y, x)" } else { "(x)" };
                let message = format!("the function `{name}` needs its argument in brackets");
                self.errors.push(FormulaError::new(message, span, Some(&format!("write {name}{arguments}"))));
                return Err(Stopped);
            }
            return self.term(What::Name(name), span);
        }
        let is_modulus = self.modulus && name == "abs";
        let corner = if is_modulus { None } else { Corner::named(&name) };
        let glued = self.tokens[self.next].1.start == span.end;
        if glued && name == "side" {
            return self.side(span);
        }
        if function.is_none() && name != "atan2" && !is_modulus && corner.is_none() {
            if name == "pi" || !glued && !is_stairs(&name) {
                // The product without its sign is reported by `product`.
                return self.term(What::Name(name), span);
            }
            if glued && !is_stairs(&name) && !is_synonym(&name) {
                return self.table(name, span);
            }
            let error = unknown_function(&name, span.clone(), std::iter::empty());
            self.errors.push(error);
        }
        let open = self.tokens[self.next].1.clone();
        self.next += 1;
        let arguments = self.arguments(&open, corner == Some(Corner::If))?;
        let whole = span.start..self.last_span().end;
        let wanted = if name == "atan2" { 2 } else { 1 };
        match (function, arguments.as_slice()) {
            (Some(function), &[a]) => self.term(What::Apply(function, a), whole),
            (None, &[a]) if is_modulus => self.term(What::Modulus(a), whole),
            (None, &[y, x]) if name == "atan2" => self.term(What::Atan2(y, x), whole),
            (None, given)
                if corner.is_some_and(|corner| (corner.usage().1..=corner.usage().2).contains(&given.len())) =>
            {
                match corner {
                    Some(Corner::Clip) if self.number(arguments[1]) > self.number(arguments[2]) => {
                        let message = "the lowest value of `clip` is above its highest".to_string();
                        let help = format!("write {}", Corner::Clip.usage().0);
                        self.errors.push(FormulaError::new(message, whole.clone(), Some(&help)));
                        self.term(What::Number(1.0), whole)
                    }
                    Some(corner) => self.term(What::Corner(corner, arguments), whole),
                    None => Err(Stopped),
                }
            }
            _ => {
                if let Some(corner) = corner {
                    let (usage, least, most) = corner.usage();
                    let wanted = if least == most { least.to_string() } else { format!("{least} or more") };
                    let plural = if most == 1 { "" } else { "s" };
                    let message = format!("`{name}` takes {wanted} argument{plural}, not {}", arguments.len());
                    self.errors.push(FormulaError::new(message, whole.clone(), Some(&format!("write {usage}"))));
                }
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

    /// A table with its argument; its name has just been taken.
    fn table(&mut self, name: String, span: Range<usize>) -> Result<usize, Stopped> {
        let open = self.tokens[self.next].1.clone();
        self.next += 1;
        let arguments = self.arguments(&open, false)?;
        let whole = span.start..self.last_span().end;
        if let &[argument] = arguments.as_slice() {
            return self.term(What::Table(name, argument, span), whole);
        }
        let error = unknown_function(&name, span, std::iter::empty());
        self.errors.push(error);
        self.term(What::Number(1.0), whole)
    }

    /// The name of a switch in brackets; `side` has just been taken.
    fn side(&mut self, span: Range<usize>) -> Result<usize, Stopped> {
        let open = self.tokens[self.next].1.clone();
        self.next += 1;
        let Some((Token::Name, inner)) = self.tokens.get(self.next).cloned() else {
            let help = Some("write side(NAME) with the name of a switch of [switches]");
            self.errors.push(FormulaError::new("`side` needs the name of a switch", span, help));
            return Err(Stopped);
        };
        self.next += 1;
        self.close(&open)?;
        let name = self.written(&inner);
        self.term(What::Side(name), span.start..self.last_span().end)
    }

    /// Whether the next token is this word.
    fn is_word(&self, word: &str) -> bool {
        matches!(self.tokens.get(self.next), Some((Token::Name, span)) if &self.text[span.clone()] == word)
    }

    fn condition(&mut self) -> Result<usize, Stopped> {
        self.conditions += 1;
        let condition = self.alternatives();
        self.conditions -= 1;
        condition
    }

    fn alternatives(&mut self) -> Result<usize, Stopped> {
        let mut left = self.conjunction()?;
        while self.is_word("or") {
            self.next += 1;
            let right = self.conjunction()?;
            let span = self.terms[left].span.start..self.terms[right].span.end;
            left = self.term(What::Or(left, right), span)?;
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<usize, Stopped> {
        let mut left = self.negation()?;
        while self.is_word("and") {
            self.next += 1;
            let right = self.negation()?;
            let span = self.terms[left].span.start..self.terms[right].span.end;
            left = self.term(What::And(left, right), span)?;
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<usize, Stopped> {
        if self.is_word("not") {
            let start = self.tokens[self.next].1.start;
            self.next += 1;
            let inner = self.deeper(Self::negation)?;
            let span = start..self.terms[inner].span.end;
            return self.term(What::Not(inner), span);
        }
        if self.opens_condition() {
            let open = self.tokens[self.next].1.clone();
            self.next += 1;
            let inner = self.deeper(Self::alternatives)?;
            self.close(&open)?;
            return Ok(inner);
        }
        self.comparison()
    }

    /// Whether the next bracket holds a condition: a comparison, or a word of conditions, stands in it and in no bracket inside.
    fn opens_condition(&self) -> bool {
        let mut depth = 0;
        for (token, span) in &self.tokens[self.next.min(self.tokens.len())..] {
            match token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::Less | Token::Greater if depth == 1 => return true,
                Token::Name if depth == 1 && ["and", "or", "not"].contains(&&self.text[span.clone()]) => return true,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        false
    }

    fn comparison(&mut self) -> Result<usize, Stopped> {
        let left = self.sum()?;
        let Some((token @ (Token::Less | Token::Greater), at)) = self.tokens.get(self.next).cloned() else {
            let message = "the condition of `if` is not a comparison";
            let help = "write if(a < b, p, q); conditions are joined by and, or, not";
            self.errors.push(FormulaError::new(message, self.terms[left].span.clone(), Some(help)));
            return Err(Stopped);
        };
        self.next += 1;
        let right = self.sum()?;
        if let Some((Token::Less | Token::Greater, span)) = self.tokens.get(self.next).cloned() {
            let message = "a comparison has two sides, and this one has three";
            let help = "write a < x and x < b for a < x < b";
            self.errors.push(FormulaError::new(message, at.start..span.end, Some(help)));
            return Err(Stopped);
        }
        let span = self.terms[left].span.start..self.terms[right].span.end;
        let (less, greater) = if token == Token::Less { (left, right) } else { (right, left) };
        // `<=` has two characters.
        let what = if at.len() > 1 { What::AtMost(less, greater) } else { What::Less(less, greater) };
        self.term(what, span)
    }

    fn arguments(&mut self, open: &Range<usize>, conditional: bool) -> Result<Vec<usize>, Stopped> {
        let mut arguments = Vec::new();
        if self.peek() != Some(Token::Close) {
            if self.peek().is_none() {
                self.close(open)?;
            }
            arguments.push(self.deeper(if conditional { Self::condition } else { Self::sum })?);
            while self.peek() == Some(Token::Comma) {
                self.next += 1;
                arguments.push(self.deeper(Self::sum)?);
            }
        }
        self.close(open)?;
        Ok(arguments)
    }
}

fn stray_comparison(span: Range<usize>) -> FormulaError {
    let help = "write if(a < b, p, q), which is p where a < b and q elsewhere";
    FormulaError::new("a comparison stands in the condition of `if` only", span, Some(help))
}
