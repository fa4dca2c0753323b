//! What an answer says, as facts in words and as tables: its numbers and words are facts, its lists are tables.

use crate::report_page::sheet::{Budget, Sheet, in_words, is_pair, of_list};
use saltation_numerics::elementary;
use serde_json::{Map, Value, json};

/// Entries that the page shows elsewhere, or that are for programs only.
const ELSEWHERE: [&str; 17] = [
    "fitted",
    "model",
    "fingerprint",
    "parameters",
    "message",
    "ended",
    "title",
    "source",
    "state",
    "start",
    "map",
    "grid",
    "kind",
    "curves",
    "second_values",
    "warnings",
    "about",
];
/// Entries of bifurcations from which others are computed.
const FOR_PROGRAMS: [&str; 7] = ["unknowns", "sizes", "tangent", "other_tangent", "nodes", "mirror", "place"];
/// Lists that are stored as tables of these names.
const STORED: [(&str, &[&str]); 6] = [
    ("estimates", &["estimates"]),
    ("residuals", &["residuals"]),
    ("events", &["events"]),
    ("points", &["branch", "curve", "path"]),
    ("special", &["special"]),
    ("modes", &["motions"]),
];
/// Lists of complex numbers.
const COMPLEX: [&str; 3] = ["multipliers", "half_multipliers", "eigenvalues"];
/// Lists of at most so many numbers or words are facts.
const SHORT: usize = 24;

/// Facts and tables of an answer.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub list: Vec<(String, String)>,
    pub sheets: Vec<Sheet>,
}

impl Facts {
    pub(crate) fn add(&mut self, label: &str, value: impl Into<String>) {
        self.list.push((label.to_string(), value.into()));
    }

    /// Adds an answer, whose file is named; `stored` are the names of tables that are on the page already.
    pub(crate) fn answer(
        &mut self,
        answer: &Value,
        file: &str,
        stored: &[&str],
        time: Option<&str>,
        budget: &mut Budget,
    ) {
        let Some(object) = answer.as_object() else { return };
        let both = object.get("exponents").zip(object.get("standard_errors"));
        if let Some((Value::Array(values), Value::Array(errors))) = both {
            let row = |(value, error): (&Value, &Value)| json!({ "exponent": value, "standard error": error });
            let rows: Vec<Value> = values.iter().zip(errors).map(row).collect();
            self.sheets.push(of_list("exponents", "Lyapunov exponents", file, &rows, budget));
        }
        for (key, value) in object {
            if both.is_some() && ["exponents", "standard_errors"].contains(&key.as_str()) {
                continue;
            }
            let is_stored =
                STORED.iter().any(|(list, tables)| list == key && tables.iter().any(|table| stored.contains(table)));
            if ELSEWHERE.contains(&key.as_str()) || is_stored || value.is_null() {
                continue;
            }
            self.entry(key, value, file, time, budget);
        }
    }

