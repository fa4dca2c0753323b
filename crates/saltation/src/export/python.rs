//! The question of a command in Python: its words, translated to methods and arguments by the kinds of its fields.

use crate::field::{Field, Form, Goes, Kind, Of};
use crate::registry::form;

/// The lines; none where the command cannot be read. `of_gallery` says that the model is that of the gallery of its name.
pub(crate) fn python(words: &[String], of_gallery: bool) -> Option<String> {
    let (command, words) = words.split_first()?;
    let flags = Flags::read(form(command)?, words);
    let model = flags.model?;
    let begun = match of_gallery && !model.contains(['/', '\\', '.']) {
        true => format!("sys = st.gallery({})", text(model)),
        false => format!("sys = st.read({})", text(model)),
    };
    let begun = begun + &flags.changed("set", "with_") + &flags.changed("start", "start");
    let mut lines = vec!["import saltation as st".to_string(), String::new(), begun];
    match command.as_str() {
        "continue" => lines.extend(continuation(&flags)?),
        "curve" => lines.extend(curve(&flags)?),
        question => {
            let found = if question == "simulate" { "run" } else { question };
            lines.push(format!("{found} = sys.{question}({})", flags.keywords(|_| true).join(", ")));
        }
    }
    Some(lines.join("\n"))
}

/// The flags of a command, in the order in which they were first given.
struct Flags<'a> {
    form: &'static Form,
    model: Option<&'a str>,
    list: Vec<(&'static Field, Vec<&'a str>)>,
}

impl<'a> Flags<'a> {
    fn read(form: &'static Form, words: &'a [String]) -> Flags<'a> {
        let mut flags = Flags { form, model: None, list: Vec::new() };
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let Some(flag) = word.strip_prefix("--") else {
                flags.model = flags.model.or(Some(word));
                continue;
            };
            let (name, joined) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
            // What all commands have, such as --portable, has no value.
            let Some(field) = form.flag(&name.replace('-', "_")) else { continue };
            let value = match field.kind {
                Kind::Switch => "",
                _ => joined.or_else(|| words.next()).unwrap_or_default(),
            };
            match flags.list.iter_mut().find(|(known, _)| known.name == field.name) {
                Some((_, values)) => values.push(value),
                None => flags.list.push((field, vec![value])),
            }
        }
        flags
    }

    /// All values of a flag.
    fn all(&self, name: &str) -> &[&'a str] {
        self.list.iter().find(|(field, _)| field.name == name).map_or(&[], |(_, values)| values)
    }

    fn one(&self, name: &str) -> Option<&'a str> {
        self.all(name).first().copied()
    }

    /// A call of a method with all NAME=VALUE of a flag; nothing without them.
    fn changed(&self, name: &str, method: &str) -> String {
        let pairs = self.all(name).iter().filter_map(|pair| pair.split_once('='));
        let list: Vec<String> = pairs.map(|(name, formula)| format!("{}={}", name.trim(), value(formula))).collect();
        if list.is_empty() { String::new() } else { format!(".{method}({})", list.join(", ")) }
    }

    /// The arguments by keywords, of the fields that are wanted. Where answers are stored is not the question.
    fn keywords(&self, wanted: impl Fn(&Field) -> bool) -> Vec<String> {
        let stored = |field: &Field| field.requires.iter().any(|other| self.form.flag(other).is_some_and(is_output));
        let asked = self.list.iter().filter(|(field, _)| field.keyword && !stored(field) && wanted(field));
        asked.map(|(field, values)| argument(field, values)).collect()
    }

    /// Those of the request of a question.
    fn of(&self, question: &str) -> Vec<String> {
        self.keywords(|field| self.form.is_of(field, question))
    }
}

fn is_output(field: &Field) -> bool {
    field.goes == Goes::Output
}

fn continuation(flags: &Flags) -> Option<Vec<String>> {
    let (origin, question) = match flags.one("equilibrium") {
        Some(_) => ("equilibrium", "continue_equilibrium"),
        None => ("orbit", "continue"),
    };
    let from = flags.one("from").filter(|_| origin == "orbit").map(|file| format!("guess={}", text(file)));
    let search: Vec<String> = from.into_iter().chain(flags.of(origin)).collect();
    let ends: Vec<&str> = flags.one("range")?.split(':').collect();
    let mut given = vec![text(flags.one("along")?)];
    given.extend(ends.iter().take(2).map(|end| value(end)));
    given.extend(ends.get(2).map(|points| format!("at_least={}", value(points))));
    // The branch has the accuracy of its search.
    given.extend(flags.keywords(|field| {
        let own = flags.form.is_of(field, question) && !flags.form.is_of(field, origin);
        own && !["along", "range"].contains(&field.name)
    }));
    Some(vec![
        format!("first = sys.{origin}({})", search.join(", ")),
        format!("branch = first.continue_({})", given.join(", ")),
    ])
}

fn curve(flags: &Flags) -> Option<Vec<String>> {
    flags.one("along")?;
    let mut given = vec![value(flags.one("at").unwrap_or("0"))];
    given.extend(flags.keywords(|field| field.name != "at"));
    let from = flags.one("from").unwrap_or("branch.json").replace(char::is_control, " ");
    Some(vec![
        format!("branch = ...  # the branch that is stored in {from}"),
        format!("curve = branch.curve({})", given.join(", ")),
    ])
}

