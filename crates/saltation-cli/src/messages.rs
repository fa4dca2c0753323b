//! Displays mistakes with miette: one sentence, the underlined place, one line of help.

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents,
};
use saltation::{Mistake, Mistakes};
use std::fmt;
use std::io::{IsTerminal, Write};

/// The largest number of mistakes of one text that are shown; a broken file may have thousands.
const MOST_SHOWN: usize = 30;
/// The numbers of characters of a long line that are shown before the marked place, and from there on.
const BEFORE: usize = 60;
const FROM: usize = 80;

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
    let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_links(false).with_context_lines(0).with_width(100);
    let mut text = String::new();
    for (i, mistake) in mistakes.list.iter().take(MOST_SHOWN).enumerate() {
        if i > 0 {
            text.push('\n');
        }
        let report = Report::new(mistakes, mistake);
        if handler.render_report(&mut text, &report).is_err() {
            // The handler fails only for places outside the text, which a report never has; the sentence is printed in any case.
            text.push_str(&format!("error: {}\n", mistake.message));
        }
    }
    if mistakes.list.len() > MOST_SHOWN {
        text.push_str(&format!("… and {} more\n", mistakes.list.len() - MOST_SHOWN));
    }
    text
}

/// One mistake in the form that miette displays.
#[derive(Debug)]
struct Report<'m> {
    mistake: &'m Mistake,
    place: Option<Place>,
}

impl<'m> Report<'m> {
    fn new(mistakes: &Mistakes, mistake: &'m Mistake) -> Report<'m> {
        let place = mistake.span.as_ref().filter(|_| !mistakes.text.is_empty());
        Report { mistake, place: place.map(|span| Place::find(mistakes, span.start, span.end)) }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.mistake.message)
    }
}

impl std::error::Error for Report<'_> {}

impl Diagnostic for Report<'_> {
    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        self.mistake.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.place.as_ref().map(|place| place as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let place = self.place.as_ref()?;
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(None, place.marked))))
    }
}

/// One line of a text, or the part of a long line around the marked place.
#[derive(Debug)]
struct Place {
    file: String,
    shown: String,
    marked: SourceSpan,
    /// Both from 0.
    line: usize,
    column: usize,
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
        let mut shown = String::new();
        if from > line_start {
            shown.push('…');
        }
        shown.push_str(&visible(&text[from..start]));
        let offset = shown.len();
        shown.push_str(&visible(&text[start..end.min(to)]));
        let length = (shown.len() - offset).max(1);
        shown.push_str(&visible(&text[end.min(to)..to]));
        if to < line_end || shown.len() < offset + length {
            shown.push(if to < line_end { '…' } else { ' ' });
        }
        Place {
            file: mistakes.file.clone(),
            shown,
            marked: (offset, length).into(),
            line: line - 1,
            column: column - 1,
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

impl SourceCode for Place {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let span = (0, self.shown.len()).into();
        let contents =
            MietteSpanContents::new_named(self.file.clone(), self.shown.as_bytes(), span, self.line, self.column, 1);
        Ok(Box::new(contents))
    }
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
