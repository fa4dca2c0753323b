//! `saltation reproduce`: the figures of published papers, each by its command, with the digits that agree.

use crate::arguments::{argument, positional};
use crate::given::Given;
use crate::outcome::{Outcome, Trouble, print};
use crate::papers::figure::{Reproduced, reproduce};
use crate::papers::paper::{Paper, Sheet};
use crate::papers::{report, texts};
use crate::progress::{Progress, is_stopped};
use clap::Command;
use saltation::columns::{Row, Side, lines};
use saltation::field::{Field, Kind};
use saltation::{Mistake, cut, replace_all, unwritable};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What its help says.
pub(crate) fn describe(command: Command) -> Command {
    command
        .about("Reproduce the figures and tables of published papers, each by its command, with the digits that agree")
        .after_help(
            "\
A paper is a data file: its figures, the commands that draw them, and the numbers that must come out. The
page reproduce.md of the manual describes it; `saltation reproduce mine.toml` runs one of your own.
Models, pictures, answers (JSON) and the table of numbers are written to a folder for each paper, in which
the commands can be typed again. The exit code is 1 if a number disagrees.

Examples:
  saltation reproduce
  saltation reproduce nordmark-1991
  saltation reproduce nordmark-1991 square-root --out /tmp/nordmark",
        )
        .args([positional(&PAPER), positional(&FIGURE)])
        .args(FLAGS.iter().map(argument))
}

const PAPER: Field =
    Field::new("paper", Kind::Text, "PAPER", "The paper, by its name or as a file; `all` are all of them")
        .otherwise("the list of them");
const FIGURE: Field = Field::new("figure", Kind::Text, "FIGURE", "One of its figures or tables").otherwise("all");
const FLAGS: [Field; 3] = [
    Field::new("out", Kind::Folder, "DIR", "The folder, with one for each paper in it").otherwise("reproduced"),
    Field::switch("json", "Print one JSON object and nothing else"),
    Field::switch("quiet", "No report and no progress"),
];

/// Runs the command.
pub(crate) fn run(given: Given) -> Outcome {
    let Some(name) = given.text("paper") else { return list(given.is("json")) };
    let out = given.file("out").unwrap_or(Path::new("reproduced"));
    if name != "all" {
        let (name, text) = find(name)?;
        let paper = Paper::read(&text, &format!("{name}.toml"))?;
        let sheets = match given.text("figure") {
            Some(figure) => vec![chosen(&name, &paper, figure)?],
            None => paper.figures.iter().collect(),
        };
        return one(given, &name, &paper, &sheets, out).and_then(|(value, disagree)| {
            said(given, &value)?;
            ended(disagree)
        });
    }
    let (mut all, mut disagree) = (Vec::new(), Vec::new());
    for name in texts::NAMES {
        let paper = Paper::read(texts::find(name).unwrap_or_default(), &format!("{name}.toml"))?;
        let sheets: Vec<&Sheet> = paper.figures.iter().collect();
        let (value, wrong) = one(given, name, &paper, &sheets, out)?;
        all.push(value);
        disagree.extend(wrong);
    }
    said(given, &json!({ "papers": all }))?;
    ended(disagree)
}

fn said(given: Given, value: &Value) -> Outcome {
    if given.is("json") { print(|output| writeln!(output, "{value}")) } else { Ok(()) }
}

fn ended(disagree: Vec<String>) -> Outcome {
    if disagree.is_empty() { Ok(()) } else { Err(Trouble::Short(disagree.join("\n  "))) }
}

/// The name and the text of a paper, from the program or from a file.
fn find(name: &str) -> Result<(String, String), Trouble> {
    if let Some(text) = texts::find(name) {
        return Ok((name.to_string(), text.to_string()));
    }
    let path = Path::new(name);
    if path.extension().is_some_and(|ending| ending == "toml") {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("paper").to_string();
        let text = std::fs::read_to_string(path);
        let unread =
            |error| Trouble::input(Mistake::general(format!("the file `{}` cannot be read: {error}", cut(name))), name);
        return text.map(|text| (stem, text)).map_err(unread);
    }
    Err(unknown(&format!("there is no paper `{}`", cut(name)), name, &texts::NAMES))
}

/// A figure of a paper by its name.
fn chosen<'a>(name: &str, paper: &'a Paper, figure: &str) -> Result<&'a Sheet, Trouble> {
    let names: Vec<&str> = paper.figures.iter().map(|figure| figure.name.as_str()).collect();
    let found = paper.figures.iter().find(|sheet| sheet.name == figure);
    found.ok_or_else(|| unknown(&format!("`{name}` has no figure `{}`", cut(figure)), figure, &names))
}

