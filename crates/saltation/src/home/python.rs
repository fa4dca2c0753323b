//! The question of a command in Python: its words, translated to methods and arguments.

/// Flags about output, which a program in Python does not have.
const OUTPUT: [&str; 12] = [
    "out",
    "plot",
    "json",
    "quiet",
    "threads",
    "ordinate",
    "overlay",
    "plane",
    "sketch",
    "sketch-times",
    "resume",
    "format",
];
/// Flags without a value.
const SWITCHES: [&str; 7] = ["switch", "family", "stability", "equilibrium", "json", "quiet", "resume"];
/// Flags of the method of a motion, and of the search for an orbit.
const METHOD: [&str; 3] = ["tol", "flow", "policy"];
const SEARCH: [&str; 4] = ["settle", "period", "section", "guess"];
/// Flags of a branch.
const BRANCH: [&str; 4] = ["switch", "points", "step", "method"];

/// The lines; none where the command cannot be read. `of_gallery` says that the model is that of the gallery of its name.
pub(crate) fn python(words: &[String], of_gallery: bool) -> Option<String> {
    let (question, words) = words.split_first()?;
    let flags = Flags::read(words);
    let model = flags.model.as_deref()?;
    let begun = match of_gallery && !model.contains(['/', '\\', '.']) {
        true => format!("sys = st.gallery({})", text(model)),
        false => format!("sys = st.read({})", text(model)),
    };
    let begun = begun + &flags.changed("set", "with_") + &flags.changed("start", "start");
    let mut lines = vec!["import saltation as st".to_string(), String::new(), begun];
    lines.extend(match question.as_str() {
        "continue" => continuation(&flags)?,
        "curve" => curve(&flags)?,
        "sweep" | "basin" | "contact" => many(question, &flags),
        "modes" => {
            let periods = flags.one("periods").map(|ends| format!("periods=({})", range(ends)));
            let given: Vec<String> = periods.into_iter().chain(flags.fields(&["periods"])).collect();
            vec![format!("modes = sys.modes({})", given.join(", "))]
        }
        "simulate" => vec![format!("run = sys.simulate({})", flags.fields(&[]).join(", "))],
        "orbit" | "equilibrium" | "lyapunov" | "check" => {
            vec![format!("{question} = sys.{question}({})", flags.fields(&[]).join(", "))]
        }
        _ => return None,
    });
    Some(lines.join("\n"))
}

/// The flags of a command.
struct Flags {
    model: Option<String>,
    list: Vec<(String, String)>,
}

impl Flags {
    fn read(words: &[String]) -> Flags {
        let (mut model, mut list) = (None, Vec::new());
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.strip_prefix("--") {
                None => model = model.or(Some(word.clone())),
                Some(flag) => match flag.split_once('=') {
                    Some((name, value)) => list.push((name.to_string(), value.to_string())),
                    None if SWITCHES.contains(&flag) => list.push((flag.to_string(), "True".to_string())),
                    None => list.push((flag.to_string(), words.next().cloned().unwrap_or_default())),
                },
            }
        }
        Flags { model, list }
    }

    /// All values of a flag.
    fn all(&self, name: &str) -> Vec<&str> {
        self.list.iter().filter(|(flag, _)| flag == name).map(|(_, value)| value.as_str()).collect()
    }

    fn one(&self, name: &str) -> Option<&str> {
        self.all(name).first().copied()
    }

    /// The pairs NAME=VALUE of a flag.
    fn pairs(&self, name: &str) -> Vec<(&str, &str)> {
        self.all(name).into_iter().filter_map(|pair| pair.split_once('=')).collect()
    }

    /// A call of a method with all NAME=VALUE of a flag; nothing without them.
    fn changed(&self, name: &str, method: &str) -> String {
        let pairs = self.pairs(name);
        let list: Vec<String> =
            pairs.iter().map(|(name, formula)| format!("{}={}", name.trim(), value(formula))).collect();
        if list.is_empty() { String::new() } else { format!(".{method}({})", list.join(", ")) }
    }

    /// All arguments but some.
    fn fields(&self, without: &[&str]) -> Vec<String> {
        let own = self.list.iter().filter(|(name, _)| {
            let name = name.as_str();
            !OUTPUT.contains(&name) && !["set", "start"].contains(&name) && !without.contains(&name)
        });
        own.map(|(name, value)| field(name, value)).collect()
    }

    /// Some arguments.
    fn only(&self, names: &[&str]) -> Vec<String> {
        let own = self.list.iter().filter(|(name, _)| names.contains(&name.as_str()));
        own.map(|(name, value)| field(name, value)).collect()
    }
}

