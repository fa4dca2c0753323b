//! The document: a heading, how the computation ended, figures, results, tables, parameters, the model, and how to repeat the run.

use crate::export::python::python;
use crate::export::words::command;
use crate::report_page::Page;
use crate::report_page::figures::Drawing;
use crate::report_page::html::{base64, block, escape, identifier};
use crate::report_page::kind::Kind;
use crate::report_page::repeat;
use crate::report_page::sheet::{DIGITS, Sheet};
use crate::report_page::source::{Source, number};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// The rows that stand in the document itself, for readers without scripts.
const FIRST_ROWS: usize = 25;
/// Figures with more text than this are embedded as pixels.
const LARGEST_SVG: usize = 3 << 20;
/// The most text of a model that is shown.
const LONGEST_MODEL: usize = 200_000;

/// What the page shows besides the description.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    pub drawings: Vec<Drawing>,
    pub facts: Vec<(String, String)>,
    pub sheets: Vec<Sheet>,
    pub warnings: Vec<String>,
    pub notes: Vec<String>,
    /// The tasks that are done, and all of them.
    pub done: Option<(u64, u64)>,
}

/// How a computation ended.
struct Ending {
    complete: bool,
    word: String,
    sentence: String,
}

fn ending(source: &Source, done: Option<(u64, u64)>) -> Ending {
    let sentence = |text: &str| {
        let mut letters = text.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        format!("{first}{}.", letters.as_str())
    };
    if source.is_unfinished() {
        let text = "the run had not ended when its description was written: it is still computed, or it was killed; \
                    the tables hold what was done until then, and the same command computes it again";
        return Ending { complete: false, word: "unfinished".to_string(), sentence: sentence(text) };
    }
    if let Some((done, asked)) = done.filter(|(done, asked)| done < asked) {
        let text = format!("{done} of {asked} tasks are done; the same command with --resume finishes them");
        return Ending { complete: false, word: "unfinished".to_string(), sentence: sentence(&text) };
    }
    let text = |key: &str| source.entry(key).and_then(Value::as_str).unwrap_or_default();
    let word = match (text("ended"), text("status")) {
        ("", "") => "complete",
        ("", status) => status,
        (ended, _) => ended,
    };
    let complete = source.kind.is_complete(word, &source.answer);
    let word = word.replace('_', " ");
    let said = match (text("message"), complete) {
        ("", true) if source.kind == Kind::Contact => format!("the contact problem is solved; its answer is {word}"),
        ("", true) => "the computation is complete".to_string(),
        ("", false) => format!("the computation ended early: {word}"),
        (message, _) => message.to_string(),
    };
    Ending { complete, word: if complete { "complete".to_string() } else { word }, sentence: sentence(&said) }
}

/// Text that is written piece by piece; writing to memory cannot fail.
struct Text(String);

impl Text {
    fn put(&mut self, text: impl AsRef<str>) {
        self.0.push_str(text.as_ref());
        self.0.push('\n');
    }
}

/// The page.
pub(crate) fn page(source: &Source, contents: Contents) -> Page {
    let ending = ending(source, contents.done);
    let model = source.model();
    let name = model["name"].as_str().unwrap_or("model");
    let title = match &source.system {
        Ok(system) => system.model().title.clone().unwrap_or_else(|| name.to_string()),
        Err(_) => name.to_string(),
    };
    let kind = source.kind.title();
    let mut body = Text(String::new());
    heading(&mut body, source, &title, name, &ending);
    navigation(&mut body, &contents);
    body.put("<main id=\"main\">");
    notices(&mut body, &contents, &ending);
    figures(&mut body, &contents.drawings, &title);
    results(&mut body, &contents.facts, source);
    tables(&mut body, &contents.sheets);
    parameters(&mut body, source);
    model_text(&mut body, source);
    repetition(&mut body, source);
    origin(&mut body, source);
    body.put("</main>");
    body.put(
        "<footer><p>Made by <code>saltation report</code>. The page is one file and needs no network.</p></footer>",
    );
    let hash = base64(&Sha256::digest(SCRIPT.as_bytes()));
    let policy =
        format!("default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src 'sha256-{hash}'");
    let html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"generator\" content=\"saltation {}\">\n<title>{}: {}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n{}<script>{SCRIPT}</script>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        escape(kind),
        escape(&title),
        body.0,
    );
    let mut notes = contents.notes;
    if !ending.complete {
        notes.insert(0, format!("the run is not complete: {}", ending.sentence));
    }
    Page {
        html,
        kind: source.kind,
        figures: contents.drawings.len(),
        tables: contents.sheets.len(),
        complete: ending.complete,
        notes,
    }
}

