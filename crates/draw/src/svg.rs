//! Writes a scene as SVG.

use crate::Color;
use crate::png;
use crate::scene::{Anchor, Area, Paint, Primitive, Raster, Scene};
use std::fmt::Write;
use tiny_skia::{Path, PathSegment};

/// Pixels per point of what is embedded as an image.
const IMAGE_SCALE: f64 = 2.0;

/// The scene as an SVG document.
pub(crate) fn write(scene: &Scene) -> String {
    let (width, height) = (number(scene.width), number(scene.height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\" \
         font-family=\"DejaVu Sans, Verdana, sans-serif\">\n",
        escape(&scene.description)
    );
    write_all(&mut svg, &scene.items);
    svg.push_str("</svg>\n");
    svg
}

fn write_all(svg: &mut String, items: &[Primitive]) {
    for item in items {
        // Writing to a String cannot fail.
        let _ = write_one(svg, item);
    }
}

fn write_one(svg: &mut String, item: &Primitive) -> std::fmt::Result {
    match item {
        Primitive::Fill { path, paint } => {
            writeln!(svg, "<path d=\"{}\"{}/>", data(path), color("fill", *paint))
        }
        Primitive::Stroke { path, paint, width, dashes } => {
            let dashes = dashes
                .map_or(String::new(), |[on, off]| format!(" stroke-dasharray=\"{} {}\"", number(on), number(off)));
            writeln!(
                svg,
                "<path d=\"{}\" fill=\"none\"{} stroke-width=\"{}\" stroke-linejoin=\"round\"{dashes}/>",
                data(path),
                color("stroke", *paint),
                number(*width),
            )
        }
        Primitive::Dots { centres, diameter, paint } => {
            // Lines of no length with round ends: the shortest form of dots. Overlapping dots add up
            // only as paths of their own.
            let dots = centres.iter().map(|&(x, y)| format!("M{} {}h0", number(f64::from(x)), number(f64::from(y))));
            let separator = if paint.opacity < 1.0 { "\"/>\n<path d=\"" } else { "" };
            if centres.is_empty() {
                return Ok(());
            }
            writeln!(
                svg,
                "<g fill=\"none\"{} stroke-width=\"{}\" stroke-linecap=\"round\">\n<path d=\"{}\"/>\n</g>",
                color("stroke", *paint),
                number(*diameter),
                dots.collect::<Vec<_>>().join(separator),
            )
        }
        Primitive::Text { content, at, anchor, size, upward, paint } => {
            let (x, y) = (number(at.0), number(at.1));
            let place = match upward {
                true => format!("transform=\"translate({x} {y}) rotate(-90)\""),
                false => format!("x=\"{x}\" y=\"{y}\""),
            };
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let (size, fill, content) = (number(*size), color("fill", *paint), escape(content));
            writeln!(svg, "<text {place}{anchor} font-size=\"{size}\"{fill}>{content}</text>")
        }
        Primitive::Window { content, .. } if content.is_empty() => Ok(()),
        Primitive::Window { area, content, dense: Some(color) } => write_image(svg, *area, content, *color),
        Primitive::Window { area, content, dense: None } => {
            // An inner svg element cuts off what is outside it, without identifiers, which would clash where
            // several figures stand on one page.
            let bounds = bounds(*area);
            let view = [area.left, area.top, area.width, area.height].map(number).join(" ");
            writeln!(svg, "<svg {bounds} viewBox=\"{view}\" overflow=\"hidden\">")?;
            write_all(svg, content);
            writeln!(svg, "</svg>")
        }
        Primitive::Raster(raster) => write_raster(svg, raster),
    }
}

/// Writes the content of an area, all of one colour, as an embedded image.
fn write_image(svg: &mut String, area: Area, content: &[Primitive], color: Color) -> std::fmt::Result {
    match png::encode_transparent(content, area, color, IMAGE_SCALE) {
        Some(image) => writeln!(
            svg,
            "<image {} preserveAspectRatio=\"none\" href=\"data:image/png;base64,{}\"/>",
            bounds(area),
            base64(&image)
        ),
        // An area without a single pixel shows nothing.
        None => Ok(()),
    }
}

/// Writes an image of cells as an embedded image.
fn write_raster(svg: &mut String, raster: &Raster) -> std::fmt::Result {
    let style = if raster.crisp { " style=\"image-rendering:pixelated\"" } else { "" };
    match png::encode_raster(raster) {
        Some(image) => writeln!(
            svg,
            "<image {}{style} preserveAspectRatio=\"none\" href=\"data:image/png;base64,{}\"/>",
            bounds(raster.area),
            base64(&image)
        ),
        None => Ok(()),
    }
}

fn bounds(area: Area) -> String {
    let [x, y, width, height] = [area.left, area.top, area.width, area.height].map(number);
    format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

fn color(attribute: &str, paint: Paint) -> String {
    match paint.opacity < 1.0 {
        true => {
            let opacity = number(paint.opacity);
            format!(" {attribute}=\"{}\" {attribute}-opacity=\"{opacity}\"", paint.color.hex())
        }
        false => format!(" {attribute}=\"{}\"", paint.color.hex()),
    }
}

/// The commands of a path, to a hundredth of a point.
fn data(path: &Path) -> String {
    let mut data = String::new();
    let mut line = false;
    let pair = |point: tiny_skia::Point| format!("{} {}", number(f64::from(point.x)), number(f64::from(point.y)));
    for segment in path.segments() {
        let continues = line && matches!(segment, PathSegment::LineTo(_));
        line = matches!(segment, PathSegment::LineTo(_));
        data += &match segment {
            PathSegment::MoveTo(p) => format!("M{}", pair(p)),
            PathSegment::LineTo(p) if continues => format!(" {}", pair(p)),
            PathSegment::LineTo(p) => format!("L{}", pair(p)),
            PathSegment::QuadTo(a, p) => format!("Q{} {}", pair(a), pair(p)),
            PathSegment::CubicTo(a, b, p) => format!("C{} {} {}", pair(a), pair(b), pair(p)),
            PathSegment::Close => "Z".to_owned(),
        };
    }
    data
}

/// A length to a hundredth of a point, without trailing zeros.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text as XML content or attribute value. Characters which XML does not have become U+FFFD.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\n' | '\r' | '\t' => escaped.push(' '),
            '\0'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Bytes in the alphabet of RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let sextet = (group >> (18 - 6 * i)) & 63;
            text.push(if i <= chunk.len() { char::from(ALPHABET[sextet as usize]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("a<b & \"c\" > 'd'\u{7}\n"), "a&lt;b &amp; &quot;c&quot; &gt; &apos;d&apos;\u{fffd} ");
    }

    #[test]
    fn base64_agrees_with_the_vectors_of_rfc_4648() {
        let vectors = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        for (length, expected) in vectors.iter().enumerate() {
            assert_eq!(base64(&b"foobar"[..length]), *expected);
        }
    }

    #[test]
    fn lengths_are_short() {
        let short = [(1.0, "1"), (0.125, "0.12"), (-0.001, "0"), (20.5, "20.5"), (100.0, "100")];
        for (value, expected) in short {
            assert_eq!(number(value), expected);
        }
    }
}