/// An argument by its keyword, from all values of its flag.
fn argument(field: &Field, values: &[&str]) -> String {
    let name = field.name;
    let given = values.first().copied().unwrap_or_default();
    let quoted = || given.split(',').map(|name| text(name.trim())).collect::<Vec<_>>().join(", ");
    let pairs = || values.iter().filter_map(|pair| pair.split_once('='));
    let listed = |one: &dyn Fn((&str, &str)) -> String| pairs().map(one).collect::<Vec<_>>().join(", ");
    match field.kind {
        Kind::Switch => format!("{name}=True"),
        Kind::Names { .. } => format!("{name}=[{}]", quoted()),
        Kind::Positions if values.len() > 1 => {
            format!("{name}=[{}]", values.iter().map(|place| value(place)).collect::<Vec<_>>().join(", "))
        }
        Kind::Pair { .. } => format!("{name}=({})", quoted()),
        Kind::Range { count } => {
            let parts: Vec<&str> = given.split(':').collect();
            let points = count.zip(parts.get(2)).map(|(count, points)| format!(", {count}={}", value(points)));
            format!("{name}=({}){}", range(&parts[..parts.len().min(2)].join(":")), points.unwrap_or_default())
        }
        Kind::Axis { of: Of::Either } => {
            format!("{name}=[{}]", listed(&|(name, ends)| format!("({}, {})", text(name), range(ends))))
        }
        Kind::Ends { of: Of::Either } => {
            format!("{name}={}", listed(&|(name, ends)| format!("({}, {})", text(name), range(ends))))
        }
        Kind::Axis { .. } => format!("{name}={{{}}}", listed(&axis)),
        Kind::Ends { .. } => {
            format!("{name}={{{}}}", listed(&|(name, ends)| format!("{}: ({})", text(name), range(ends))))
        }
        _ => format!("{name}={}", value(given)),
    }
}

/// `LO:HI` as two arguments.
fn range(text: &str) -> String {
    text.split(':').map(value).collect::<Vec<_>>().join(", ")
}

/// A number, or a text.
fn value(word: &str) -> String {
    match word.trim() {
        word if word.parse::<f64>().is_ok_and(f64::is_finite) => word.to_string(),
        word => text(word),
    }
}

/// A text of Python.
fn text(word: &str) -> String {
    let mut quoted = String::from("\"");
    for c in word.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// An axis: `"A": (0.3, 0.4, 200)`, or a list.
fn axis((name, values): (&str, &str)) -> String {
    let (parts, [open, close]) = match values.contains(':') {
        true => (values.split(':').map(value).collect::<Vec<_>>(), ["(", ")"]),
        false => (values.split(',').map(value).collect::<Vec<_>>(), ["[", "]"]),
    };
    format!("{}: {open}{}{close}", text(name), parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(command: &str) -> String {
        let words: Vec<String> = command.split(' ').map(str::to_string).collect();
        python(&words, true).unwrap().lines().skip(2).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn flags_are_keywords_of_their_kind_and_output_is_left_out() {
        for (command, expected) in [
            (
                "simulate m --portable --set A=0.1 --until 20*pi --max-step=0.5 --show x,energy --plot a.svg --quiet",
                "sys = st.gallery(\"m\").with_(A=0.1); run = sys.simulate(until=\"20*pi\", max_step=0.5, show=[\"x\", \"energy\"])",
            ),
            ("check m --policy impact --json --tol 1e-9", "sys = st.gallery(\"m\"); check = sys.check(tol=1e-9)"),
            (
                "sweep m --along A=0:1:5 --along r=1,2 --out d --resume --part 1/2 --exponents all",
                "sys = st.gallery(\"m\"); sweep = sys.sweep(along={\"A\": (0, 1, 5), \"r\": [1, 2]}, exponents=\"all\")",
            ),
            (
                "basin m --random x=-1:1 --random y=0:2 --seed 3 --along A=0:1:3",
                "sys = st.gallery(\"m\"); basin = sys.basin(random={\"x\": (-1, 1), \"y\": (0, 2)}, seed=3, along={\"A\": (0, 1, 3)})",
            ),
            (
                "contact m --map a=0:1:5 --map b=0:2:6 --critical a=0:1",
                "sys = st.gallery(\"m\"); contact = sys.contact(map=[(\"a\", 0, 1, 5), (\"b\", 0, 2, 6)], critical=(\"a\", 0, 1))",
            ),
            (
                "modes m --periods 0:40 --family --coordinates a,b,c --plot m.png",
                "sys = st.gallery(\"m\"); modes = sys.modes(periods=(0, 40), family=True)",
            ),
        ] {
            assert_eq!(last(command), expected, "{command}");
        }
    }

    #[test]
    fn what_a_branch_begins_at_has_its_own_fields() {
        for (command, expected) in [
            (
                "continue m --settle 40 --tol 1e-9 --flow taylor --along A --range 0:1:9 --switch --step 0.1 --out d",
                "first = sys.orbit(settle=40, tol=1e-9, flow=\"taylor\"); branch = first.continue_(\"A\", 0, 1, at_least=9, switch=True, step=0.1)",
            ),
            (
                "continue m --equilibrium --mode flight --flow exact --tol 1e-9 --along q --range 1:2 --at 1",
                "first = sys.equilibrium(mode=\"flight\", tol=1e-9); branch = first.continue_(\"q\", 1, 2, flow=\"exact\", at=1)",
            ),
            (
                "curve m --from b.json --at 1:0 --along A,r --range 0:1:9 --range1 2:3",
                "branch = ...  # the branch that is stored in b.json; curve = branch.curve(\"1:0\", along=(\"A\", \"r\"), range=(0, 1), at_least=9, range1=(2, 3))",
            ),
        ] {
            assert_eq!(last(command), format!("sys = st.gallery(\"m\"); {expected}"), "{command}");
        }
    }
}
