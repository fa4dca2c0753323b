//! Widths and outlines of text, measured with the embedded font.
//!
//! Everything is measured in, and PNG images are drawn with, one embedded font (a subset of DejaVu Sans, see
//! `fonts/LICENSE`), so that figures do not depend on the fonts of a machine.

use std::sync::OnceLock;
use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

pub(crate) static BYTES: &[u8] = include_bytes!("../fonts/DejaVuSans-subset.ttf");

/// The height of capitals and digits, as a share of the font size.
pub(crate) const CAP_HEIGHT: f64 = 0.73;

fn face() -> &'static Face<'static> {
    static FACE: OnceLock<Face<'static>> = OnceLock::new();
    // The bytes are part of the program, and the tests of this file parse them.
    FACE.get_or_init(|| Face::parse(BYTES, 0).expect("the embedded font is a valid font"))
}

/// The glyph of a character; glyph 0, an empty box, for a character which the font does not have.
fn glyph(character: char) -> GlyphId {
    face().glyph_index(character).unwrap_or(GlyphId(0))
}

/// The number of the glyph of a character in the embedded font.
pub(crate) fn glyph_number(character: char) -> u16 {
    glyph(character).0
}

/// The advance width of a glyph in thousandths of the font size.
pub(crate) fn advance(glyph: u16) -> f64 {
    thousandths(face().glyph_hor_advance(GlyphId(glyph)).unwrap_or(0))
}

/// Sizes of the font in thousandths of the font size.
pub(crate) struct Metrics {
    /// Left, bottom, right and top of all glyphs.
    pub bounds: [f64; 4],
    pub ascent: f64,
    pub descent: f64,
}

pub(crate) fn metrics() -> Metrics {
    let bounds = face().global_bounding_box();
    let bounds = [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max].map(thousandths);
    Metrics { bounds, ascent: thousandths(face().ascender()), descent: thousandths(face().descender()) }
}

fn thousandths(units: impl Into<f64>) -> f64 {
    1000.0 * units.into() / f64::from(face().units_per_em())
}

/// Advance width of a text in points.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let units: u32 = text.chars().map(|c| u32::from(face().glyph_hor_advance(glyph(c)).unwrap_or(0))).sum();
    f64::from(units) * size / f64::from(face().units_per_em())
}

/// Breaks a text at spaces into at most `most` lines no wider than `limit`; what does not fit is cut with an ellipsis.
pub(crate) fn wrap(text: &str, size: f64, limit: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in &phrases(text) {
        let full = lines.len() >= most;
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + width(" ", size) <= limit => {
                line.push(' ');
                line.push_str(word);
            }
            Some(line) if full => {
                line.push_str(" …");
                *line = shorten(line, size, limit);
                break;
            }
            _ => lines.push(shorten(word, size, limit)),
        }
    }
    lines
}

/// The words of a text, with `name = value` as one.
fn phrases(text: &str) -> Vec<String> {
    let mut phrases: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match phrases.last_mut() {
            Some(last) if word == "=" || last.ends_with(" =") => {
                last.push(' ');
                last.push_str(word);
            }
            _ => phrases.push(word.to_owned()),
        }
    }
    phrases
}

/// The text, or its beginning and an ellipsis if it is wider than `limit`.
pub(crate) fn shorten(text: &str, size: f64, limit: f64) -> String {
    if width(text, size) <= limit {
        return text.to_owned();
    }
    let mut room = limit - width("…", size);
    let fits = |character: &char| {
        room -= width(character.encode_utf8(&mut [0; 4]), size);
        room >= 0.0
    };
    let kept: String = text.chars().take_while(fits).collect();
    kept.trim_end().to_owned() + "…"
}

/// The outline of a text of the given size which starts at the origin, y pointing down; `None` if it shows nothing.
pub(crate) fn outline(text: &str, size: f64) -> Option<Path> {
    let scale = (size / f64::from(face().units_per_em())) as f32;
    let mut outline = Outline { path: PathBuilder::new(), scale, x: 0.0 };
    for character in text.chars() {
        let glyph = glyph(character);
        face().outline_glyph(glyph, &mut outline);
        outline.x += f32::from(face().glyph_hor_advance(glyph).unwrap_or(0)) * scale;
    }
    outline.path.finish()
}

struct Outline {
    path: PathBuilder,
    scale: f32,
    x: f32,
}

impl Outline {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, -y * self.scale)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_knows_the_characters_of_mechanics() {
        for character in "aZ09−×·⁻⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂ₙᵢαβγζθλμφψωΔΩẋẍẏ′″→≤≥∞∂√é…°".chars()
        {
            assert!(face().glyph_index(character).is_some(), "{character} is missing");
        }
    }

    #[test]
    fn width_is_additive_and_scales() {
        let (a, b) = ("time ", "φ₁ (s)");
        let together = width(&format!("{a}{b}"), 12.0);
        assert!((together - width(a, 12.0) - width(b, 12.0)).abs() < 1e-12);
        assert!((width(a, 24.0) - 2.0 * width(a, 12.0)).abs() < 1e-12);
    }

    #[test]
    fn capitals_have_the_stated_height() {
        let bounds = outline("H", 100.0).expect("H has an outline").bounds();
        assert!((f64::from(bounds.height()) - 100.0 * CAP_HEIGHT).abs() < 0.2);
    }

    #[test]
    fn wrapped_lines_fit_and_keep_the_words() {
        let text = "zeta = 0.02, omega = 0.81, r = 0.9, A = 0.35";
        let lines = wrap(text, 11.0, 90.0, 9);
        assert!(lines.len() > 2 && lines.iter().all(|line| width(line, 11.0) <= 90.0));
        assert_eq!(lines.join(" "), text);
        assert!(lines.iter().all(|line| line.matches('=').count() == line.matches("0.").count()));
        assert_eq!(wrap(text, 11.0, 90.0, 2).last().map(|line| line.ends_with('…')), Some(true));
        assert!(width(&shorten("incomprehensibilities", 11.0, 60.0), 11.0) <= 60.0);
    }
}
