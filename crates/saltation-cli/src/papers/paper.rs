//! A paper as plain data: what it claims, its models, and its figures with their commands and numbers, read from TOML.

use saltation::{Mistake, Mistakes};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A paper.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Paper {
    /// Its title.
    pub title: String,
    /// A few words for lists.
    pub short: String,
    /// Who wrote it.
    pub authors: String,
    /// Journal, volume and pages.
    #[serde(rename = "where")]
    pub place: String,
    /// The year.
    pub year: Option<u32>,
    /// Its digital object identifier.
    pub doi: Option<String>,
    /// What it claims.
    pub claims: String,
    /// What of it was at hand: from where equations and numbers are.
    pub from: String,
    /// The notebook of the manual that has more of it.
    pub notebook: Option<String>,
    /// Where it errs beside the numbers of its figures.
    #[serde(default)]
    pub errata: Vec<Erratum>,
    /// Model files that are not in the gallery: name of the file to text.
    #[serde(default)]
    pub models: BTreeMap<String, String>,
    /// Named formulas for the closed forms of all figures.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// Figures and tables.
    pub figures: Vec<Sheet>,
}

/// A formula or a statement of a paper that errs.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Erratum {
    /// Where it stands.
    pub at: String,
    /// What stands there.
    pub says: String,
    /// The second route, and what it gives.
    pub route: String,
}

/// A figure or a table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sheet {
    /// Its name on the command line.
    pub name: String,
    /// What it shows.
    pub shows: String,
    /// Which one of the paper it is, where that is known.
    pub of: Option<String>,
    /// Whether the notebook shows it too, so that it is not counted twice.
    #[serde(default)]
    pub repeats: bool,
    /// The commands as they are typed, one after the other.
    pub commands: Vec<String>,
    /// Named formulas for its closed forms.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// What must come out.
    pub numbers: Vec<Number>,
}

/// A number of a figure.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Number {
    /// What it is.
    pub what: String,
    /// Where it stands in the answer; several places have names.
    pub at: At,
    /// A formula of the named places, where the number is not at one place.
    pub value: Option<String>,
    /// As it is printed in the paper.
    pub published: Option<String>,
    /// How far it may be from the printed one, in units of its last place.
    #[serde(default = "half")]
    pub units: f64,
    /// The second route: a closed form.
    pub closed: Option<String>,
    /// The second route: the root of a formula, between two others.
    pub root: Option<Root>,
    /// The second route: a number from elsewhere.
    pub number: Option<f64>,
    /// From where that is.
    pub source: Option<String>,
    /// The digits in which the second route must agree.
    pub digits: Option<f64>,
    /// Where the paper errs: what is wrong there.
    pub errs: Option<String>,
}

/// One place in the answer of the last command, or several with names.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum At {
    /// One.
    One(String),
    /// Several.
    Many(BTreeMap<String, String>),
}

/// The root of a formula.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Root {
    /// What is zero there.
    pub of: String,
    /// The name of the unknown in it.
    #[serde(default = "x")]
    pub unknown: String,
    /// Two formulas, between which it changes its sign once.
    pub between: [String; 2],
}

fn x() -> String {
    "x".to_string()
}

fn half() -> f64 {
    0.5
}

impl Paper {
    /// Reads a data file.
    ///
    /// # Errors
    /// Mistakes of the file, with their places.
    pub(crate) fn read(text: &str, file: &str) -> Result<Paper, Mistakes> {
        let wrong = |list| Mistakes { file: file.to_string(), text: text.to_string(), list };
        let paper: Paper = toml::from_str(text).map_err(|error| {
            let message = error.message().to_string();
            let mistake = error.span().map_or(Mistake::general(message.clone()), |span| Mistake::at(span, message));
            wrong(vec![mistake.help("`saltation reproduce --help` names the page of the keys of a paper")])
        })?;
        let list: Vec<Mistake> = paper.mistakes().into_iter().map(Mistake::general).collect();
        if list.is_empty() { Ok(paper) } else { Err(wrong(list)) }
    }

