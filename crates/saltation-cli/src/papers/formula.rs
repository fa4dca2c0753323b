//! Formulas of named values that are formulas themselves, and roots of a formula by bisection.

use saltation::layers::expr::Graph;
use saltation::layers::expr::parse::{Formula, FormulaError, UnknownName};
use std::collections::BTreeMap;

/// Named numbers, and named formulas of them and of each other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Values<'a> {
    numbers: BTreeMap<String, f64>,
    formulas: BTreeMap<&'a str, &'a str>,
}

impl<'a> Values<'a> {
    /// From formulas; where two have a name, the later one counts.
    pub(crate) fn new(formulas: impl IntoIterator<Item = &'a BTreeMap<String, String>>) -> Values<'a> {
        let all = formulas.into_iter().flatten();
        let formulas = all.map(|(name, formula)| (name.as_str(), formula.as_str())).collect();
        Values { numbers: BTreeMap::new(), formulas }
    }

    /// The same with a further number, which goes before a formula of its name.
    pub(crate) fn with(&self, name: &str, value: f64) -> Values<'a> {
        let mut values = self.clone();
        values.numbers.insert(name.to_string(), value);
        values
    }

    /// The value of a formula.
    ///
    /// # Errors
    /// Mistakes of it, or of a formula whose name it has, as a sentence.
    pub(crate) fn evaluate(&self, text: &str) -> Result<f64, String> {
        self.within(text, 0)
    }

    fn within(&self, text: &str, depth: usize) -> Result<f64, String> {
        if depth > self.formulas.len() {
            return Err(format!("the values need each other in a circle, at `{text}`"));
        }
        let mut graph = Graph::new();
        let read = Formula::read(text);
        let built = read.and_then(|formula| {
            formula.build(&mut graph, &mut |graph, name| {
                let value = match (self.numbers.get(name), self.formulas.get(name)) {
                    (Some(value), _) => Ok(*value),
                    (None, Some(formula)) => self.within(formula, depth + 1),
                    (None, None) => return Err(UnknownName::among(name, self.names())),
                };
                value.map(|value| graph.constant(value)).map_err(|message| UnknownName { message, help: None })
            })
        });
        let said = |errors: Vec<FormulaError>| {
            let each: Vec<String> = errors
                .into_iter()
                .map(|error| match error.help {
                    Some(help) => format!("{} ({help})", error.message),
                    None => error.message,
                })
                .collect();
            format!("in `{text}`: {}", each.join("; "))
        };
        built.map(|node| graph.evaluate(node, &|_| f64::NAN)).map_err(said)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.numbers.keys().map(String::as_str).chain(self.formulas.keys().copied())
    }

    /// The root of a formula of an unknown between two numbers, to the last bit, by bisection.
    ///
    /// # Errors
    /// If the formula has no sign there, or the same sign at both ends.
    pub(crate) fn root(&self, text: &str, unknown: &str, [low, high]: [f64; 2]) -> Result<f64, String> {
        let at = |x: f64| self.with(unknown, x).evaluate(text);
        let (mut low, mut high) = (low.min(high), low.max(high));
        let rises = match (at(low)?, at(high)?) {
            (a, b) if a < 0.0 && b > 0.0 => true,
            (a, b) if a > 0.0 && b < 0.0 => false,
            (a, b) => return Err(format!("`{text}` does not change its sign between {low} ({a}) and {high} ({b})")),
        };
        loop {
            let middle = low + (high - low) / 2.0;
            if middle <= low || middle >= high {
                return Ok(middle);
            }
            let value = at(middle)?;
            if value.is_nan() {
                return Err(format!("`{text}` has no value at {unknown} = {middle}"));
            }
            if (value < 0.0) == rises { low = middle } else { high = middle }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_formulas_of_each_other() {
        let table = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let paper: BTreeMap<String, String> = table(&[("w", "2"), ("g", "1/(1 - w^2)")]);
        let figure: BTreeMap<String, String> = table(&[("w", "3")]);
        let values = Values::new([&paper, &figure]);
        assert_eq!(values.evaluate("8*g"), Ok(-1.0));
        assert_eq!(values.with("g", 2.0).evaluate("8*g"), Ok(16.0));
        assert!(values.evaluate("8*h").unwrap_err().contains("`h`"));
        let circle: BTreeMap<String, String> = table(&[("a", "b"), ("b", "a")]);
        assert!(Values::new([&circle]).evaluate("a").unwrap_err().contains("circle"));
    }

    #[test]
    fn roots_have_all_digits() {
        let values = Values::default();
        assert_eq!(values.root("x^2 - 2", "x", [0.0, 2.0]).map(|x| (x - 2.0_f64.sqrt()).abs() < 3e-16), Ok(true));
        assert_eq!(values.root("1 - x", "x", [3.0, 0.0]), Ok(1.0));
        assert!(values.root("1 + x^2", "x", [0.0, 2.0]).is_err());
    }
}