fn heading(body: &mut Text, source: &Source, title: &str, name: &str, ending: &Ending) {
    let class = if ending.complete { "good" } else { "short" };
    body.put("<a class=\"skip\" href=\"#main\">Skip to the contents</a>");
    body.put(format!(
        "<header>\n<p class=\"kind\">{}</p>\n<h1>{}</h1>\n<p class=\"sub\"><code>{}</code> <span class=\"badge {class}\">{}</span></p>",
        escape(source.kind.title()),
        escape(title),
        escape(name),
        escape(&ending.word)
    ));
    let about = source.system.as_ref().ok().and_then(|system| system.model().about.clone());
    if let Some(about) = about {
        body.put(format!("<p class=\"about\">{}</p>", escape(&about)));
    }
    body.put("</header>");
}

fn navigation(body: &mut Text, contents: &Contents) {
    let places = [
        ("figures", "Figures", !contents.drawings.is_empty()),
        ("results", "Results", true),
        ("tables", "Tables", !contents.sheets.is_empty()),
        ("parameters", "Parameters", true),
        ("model", "Model", true),
        ("repeat", "Repeat", true),
        ("origin", "Origin", true),
    ];
    let links = places.iter().filter(|(.., there)| *there);
    let links: Vec<String> = links.map(|(id, label, _)| format!("<li><a href=\"#{id}\">{label}</a></li>")).collect();
    body.put(format!("<nav aria-label=\"Sections\"><ul>{}</ul></nav>", links.concat()));
}

/// How it ended, and what readers must know.
fn notices(body: &mut Text, contents: &Contents, ending: &Ending) {
    let class = if ending.complete { "good" } else { "short" };
    body.put(format!("<p class=\"notice {class}\"><strong>How it ended.</strong> {}</p>", escape(&ending.sentence)));
    let mut list = |label: &str, lines: &[String]| {
        for line in lines {
            body.put(format!("<p class=\"notice warn\"><strong>{label}.</strong> {}</p>", escape(line)));
        }
    };
    list("Warning", &contents.warnings);
    list("Note", &contents.notes);
}