    /// What the shape of the data alone does not refuse.
    fn mistakes(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (i, figure) in self.figures.iter().enumerate() {
            let name = &figure.name;
            if self.figures[..i].iter().any(|other| other.name == *name) {
                found.push(format!("two figures are called `{name}`"));
            }
            if !is_file_name(name) {
                found.push(format!("`{name}` cannot be the name of files: letters, digits, - and _ can"));
            }
            if name == "numbers" {
                found.push("no figure is called `numbers`: the table is".to_string());
            }
            for command in &figure.commands {
                let file = command.rsplit_once('>').and_then(|(_, file)| file.trim().strip_suffix(".json"));
                if file.is_some_and(|file| self.figures.iter().any(|other| other.name == file)) {
                    found
                        .push(format!("`{command}` writes to the file of the answer of a figure: choose another name"));
                }
            }
            if figure.commands.is_empty() {
                found.push(format!("the figure `{name}` has no command"));
            }
            for number in &figure.numbers {
                found.extend(number.mistakes().into_iter().map(|what| format!("{name}, {}: {what}", number.what)));
            }
        }
        for name in self.models.keys() {
            if !name.strip_suffix(".toml").is_some_and(is_file_name) {
                found.push(format!("the model `{name}` needs the name of a file, such as oscillator.toml"));
            }
        }
        found
    }

    /// How many figures and tables it adds to those of its notebook.
    pub(crate) fn counted(&self) -> usize {
        self.figures.iter().filter(|figure| !figure.repeats).count()
    }
}

impl Number {
    fn mistakes(&self) -> Vec<String> {
        let routes =
            usize::from(self.closed.is_some()) + usize::from(self.root.is_some()) + usize::from(self.number.is_some());
        let mut found = Vec::new();
        let mut says = |wrong: bool, what: &str| {
            if wrong {
                found.push(what.to_string())
            }
        };
        says(routes > 1, "one second route is enough: closed, root or number");
        says(
            routes == 0 && self.published.is_none(),
            "there is nothing to compare with: give published, closed, root or number",
        );
        says(
            (routes == 1) != self.digits.is_some(),
            "digits go with a second route, closed, root or number, and each needs them",
        );
        says(self.number.is_some() != self.source.is_some(), "a number from elsewhere needs its source");
        says(
            self.errs.is_some() && (routes == 0 || self.published.is_none()),
            "errs needs the published number and a second route",
        );
        says(
            self.published.as_ref().is_some_and(|text| text.parse::<f64>().is_err()),
            "published is a number as it is printed",
        );
        says(matches!(self.at, At::Many(_)) && self.value.is_none(), "several places need a formula, value");
        found
    }
}

/// Whether files can be called so on every system.
fn is_file_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::texts;

    #[test]
    fn every_paper_is_read() {
        for name in texts::NAMES {
            let read = Paper::read(texts::find(name).unwrap(), name);
            assert!(read.as_ref().is_ok_and(|paper| !paper.figures.is_empty()), "{name}: {read:?}");
        }
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let text = r#"
            title = "t"
            short = "s"
            authors = "a"
            where = "w"
            year = 2000
            claims = "c"
            from = "f"
            [[figures]]
            name = "one"
            shows = "s"
            commands = ["saltation simulate bouncing-ball"]
            numbers = [{ what = "x", at = "/end/time" }, { what = "y", at = "/end/time", closed = "1" }]
        "#;
        let wrong = Paper::read(text, "f.toml").unwrap_err();
        assert_eq!(wrong.list.len(), 2, "{wrong:?}");
        assert!(wrong.list[0].message.contains("nothing to compare with"));
        assert!(wrong.list[1].message.contains("digits"));
        let taken = text
            .replace("bouncing-ball\"", "bouncing-ball > one.json\"")
            .replace(", { what = \"y\", at = \"/end/time\", closed = \"1\" }", "");
        let wrong = Paper::read(&taken, "f.toml").unwrap_err();
        assert!(wrong.list[0].message.contains("choose another name"), "{wrong:?}");
        let shape = Paper::read("title = 1", "f.toml").unwrap_err();
        assert!(shape.list[0].span.is_some());
    }
}