    fn entry(&mut self, key: &str, value: &Value, file: &str, time: Option<&str>, budget: &mut Budget) {
        let label = key.replace('_', " ");
        match value {
            Value::Array(list) if list.is_empty() => {
                if ["special", "equilibria", "modes", "solutions", "attractors"].contains(&key) {
                    self.add(&name(key), "none");
                }
            }
            Value::Array(list) if COMPLEX.contains(&key) && list.iter().all(is_pair) => {
                let part = |pair: &Value, k: usize| pair[k].as_f64().unwrap_or(f64::NAN);
                let row = |pair: &Value| {
                    let (re, im) = (part(pair, 0), part(pair, 1));
                    json!({ "real part": re, "imaginary part": im, "modulus": elementary::hypot(re, im) })
                };
                let rows: Vec<Value> = list.iter().map(row).collect();
                self.sheets.push(of_list(&label, &name(key), file, &rows, budget));
            }
            Value::Array(list) if list.iter().all(|one| one.is_object() || one.is_array()) => {
                let rows: Vec<Value> = list.iter().map(bare).collect();
                self.sheets.push(of_list(&label, &name(key), file, &rows, budget));
            }
            Value::Array(_) if key == "values" => {}
            Value::Array(ends) if ["range", "periods"].contains(&key) && ends.len() == 2 => {
                self.add(&label, format!("{} to {}", in_words(&ends[0]), in_words(&ends[1])));
            }
            Value::Object(counts) if key == "periods" => {
                let words = |(period, count): (&String, &Value)| {
                    let motion = match period.as_str() {
                        "0" => "no period".to_string(),
                        "rest" => "at rest".to_string(),
                        "ended" => "ended early".to_string(),
                        period => format!("period {period}"),
                    };
                    format!("{motion}: {}", in_words(count))
                };
                self.add("motions", counts.iter().map(words).collect::<Vec<_>>().join(", "));
            }
            Value::Array(list) if list.len() > SHORT => self.add(&label, format!("{} entries", list.len())),
            Value::Object(entries) if entries.is_empty() => {}
            Value::Object(entries) if entries.values().all(Value::is_object) => {
                let rows: Vec<Value> = entries.iter().map(|(name, inner)| named(name, inner)).collect();
                self.sheets.push(of_list(&label, &name(key), file, &rows, budget));
            }
            Value::Object(entries) if entries.values().any(Value::is_string) && entries.len() > 2 => {
                let rows: Vec<Value> =
                    entries.iter().map(|(name, value)| json!({ "name": name, "is": value })).collect();
                self.sheets.push(of_list(&label, &name(key), file, &rows, budget));
            }
            Value::Number(_) if ["period", "time"].contains(&key) => {
                let unit = time.map(|unit| format!(" {unit}")).unwrap_or_default();
                self.add(&label, in_words(value) + &unit);
            }
            value => self.add(&label, in_words(value)),
        }
    }
}

/// An object without what is for programs only, and with lists of points counted.
fn bare(value: &Value) -> Value {
    let Some(object) = value.as_object() else { return value.clone() };
    let kept = object.iter().filter(|(key, _)| !FOR_PROGRAMS.contains(&key.as_str()));
    let short = kept.map(|(key, value)| {
        let long = value.as_array().filter(|list| list.len() > SHORT || list.iter().any(Value::is_object));
        (key.clone(), long.map_or_else(|| value.clone(), |list| json!(list.len())))
    });
    Value::Object(short.collect())
}

fn named(name: &str, inner: &Value) -> Value {
    let mut object = Map::new();
    object.insert("name".to_string(), name.into());
    object.extend(inner.as_object().cloned().unwrap_or_default());
    Value::Object(object)
}

/// The heading of a list.
fn name(key: &str) -> String {
    match key {
        "special" => "Bifurcations".to_string(),
        "newton" => "Steps of Newton's method".to_string(),
        "points" => "Points on the section".to_string(),
        "branches" => "Branches that bifurcate".to_string(),
        "ends" => "Ends of the branch".to_string(),
        "monodromy" => "Monodromy matrix".to_string(),
        "block_means" => "Means of blocks of returns".to_string(),
        "missed" => "Modes without an equilibrium".to_string(),
        "laws" => "Laws of the contacts".to_string(),
        "rates" => "Rates of the states".to_string(),
        "M" => "Mass matrix".to_string(),
        "h" => "Forces".to_string(),
        key => {
            let words = key.replace('_', " ");
            let mut letters = words.chars();
            letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_facts_and_lists_are_tables() {
        let answer = json!({
            "period": 6.5, "stable": true, "signature": ["impact:wall"], "state": {"x": 1}, "mode": null,
            "multipliers": [[0.6, 0.8]], "points": [{"x": 1.0, "unknowns": [1]}], "special": [],
        });
        let mut facts = Facts::default();
        facts.answer(&answer, "run.json", &[], Some("s"), &mut Budget::new());
        let list: Vec<(&str, &str)> = facts.list.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(
            list,
            [("period", "6.5 s"), ("stable", "yes"), ("signature", "impact:wall"), ("Bifurcations", "none")]
        );
        assert_eq!(
            facts.sheets.iter().map(|sheet| sheet.head.join(",")).collect::<Vec<_>>(),
            ["#,real part,imaginary part,modulus", "#,x"]
        );
        assert_eq!(facts.sheets[0].rows[0][3], json!(1));
    }
}