fn unknown(message: &str, typed: &str, names: &[&str]) -> Trouble {
    let near = texts::near(typed, names);
    let quoted: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    let help = match near.len() == names.len() && near.len() > 1 {
        true => format!("there are {}", quoted.join(", ")),
        false => format!("did you mean {}?", quoted.join(" or ")),
    };
    Trouble::input(Mistake::general(message.to_string()).help(help), typed)
}

/// Reproduces figures of a paper: prints each as it is done, and returns all as JSON with the numbers that disagree.
fn one(
    given: Given,
    name: &str,
    paper: &Paper,
    sheets: &[&Sheet],
    out: &Path,
) -> Result<(Value, Vec<String>), Trouble> {
    let folder: PathBuf = out.join(name);
    let models: Vec<(String, String)> = paper.models.clone().into_iter().collect();
    let written = std::fs::create_dir_all(&folder).and_then(|()| replace_all(&folder, &models));
    written.map_err(|error| unwritable(&folder, &error))?;
    let reports = !given.is("json") && !given.is("quiet");
    let show = |lines: &[String]| match reports {
        true => print(|output| lines.iter().try_for_each(|line| writeln!(output, "{line}"))),
        false => Ok(()),
    };
    show(&report::head(name, paper))?;
    let mut done: Vec<Reproduced> = Vec::new();
    let mut lines = report::head(name, paper);
    let mut interrupted = false;
    // Signals interrupt from here on, also between two commands.
    drop(Progress::begin(true));
    for sheet in sheets {
        let begin = report::begin(sheet);
        show(&begin)?;
        let found = if is_stopped() { None } else { reproduce(paper, sheet, &folder, given.is("quiet"))? };
        let Some(found) = found else {
            interrupted = true;
            break;
        };
        let end = report::end(&found);
        show(&end)?;
        lines.extend(begin.into_iter().chain(end));
        done.push(found);
    }
    let sum = report::sum(&done);
    let value = report::json(name, paper, &done);
    lines.extend([String::new(), sum.clone()]);
    let files = [("numbers.txt", lines.join("\n") + "\n"), ("numbers.json", format!("{value}\n"))];
    let files = files.map(|(file, text)| (file.to_string(), text));
    replace_all(&folder, &files).map_err(|error| Trouble::unwritten("the table", &error))?;
    show(&[
        String::new(),
        format!("{sum}; models, pictures, answers and this table are in {}", folder.display()),
        String::new(),
    ])?;
    if interrupted {
        let kept = format!("{} of {} figures are in {}", done.len(), sheets.len(), folder.display());
        return Err(Trouble::Short(format!("{name} was interrupted: {kept}")));
    }
    let wrong = done.iter().flat_map(|figure| figure.numbers.iter().map(move |number| (figure, number)));
    let wrong = wrong.filter_map(|(figure, number)| {
        Some(format!("{name} {}, {}: {}", figure.sheet.name, number.number.what, number.trouble()?))
    });
    Ok((value, wrong.collect()))
}

/// All papers with their counts.
fn list(json: bool) -> Outcome {
    let read =
        |name: &&'static str| Paper::read(texts::find(name).unwrap_or_default(), name).map(|paper| (*name, paper));
    let papers: Vec<(&str, Paper)> = texts::NAMES.iter().map(read).collect::<Result<_, _>>()?;
    if json {
        let all: Vec<Value> = papers.iter().map(|(name, paper)| report::described(name, paper)).collect();
        return print(|output| writeln!(output, "{}", json!({ "papers": all })));
    }
    let row = |(name, paper): &(&str, Paper)| {
        let numbers: usize = paper.figures.iter().map(|figure| figure.numbers.len()).sum();
        let figures = paper.figures.len().to_string();
        Row::Cells(vec![name.to_string(), figures, numbers.to_string(), format!("{} ({})", paper.short, paper.authors)])
    };
    let rows: Vec<Row> = papers.iter().map(row).collect();
    let head =
        [("paper", Side::Left), ("figures", Side::Right), ("numbers", Side::Right), ("what it is about", Side::Left)];
    let figures: usize = papers.iter().map(|(_, paper)| paper.figures.len()).sum();
    print(|output| {
        lines(&head, &rows).iter().try_for_each(|line| writeln!(output, "{line}"))?;
        writeln!(
            output,
            "\n{} papers, {figures} figures and tables; saltation reproduce PAPER computes them again",
            papers.len()
        )
    })
}
