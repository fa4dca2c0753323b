//! What was found, for people and as JSON: claim, commands, digits.

use crate::papers::figure::Reproduced;
use crate::papers::number::{Compared, Verdict};
use crate::papers::paper::{Paper, Sheet};
use saltation::columns::{Row, Side, lines};
use serde_json::{Value, json};

/// The digits that a table of numbers shows.
const SHOWN: usize = 13;
/// The characters of a second route that a line shows.
const ROUTE: usize = 60;

/// The head of a paper.
pub(crate) fn head(name: &str, paper: &Paper) -> Vec<String> {
    let doi = paper.doi.as_ref().map_or(String::new(), |doi| format!(", doi:{doi}"));
    let year = paper.year.map_or(String::new(), |year| format!(" ({year})"));
    let mut lines = vec![
        format!("{name}: {}", paper.title),
        format!("  {}, {}{year}{doi}", paper.authors, paper.place),
        format!("  claims: {}", paper.claims.trim()),
    ];
    lines.extend(
        paper.notebook.as_ref().map(|notebook| format!("  the notebook `{notebook}` of the manual has more of it")),
    );
    lines
}

/// A figure before its commands run: what it shows, and they.
pub(crate) fn begin(sheet: &Sheet) -> Vec<String> {
    let of = sheet.of.as_ref().map_or(String::new(), |of| format!(" ({of})"));
    let mut out = vec![String::new(), format!("{}{of}: {}", sheet.name, sheet.shows)];
    out.extend(sheet.commands.iter().map(|command| format!("  $ {command}")));
    out
}

/// What was found: how commands ended that ended early, and the table of numbers.
pub(crate) fn end(found: &Reproduced) -> Vec<String> {
    let mut out: Vec<String> = found.ended.iter().map(|ended| format!("  it ended early: {ended}")).collect();
    let head = [
        ("number", Side::Left),
        ("found", Side::Right),
        ("published", Side::Right),
        ("second route", Side::Right),
        ("digits", Side::Right),
        ("verdict", Side::Left),
        ("by", Side::Left),
    ];
    let rows: Vec<Row> = found.numbers.iter().flat_map(rows).collect();
    out.extend(lines(&head, &rows));
    out
}

fn rows(number: &Compared) -> Vec<Row> {
    let shown =
        |value: &Result<f64, String>| value.as_ref().map_or("none".to_string(), |x| saltation::short(*x, SHOWN));
    let route = number.route();
    let route = match route.char_indices().nth(ROUTE) {
        Some((cut, _)) => format!("{}...", &route[..cut]),
        None => route,
    };
    let digits = number.digits.map_or(String::new(), |digits| match digits {
        15.0.. => "all".to_string(),
        _ => format!("{}", digits.floor()),
    });
    let cells = vec![
        number.number.what.clone(),
        shown(&number.found),
        number.number.published.clone().unwrap_or_default(),
        number.second.as_ref().map_or(String::new(), shown),
        digits,
        number.verdict.word().to_string(),
        route,
    ];
    let remark = match number.verdict {
        Verdict::Errs => number.number.errs.clone().map(|errs| format!("  the paper errs: {errs}")),
        _ => number.trouble().map(|trouble| format!("  {trouble}")),
    };
    std::iter::once(Row::Cells(cells)).chain(remark.map(Row::Remark)).collect()
}

/// The last lines: how many numbers agree, and where the files are.
pub(crate) fn sum(found: &[Reproduced]) -> String {
    let count = |verdict| found.iter().map(|figure| figure.count(verdict)).sum::<usize>();
    let (agree, err, disagree) = (count(Verdict::Agrees), count(Verdict::Errs), count(Verdict::Disagrees));
    let errs = if err > 0 { format!(", {err} show that the paper errs") } else { String::new() };
    let wrong = if disagree > 0 { format!(", {disagree} DISAGREE") } else { String::new() };
    let (figures, numbers) = (found.len(), agree + err + disagree);
    let s = |count: usize| if count == 1 { "" } else { "s" };
    let agrees = if agree == 1 { "agrees" } else { "agree" };
    format!("{figures} figure{}, {numbers} number{}: {agree} {agrees}{errs}{wrong}", s(figures), s(numbers))
}

/// A paper with what was found, as JSON.
pub(crate) fn json(name: &str, paper: &Paper, found: &[Reproduced]) -> Value {
    let figures: Vec<Value> = found.iter().map(Reproduced::json).collect();
    let mut value = described(name, paper);
    value["models"] = json!(paper.models);
    value["values"] = json!(paper.values);
    value["figures"] = figures.into();
    value
}

/// A paper without its figures, as JSON.
pub(crate) fn described(name: &str, paper: &Paper) -> Value {
    let Paper { title, short, authors, place, year, doi, claims, from, notebook, errata, .. } = paper;
    json!({
        "name": name, "title": title, "short": short, "authors": authors, "where": place, "year": year, "doi": doi, "claims": claims,
        "from": from, "notebook": notebook, "errata": errata, "count": paper.figures.len(), "counted": paper.counted(),
    })
}
