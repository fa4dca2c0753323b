//! Displays mistakes: one sentence, the underlined place, one line of help.

use saltation::{Mistake, Mistakes};
use std::io::{IsTerminal, Write};

/// The largest number of mistakes of one text that are shown; a broken file may have thousands.
const MOST_SHOWN: usize = 30;
/// The numbers of characters of a long line that are shown before the marked place, and from there on.
const BEFORE: usize = 60;
const FROM: usize = 80;
/// The columns of a sentence, and of a tab.
const WIDTH: usize = 98;
const TAB: usize = 4;

/// Shows mistakes on standard error.
pub(crate) fn show(all: &[Mistakes]) {
    let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut text = String::new();
    for (i, mistakes) in all.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        text.push_str(&render(mistakes, color));
    }
    say(&text);
}

/// Shows a sentence on standard error.
pub(crate) fn warn(message: &str) {
    say(&format!("saltation: {message}\n"));
}

/// Writes to standard error; a closed stream is ignored.
fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// All mistakes of a text, as they are shown.
pub(crate) fn render(mistakes: &Mistakes, color: bool) -> String {
    let style = if color { Style::COLOR } else { Style::PLAIN };
    let shown = mistakes.list.iter().take(MOST_SHOWN);
    let mut text = shown.map(|mistake| one(mistakes, mistake, &style)).collect::<Vec<_>>().join("\n");
    if mistakes.list.len() > MOST_SHOWN {
        text.push_str(&format!("… and {} more\n", mistakes.list.len() - MOST_SHOWN));
    }
    text
}

/// What switches the colours of a terminal on, and off again.
struct Style {
    error: &'static str,
    place: &'static str,
    number: &'static str,
    mark: &'static str,
    help: &'static str,
    off: &'static str,
}

impl Style {
    const PLAIN: Style = Style { error: "", place: "", number: "", mark: "", help: "", off: "" };
    const COLOR: Style = Style {
        error: "\x1b[31m",
        place: "\x1b[36;1;4m",
        number: "\x1b[2m",
        mark: "\x1b[35;1m",
        help: "\x1b[36m",
        off: "\x1b[0m",
    };
}

/// One mistake: its sentence, its place, its help.
fn one(mistakes: &Mistakes, mistake: &Mistake, style: &Style) -> String {
    let Style { error, place, number, mark, help, off } = style;
    let mut text = wrapped(&mistake.message, &format!("  {error}×{off} "), &format!("  {error}│{off} "));
    if let Some(span) = mistake.span.as_ref().filter(|_| !mistakes.text.is_empty()) {
        let Place { file, line, column, before, marked, after } = Place::find(mistakes, span.start, span.end);
        let margin = " ".repeat(line.to_string().len());
        let blank = columns(&before);
        let underlined = columns(&format!("{before}{marked}")).saturating_sub(blank).max(1);
        let shown = without_tabs(&format!("{before}{marked}{after}"));
        text.push_str(&format!(" {margin} ╭─[{place}{file}:{line}:{column}{off}]\n"));
        text.push_str(&format!(" {number}{line}{off} │ {shown}\n"));
        text.push_str(&format!(" {margin} · {mark}{}{}{off}\n", " ".repeat(blank), "─".repeat(underlined)));
        text.push_str(&format!(" {margin} ╰────\n"));
    }
    if let Some(words) = &mistake.help {
        text.push_str(&wrapped(words, &format!("  {help}help: {off}"), "        "));
    }
    text
}

/// Lines of at most `WIDTH` columns.
fn wrapped(text: &str, first: &str, next: &str) -> String {
    textwrap::fill(text, textwrap::Options::new(WIDTH).initial_indent(first).subsequent_indent(next)) + "\n"
}

/// A text with spaces up to the next multiple of `TAB` in the place of tabs.
fn without_tabs(text: &str) -> String {
    let mut spaced = String::new();
    for c in text.chars() {
        match c {
            '\t' => spaced.push_str(&" ".repeat(TAB - columns(&spaced) % TAB)),
            c => spaced.push(c),
        }
    }
    spaced
}

/// The number of columns that a text takes in a terminal.
fn columns(text: &str) -> usize {
    textwrap::core::display_width(&if text.contains('\t') { without_tabs(text) } else { text.to_string() })
}

/// One line of a text, or the part of a long line around the marked place.
#[derive(Debug)]
struct Place {
    file: String,
    line: usize,
    column: usize,
    before: String,
    marked: String,
    after: String,
}

impl Place {
    fn find(mistakes: &Mistakes, start: usize, end: usize) -> Place {
        let text = &mistakes.text;
        let start = boundary(text, start);
        let (line, column) = mistakes.line_and_column(start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find(['\n', '\r']).map_or(text.len(), |newline| start + newline);
        let end = boundary(text, end).clamp(start, line_end);
        let back = text[line_start..start].char_indices().rev().take(BEFORE).last();
        let from = back.map_or(start, |(byte, _)| line_start + byte);
        let ahead = text[start..line_end].char_indices().nth(FROM);
        let to = ahead.map_or(line_end, |(byte, _)| start + byte);
        let visible = |part: &str| -> String {
            part.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect()
        };
        let cut = |cut: bool| if cut { "…" } else { "" };
        let (marked, mut after) = (visible(&text[start..end.min(to)]), visible(&text[end.min(to)..to]));
        after.push_str(cut(to < line_end));
        if marked.is_empty() && after.is_empty() {
            // A place at the end of a line has something to stand under.
            after.push(' ');
        }
        Place {
            file: mistakes.file.clone(),
            line,
            column,
            before: format!("{}{}", cut(from > line_start), visible(&text[from..start])),
            marked,
            after,
        }
    }
}

/// The nearest beginning of a character at or before a byte.
fn boundary(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, span: std::ops::Range<usize>) -> String {
        let mistake = Mistake::at(span, "this is wrong").help("write it differently");
        render(&Mistakes { file: "m.toml".into(), text: text.into(), list: vec![mistake] }, false)
    }

    #[test]
    fn a_place_has_line_and_column_and_is_underlined() {
        let text = shown("a = 1\nb = \"x +\"\n", 11..14);
        assert!(text.contains("[m.toml:2:6]"), "{text}");
        assert!(text.contains("b = \"x +\""), "{text}");
        assert!(text.contains("this is wrong") && text.contains("help: write it differently"));
    }

    #[test]
    fn columns_count_characters_and_places_beyond_the_end_are_shown() {
        assert!(shown("ζ = é", 5..7).contains("[m.toml:1:5]"));
        for span in [0..0, 3..3, 90..99, 1..90] {
            let text = shown("abc", span);
            assert!(text.contains("m.toml:1:"), "{text}");
        }
        assert!(shown("a\n\nb", 2..2).contains("m.toml:2:1"));
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{} here {}", "x".repeat(100_000), "y".repeat(100_000));
        let text = shown(&text, 100_001..100_005);
        assert!(text.contains("[m.toml:1:100002]"), "{text}");
        assert!(text.contains("xx here yy") && text.len() < 1000, "{text}");
    }
}