fn figures(body: &mut Text, drawings: &[Drawing], title: &str) {
    if drawings.is_empty() {
        return;
    }
    body.put("<section id=\"figures\" aria-labelledby=\"figures-h\">\n<h2 id=\"figures-h\">Figures</h2>");
    for (k, drawing) in drawings.iter().enumerate() {
        let svg = drawing.figure.to_svg();
        let (kind, ending, data) = match svg.len() <= LARGEST_SVG {
            true => ("image/svg+xml", "svg", base64(svg.as_bytes())),
            // A figure too large for pixels does not exist: its size is fixed.
            false => ("image/png", "png", base64(&drawing.figure.to_png(2.0).unwrap_or_default())),
        };
        let (width, height) = (drawing.figure.width.round(), drawing.figure.height.round());
        let (number, about) = (k + 1, escape(&drawing.about));
        body.put(format!(
            "<figure>\n<div class=\"frame\" tabindex=\"0\" role=\"region\" aria-label=\"Figure {number}, scrolls\">\
             <img src=\"data:{kind};base64,{data}\" width=\"{width}\" height=\"{height}\" alt=\"{about}: {}\"></div>\n\
             <figcaption><strong>Figure {number}.</strong> {about}. <span class=\"from\">{}.</span> \
             <button type=\"button\" class=\"save\" data-name=\"figure-{number}.{ending}\">Save as {}</button></figcaption>\n</figure>",
            escape(title),
            escape(&capital(&drawing.from)),
            ending.to_uppercase(),
        ));
    }
    body.put("</section>");
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// Numbers and words of the answer.
fn results(body: &mut Text, facts: &[(String, String)], source: &Source) {
    body.put("<section id=\"results\" aria-labelledby=\"results-h\">\n<h2 id=\"results-h\">Results</h2>");
    if facts.is_empty() {
        body.put("<p>There are no results besides the tables.</p>");
    } else {
        body.put("<dl>");
        for (label, value) in facts {
            body.put(format!("<div><dt>{}</dt><dd>{}</dd></div>", escape(&capital(label)), escape(value)));
        }
        body.put("</dl>");
    }
    states(body, source);
    body.put("</section>");
}

/// The states: at the start, and at the end or on the orbit.
fn states(body: &mut Text, source: &Source) {
    let start = source.numbers("start");
    let end = source.run["end"]["state"].as_object().or(source.answer["end"]["state"].as_object());
    let (label, other) = match (end, source.answer["state"].as_object()) {
        (Some(end), _) => ("At the end", Some(end)),
        (None, Some(state)) if source.kind == Kind::Orbit => ("On the section", Some(state)),
        (None, Some(state)) => ("State", Some(state)),
        (None, None) => ("", None),
    };
    let mut names: Vec<String> = start.iter().map(|(name, _)| name.clone()).collect();
    let others = other.into_iter().flat_map(|object| object.keys());
    let new: Vec<String> = others.filter(|name| !names.contains(name)).cloned().collect();
    names.extend(new);
    if names.is_empty() {
        return;
    }
    let unit = |name: &str| {
        let model = source.system.as_ref().ok()?.model();
        model.states[model.state(name)?].unit.clone()
    };
    let of_start = |name: &str| start.iter().find(|(known, _)| known == name).map(|(_, value)| number(*value));
    let of_other = |name: &str| other.and_then(|object| object.get(name)?.as_f64()).map(number);
    let columns = [
        ("Unit", names.iter().any(|name| unit(name).is_some())),
        ("At the start", !start.is_empty()),
        (label, other.is_some()),
    ];
    let rows = names.iter().map(|name| {
        let cells = [
            (unit(name), "", columns[0].1),
            (of_start(name), " class=\"n\"", columns[1].1),
            (of_other(name), " class=\"n\"", columns[2].1),
        ];
        let cells = cells.into_iter().filter(|(.., shown)| *shown);
        let cells: String =
            cells.map(|(text, class, _)| format!("<td{class}>{}</td>", escape(&text.unwrap_or_default()))).collect();
        format!("<tr><th scope=\"row\"><code>{}</code></th>{cells}</tr>", escape(name))
    });
    let numeric = |label: &str| if label == "Unit" { "" } else { " class=\"n\"" };
    let head: String = columns
        .iter()
        .filter(|(_, shown)| *shown)
        .map(|(label, _)| format!("<th scope=\"col\"{}>{label}</th>", numeric(label)))
        .collect();
    small_table(body, "States", &format!("<th scope=\"col\">State</th>{head}"), rows);
}

/// A table without controls.
fn small_table(body: &mut Text, caption: &str, head: &str, rows: impl Iterator<Item = String>) {
    body.put(format!(
        "<div class=\"frame small\" tabindex=\"0\" role=\"region\" aria-label=\"{0}, scrolls\">\n<table>\n<caption>{0}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>",
        escape(caption)
    ));
    rows.for_each(|row| body.put(row));
    body.put("</tbody>\n</table>\n</div>");
}

fn tables(body: &mut Text, sheets: &[Sheet]) {
    if sheets.is_empty() {
        return;
    }
    body.put("<section id=\"tables\" aria-labelledby=\"tables-h\">\n<h2 id=\"tables-h\">Tables</h2>");
    body.put(format!(
        "<p class=\"scripted\">Select the name of a column to sort by it. A filter is a word, or conditions such as <code>time &gt; 2, kind = impact</code>. \
         Numbers are shown to {DIGITS} digits; the files have all.</p>"
    ));
    for (k, sheet) in sheets.iter().enumerate() {
        table(body, k, sheet);
    }
    body.put("</section>");
}

/// A table with its first rows in the document, and all that fit as data for the script.
fn table(body: &mut Text, k: usize, sheet: &Sheet) {
    let id = format!("t{k}-{}", identifier(&sheet.name));
    let shown = sheet.rows.len();
    let size = match (sheet.cut, sheet.total) {
        (false, _) => format!("{} from {}", rows(shown as u64), sheet.file),
        (true, Some(total)) => format!("the first {shown} of {total} rows; {} has all", sheet.file),
        (true, None) => format!("the first {shown} rows; {} has more", sheet.file),
    };
    body.put(format!("<div class=\"sheet\" id=\"{id}\">\n<h3>{}</h3>", escape(&sheet.about)));
    body.put(format!("<p class=\"size{}\">{}.</p>", if sheet.cut { " cut" } else { "" }, escape(&capital(&size))));
    let mut data = String::new();
    let head: Vec<Value> = (0..sheet.head.len()).map(|i| json!([sheet.head[i], sheet.is_numeric(i)])).collect();
    let _ = write!(data, "{{\"head\":{},\"rows\":{}}}", block(&json!(head)), block(&json!(sheet.rows)));
    body.put("<div class=\"controls\" hidden></div>");
    body.put(format!(
        "<div class=\"frame\" tabindex=\"0\" role=\"region\" aria-label=\"{0}, scrolls\">\n<table>\n<caption>{0}</caption>\n<thead><tr>",
        escape(&sheet.about)
    ));
    for (i, name) in sheet.head.iter().enumerate() {
        let class = if sheet.is_numeric(i) { " class=\"n\"" } else { "" };
        body.put(format!("<th scope=\"col\"{class}>{}</th>", escape(name)));
    }
    body.put("</tr></thead>\n<tbody>");
    for row in sheet.rows.iter().take(FIRST_ROWS) {
        let cells = row.iter().enumerate().map(|(i, cell)| {
            let class = if sheet.is_numeric(i) { " class=\"n\"" } else { "" };
            let text = match cell {
                Value::Null => String::new(),
                Value::String(text) => escape(text),
                other => escape(&other.to_string()),
            };
            format!("<td{class}>{text}</td>")
        });
        body.put(format!("<tr>{}</tr>", cells.collect::<String>()));
    }
    body.put("</tbody>\n</table>\n</div>");
    body.put(format!("<script type=\"application/json\">{data}</script>"));
    if shown > FIRST_ROWS {
        body.put(format!(
            "<noscript><p>These are the first {FIRST_ROWS} rows; the others need scripts.</p></noscript>"
        ));
    }
    body.put("</div>");
}

fn rows(count: u64) -> String {
    if count == 1 { "1 row".to_string() } else { format!("{count} rows") }
}

fn parameters(body: &mut Text, source: &Source) {
    body.put("<section id=\"parameters\" aria-labelledby=\"parameters-h\">\n<h2 id=\"parameters-h\">Parameters</h2>");
    let values = source.numbers("parameters");
    let system = source.system.as_ref().ok();
    let of_file: Vec<f64> = system
        .map(|system| system.model().numbers())
        .map_or(Vec::new(), |numbers| numbers.map(|numbers| numbers.parameters().to_vec()).unwrap_or_default());
    let known = |name: &str| {
        let model = system?.model();
        let index = model.parameter(name)?;
        Some((&model.parameters[index], of_file.get(index).copied()))
    };
    let any = |has: &dyn Fn(&str) -> bool| values.iter().any(|(name, _)| has(name));
    let symbol = |name: &str| known(name).and_then(|(parameter, _)| parameter.symbol_text.clone());
    let unit = |name: &str| known(name).and_then(|(parameter, _)| parameter.unit.clone());
    let about = |name: &str| known(name).and_then(|(parameter, _)| parameter.about.clone());
    let bounds = |name: &str| {
        let (parameter, _) = known(name)?;
        match (parameter.min, parameter.max) {
            (None, None) => None,
            (Some(min), None) => Some(format!("≥ {}", number(min))),
            (None, Some(max)) => Some(format!("≤ {}", number(max))),
            (Some(min), Some(max)) => Some(format!("{} to {}", number(min), number(max))),
        }
    };
    let changed = |name: &str, value: f64| {
        let (_, file) = known(name)?;
        file.filter(|file| *file != value).map(number)
    };
    let columns = [
        ("Symbol", any(&|name| symbol(name).is_some())),
        ("Value", true),
        ("In the model file", values.iter().any(|(name, value)| changed(name, *value).is_some())),
        ("Unit", any(&|name| unit(name).is_some())),
        ("Bounds", any(&|name| bounds(name).is_some())),
        ("What it is", any(&|name| about(name).is_some())),
    ];
    let is_number = |label: &str| ["Value", "In the model file"].contains(&label);
    let class = |label: &str| {
        if is_number(label) {
            " class=\"n\""
        } else if label == "What it is" {
            " class=\"words\""
        } else {
            ""
        }
    };
    let row = |(name, value): &(String, f64)| {
        let cells = [symbol(name), Some(number(*value)), changed(name, *value), unit(name), bounds(name), about(name)];
        let cells = columns.iter().zip(cells).filter(|((_, shown), _)| *shown);
        let cells: String = cells
            .map(|((label, _), text)| format!("<td{}>{}</td>", class(label), escape(&text.unwrap_or_default())))
            .collect();
        format!("<tr><th scope=\"row\"><code>{}</code></th>{cells}</tr>", escape(name))
    };
    if values.is_empty() {
        body.put("<p>The model has no parameters.</p>");
    } else {
        let head: String = columns
            .iter()
            .filter(|(_, shown)| *shown)
            .map(|(label, _)| format!("<th scope=\"col\"{}>{label}</th>", class(label)))
            .collect();
        small_table(
            body,
            "Parameters of the run",
            &format!("<th scope=\"col\">Name</th>{head}"),
            values.iter().map(row),
        );
    }
    body.put("</section>");
}

fn model_text(body: &mut Text, source: &Source) {
    body.put("<section id=\"model\" aria-labelledby=\"model-h\">\n<h2 id=\"model-h\">Model</h2>");
    let model = source.model();
    if let Some(from) = source.system.as_ref().ok().and_then(|system| system.model().source.clone()) {
        body.put(format!("<p>Source: {}</p>", escape(&from)));
    }
    let files: Vec<&str> = model["files"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !files.is_empty() {
        body.put(format!("<p>Matrix files beside the model, which are needed too: {}</p>", escape(&files.join(", "))));
    }
    let text = model["text"].as_str().unwrap_or("the description has no text of the model");
    let shown: String = text.chars().take(LONGEST_MODEL).collect();
    code(body, "The text of the model", &shown);
    if shown.len() < text.len() {
        body.put(format!("<p>The first {LONGEST_MODEL} characters; run.json has all.</p>"));
    }
    body.put("</section>");
}

/// A text in fixed width, which can be copied.
fn code(body: &mut Text, label: &str, text: &str) {
    body.put(format!(
        "<div class=\"code\"><button type=\"button\" class=\"copy\" hidden>Copy</button>\
         <pre tabindex=\"0\" role=\"region\" aria-label=\"{}\"><code>{}</code></pre></div>",
        escape(label),
        escape(text.trim_end())
    ));
}

fn repetition(body: &mut Text, source: &Source) {
    body.put("<section id=\"repeat\" aria-labelledby=\"repeat-h\">\n<h2 id=\"repeat-h\">How to repeat it</h2>");
    match repeat::words(source) {
        Some(words) => {
            if matches!(source.kind, Kind::Sweep | Kind::Basin) {
                let own = "The folder stores the request and not the words of the command; this command asks the same.";
                let model = match repeat::is_of_gallery(source) {
                    true => "",
                    false => " The text of the model above is to be saved under the name that it has here.",
                };
                body.put(format!("<p>{own}{model}</p>"));
            }
            body.put("<h3>Command line</h3>");
            code(body, "The command", &command(&words));
            if let Some(python) = python(&words, repeat::is_of_gallery(source)) {
                body.put("<h3>Python</h3>");
                code(body, "The same question in Python", &python);
            }
        }
        None => body.put(
            "<p>A program asked for this run, and no command is stored. Its model, parameters, start and tolerances are on this page and, with all \
             digits, in run.json.</p>",
        ),
    }
    body.put("</section>");
}

/// The version, the fingerprint, and the files.
fn origin(body: &mut Text, source: &Source) {
    body.put("<section id=\"origin\" aria-labelledby=\"origin-h\">\n<h2 id=\"origin-h\">Origin</h2>\n<dl>");
    let model = source.model();
    let mut put = |label: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            body.put(format!("<div><dt>{label}</dt><dd>{}</dd></div>", escape(&value)));
        }
    };
    let word = |value: &Value| value.as_str().map(str::to_string);
    put("Saltation", word(&source.run["version"]).map(|version| format!("version {version}")));
    put("Model file", word(&model["file"]));
    put("Fingerprint of the model", word(&model["fingerprint"]));
    let tolerances = source.run["tolerances"]["step"].as_f64().or(source.run["request"]["tol"].as_f64());
    put("Tolerance of a step", tolerances.map(|tol| format!("{tol:e}")));
    put("Seed", source.run["seed"].as_u64().map(|seed| seed.to_string()));
    put("Part", word(&source.run["part"]));
    put(
        "Wall time",
        source.run["wall_time"].as_f64().map(|seconds| format!("{} s", crate::text::number::short(seconds, 3))),
    );
    let stored = source.run["store"]["tables"].as_array();
    let tables = stored.into_iter().flatten().filter_map(|table| table["name"].as_str());
    let format = source.run["store"]["format"].as_str().unwrap_or_default();
    let mut files: Vec<String> = tables.map(|name| format!("{name}/*.{format}")).collect();
    files.extend(source.files().into_iter().map(str::to_string));
    if !files.iter().any(|file| file == "run.json") {
        files.push("run.json".to_string());
    }
    put("Files of the folder", Some(files.join(", ")));
    body.put("</dl>\n</section>");
}