fn continuation(flags: &Flags) -> Option<Vec<String>> {
    let first = match flags.one("equilibrium") {
        Some(_) => format!("first = sys.equilibrium({})", flags.only(&[&["mode"][..], &METHOD].concat()).join(", ")),
        None => {
            let from = flags.one("from").map(|file| format!("guess={}", text(file)));
            let given = from.into_iter().chain(flags.only(&[&SEARCH[..], &METHOD].concat()));
            format!("first = sys.orbit({})", given.collect::<Vec<_>>().join(", "))
        }
    };
    let ends: Vec<&str> = flags.one("range")?.split(':').collect();
    let mut given = vec![text(flags.one("along")?)];
    given.extend(ends.iter().take(2).map(|end| value(end)));
    given.extend(ends.get(2).map(|points| format!("at_least={}", value(points))));
    given.extend(flags.only(&BRANCH));
    Some(vec![first, format!("branch = first.continue_({})", given.join(", "))])
}

fn curve(flags: &Flags) -> Option<Vec<String>> {
    let names: Vec<String> = flags.one("along")?.split(',').map(|name| text(name.trim())).collect();
    let mut given = vec![value(flags.one("at").unwrap_or("0")), format!("along=({})", names.join(", "))];
    given.extend(flags.one("range").map(|ends| format!("range=({})", range(ends))));
    given.extend(flags.only(&["tol", "flow", "points", "step"]));
    let from = flags.one("from").unwrap_or("branch.json").replace(char::is_control, " ");
    Some(vec![
        format!("branch = ...  # the branch that is stored in {from}"),
        format!("curve = branch.curve({})", given.join(", ")),
    ])
}

fn many(question: &str, flags: &Flags) -> Vec<String> {
    let dict = |name: &&str| {
        let list: Vec<String> = flags.pairs(name).into_iter().map(axis).collect();
        (!list.is_empty()).then(|| format!("{name}={{{}}}", list.join(", ")))
    };
    let mut given: Vec<String> = ["along", "grid", "random"].iter().filter_map(dict).collect();
    let map = flags.pairs("map");
    if !map.is_empty() {
        let list: Vec<String> = map.iter().map(|(name, ends)| format!("({}, {})", text(name), range(ends))).collect();
        given.push(format!("map=[{}]", list.join(", ")));
    }
    given.extend(flags.fields(&["along", "grid", "random", "map"]));
    vec![format!("{question} = sys.{question}({})", given.join(", "))]
}

/// `LO:HI` as two arguments.
fn range(text: &str) -> String {
    text.split(':').map(value).collect::<Vec<_>>().join(", ")
}

/// A number, or a text.
fn value(word: &str) -> String {
    match word.trim() {
        word if word.parse::<f64>().is_ok_and(f64::is_finite) => word.to_string(),
        "True" => "True".to_string(),
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

/// An argument by the name of a flag.
fn field(name: &str, given: &str) -> String {
    let name = name.replace('-', "_");
    match name.as_str() {
        "show" | "extremes" => {
            let names: Vec<String> = given.split(',').map(|name| text(name.trim())).collect();
            format!("{name}=[{}]", names.join(", "))
        }
        _ => format!("{name}={}", value(given)),
    }
}

/// An axis: `"A": (0.3, 0.4, 200)`, or a list.
fn axis((name, values): (&str, &str)) -> String {
    let (parts, [open, close]) = match values.contains(':') {
        true => (values.split(':').map(value).collect::<Vec<_>>(), ["(", ")"]),
        false => (values.split(',').map(value).collect::<Vec<_>>(), ["[", "]"]),
    };
    format!("{}: {open}{}{close}", text(name), parts.join(", "))
}
