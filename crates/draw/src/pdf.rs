//! Writes a scene as PDF: paths as paths, text in the embedded font so that it can be searched, images as images.

use crate::font;
use crate::png;
use crate::scene::{Anchor, Area, Paint, Primitive, Raster, Scene};
use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{CidFontType, FontFlags, LineCapStyle, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use std::collections::BTreeMap;
use tiny_skia::{Path, PathSegment};

/// PDF counts in 1/72 inch, a scene in 1/96.
const UNIT: f32 = 0.75;
/// Pixels per point of what is embedded as an image.
const IMAGE_SCALE: f64 = 4.0;
/// The strength of compression, 0 to 10.
const COMPRESSION: u8 = 9;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const INFO: Ref = Ref::new(5);
/// The font, its glyphs, its description, its file, and its characters.
const FONT: [Ref; 5] = [Ref::new(6), Ref::new(7), Ref::new(8), Ref::new(9), Ref::new(10)];
const FIRST_FREE: i32 = 11;

const FONT_NAME: Name = Name(b"SALTAT+DejaVuSans");
const IDENTITY: SystemInfo = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The scene as a PDF document of one page. The same scene always gives the same bytes.
pub(crate) fn write(scene: &Scene) -> Vec<u8> {
    let (width, height) = (scene.width as f32, scene.height as f32);
    let mut page = Page { content: Content::new(), images: Vec::new(), opacities: Vec::new(), glyphs: BTreeMap::new() };
    page.content.transform([UNIT, 0.0, 0.0, -UNIT, 0.0, UNIT * height]);
    page.all(&scene.items);
    let Page { content, images, opacities, glyphs } = page;
    let content = content.finish();

    let mut pdf = Pdf::new();
    pdf.catalog(CATALOG).pages(PAGES);
    pdf.pages(PAGES).kids([PAGE]).count(1);
    pdf.document_info(INFO).title(TextStr(&scene.description)).producer(TextStr("Saltation"));
    let mut free = FIRST_FREE;
    let mut take = || {
        free += 1;
        Ref::new(free - 1)
    };
    let states: Vec<(u8, Ref)> = opacities.into_iter().map(|opacity| (opacity, take())).collect();
    let images: Vec<(Image, Ref, Option<Ref>)> = images
        .into_iter()
        .map(|image| {
            let mask = image.opacity.as_ref().map(|_| take());
            (image, take(), mask)
        })
        .collect();

    let mut sheet = pdf.page(PAGE);
    sheet.media_box(Rect::new(0.0, 0.0, UNIT * width, UNIT * height)).parent(PAGES).contents(CONTENT);
    let mut resources = sheet.resources();
    resources.fonts().pair(Name(b"F"), FONT[0]);
    let mut list = resources.ext_g_states();
    for (opacity, place) in &states {
        list.pair(Name(state_name(*opacity).as_bytes()), place);
    }
    list.finish();
    let mut list = resources.x_objects();
    for (k, (_, place, _)) in images.iter().enumerate() {
        list.pair(Name(image_name(k).as_bytes()), place);
    }
    list.finish();
    resources.finish();
    sheet.finish();

    pdf.stream(CONTENT, &compressed(&content)).filter(Filter::FlateDecode);
    for (opacity, place) in states {
        let alpha = f32::from(opacity) / 255.0;
        pdf.ext_graphics(place).stroking_alpha(alpha).non_stroking_alpha(alpha);
    }
    for (image, place, mask) in images {
        let size = (image.columns as i32, image.rows as i32);
        let colors = compressed(&image.colors);
        let mut written = pdf.image_xobject(place, &colors);
        written.width(size.0).height(size.1).bits_per_component(8);
        written.filter(Filter::FlateDecode);
        written.color_space().device_rgb();
        if let Some(mask) = mask {
            written.s_mask(mask);
        }
        written.finish();
        if let (Some(opacity), Some(mask)) = (image.opacity, mask) {
            let opacity = compressed(&opacity);
            let mut written = pdf.image_xobject(mask, &opacity);
            written.width(size.0).height(size.1).bits_per_component(8);
            written.filter(Filter::FlateDecode);
            written.color_space().device_gray();
        }
    }
    write_font(&mut pdf, &glyphs);
    pdf.finish()
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec_zlib(bytes, COMPRESSION)
}

fn state_name(opacity: u8) -> String {
    format!("O{opacity}")
}

fn image_name(index: usize) -> String {
    format!("I{index}")
}

/// The embedded font with the glyphs that are used, and the characters they stand for.
fn write_font(pdf: &mut Pdf, glyphs: &BTreeMap<u16, char>) {
    let [font, cid, descriptor, file, characters] = FONT;
    let mut composite = pdf.type0_font(font);
    composite.base_font(FONT_NAME).encoding_predefined(Name(b"Identity-H")).descendant_font(cid);
    composite.to_unicode(characters);
    composite.finish();
    let mut list = pdf.cid_font(cid);
    list.subtype(CidFontType::Type2).base_font(FONT_NAME).system_info(IDENTITY).font_descriptor(descriptor);
    list.cid_to_gid_map_predefined(Name(b"Identity")).default_width(0.0);
    let mut widths = list.widths();
    for &glyph in glyphs.keys() {
        widths.consecutive(glyph, [font::advance(glyph) as f32]);
    }
    widths.finish();
    list.finish();
    let metrics = font::metrics();
    let [left, bottom, right, top] = metrics.bounds.map(|x| x as f32);
    let mut described = pdf.font_descriptor(descriptor);
    described.name(FONT_NAME).flags(FontFlags::SYMBOLIC).bbox(Rect::new(left, bottom, right, top)).italic_angle(0.0);
    described.ascent(metrics.ascent as f32).descent(metrics.descent as f32);
    described.cap_height(1000.0 * font::CAP_HEIGHT as f32).stem_v(80.0).font_file2(file);
    described.finish();
    let bytes = compressed(font::BYTES);
    let mut stream = pdf.stream(file, &bytes);
    stream.filter(Filter::FlateDecode).pair(Name(b"Length1"), font::BYTES.len() as i32);
    stream.finish();
    let mut map = UnicodeCmap::new(Name(b"Characters"), IDENTITY);
    glyphs.iter().for_each(|(glyph, character)| map.pair(*glyph, *character));
    pdf.cmap(characters, &map.finish());
}

/// Pixels in three colours, and their opacity if they are not all opaque.
struct Image {
    columns: usize,
    rows: usize,
    colors: Vec<u8>,
    opacity: Option<Vec<u8>>,
}

/// A page while it is written, and what it refers to.
struct Page {
    content: Content,
    images: Vec<Image>,
    opacities: Vec<u8>,
    glyphs: BTreeMap<u16, char>,
}

impl Page {
    fn all(&mut self, items: &[Primitive]) {
        items.iter().for_each(|item| self.one(item));
    }

    fn one(&mut self, item: &Primitive) {
        match item {
            Primitive::Fill { path, paint } => {
                self.fill_with(*paint);
                self.path(path);
                self.content.fill_nonzero();
            }
            Primitive::Stroke { path, paint, width, dashes } => {
                self.stroke_with(*paint, *width, LineCapStyle::ButtCap);
                let dashes = dashes.map_or(Vec::new(), |dashes| dashes.map(|dash| dash as f32).to_vec());
                self.content.set_dash_pattern(dashes, 0.0);
                self.path(path);
                self.content.stroke();
            }
            Primitive::Dots { centres, diameter, paint } => {
                // Lines of no length with round ends. Overlapping dots add up only as paths of their own.
                self.stroke_with(*paint, *diameter, LineCapStyle::RoundCap);
                self.content.set_dash_pattern([], 0.0);
                for &(x, y) in centres {
                    self.content.move_to(x, y).line_to(x, y);
                    if paint.opacity < 1.0 {
                        self.content.stroke();
                    }
                }
                if paint.opacity >= 1.0 && !centres.is_empty() {
                    self.content.stroke();
                }
            }
            Primitive::Text { content, at, anchor, size, upward, paint } => {
                self.text(content, *at, (*anchor, *size, *upward), *paint);
            }
            Primitive::Window { area, content, dense: Some(color) } => {
                if let Some((columns, rows, opacity)) = png::opacities(content, *area, IMAGE_SCALE) {
                    let colors = [color.red, color.green, color.blue].repeat(columns * rows);
                    self.image(Image { columns, rows, colors, opacity: Some(opacity) }, *area);
                }
            }
            Primitive::Window { area, content, dense: None } => {
                self.content.save_state();
                let [x, y, width, height] = [area.left, area.top, area.width, area.height].map(|x| x as f32);
                self.content.rect(x, y, width, height).clip_nonzero().end_path();
                self.all(content);
                self.content.restore_state();
            }
            Primitive::Raster(raster) => self.raster(raster),
        }
    }

    fn opacity(&mut self, paint: Paint) {
        let opacity = (255.0 * paint.opacity).round() as u8;
        if !self.opacities.contains(&opacity) {
            self.opacities.push(opacity);
        }
        self.content.set_parameters(Name(state_name(opacity).as_bytes()));
    }

    fn fill_with(&mut self, paint: Paint) {
        self.opacity(paint);
        let [red, green, blue] = shares(paint);
        self.content.set_fill_rgb(red, green, blue);
    }

    fn stroke_with(&mut self, paint: Paint, width: f64, cap: LineCapStyle) {
        self.opacity(paint);
        let [red, green, blue] = shares(paint);
        self.content.set_stroke_rgb(red, green, blue).set_line_width(width as f32);
        self.content.set_line_cap(cap).set_line_join(LineJoinStyle::RoundJoin);
    }

    fn path(&mut self, path: &Path) {
        let mut last = (0.0, 0.0);
        for segment in path.segments() {
            match segment {
                PathSegment::MoveTo(p) => self.content.move_to(p.x, p.y),
                PathSegment::LineTo(p) => self.content.line_to(p.x, p.y),
                PathSegment::QuadTo(a, p) => {
                    // The cubic with the same course.
                    let third = |end: f32, control: f32| end + 2.0 / 3.0 * (control - end);
                    let (x1, y1) = (third(last.0, a.x), third(last.1, a.y));
                    self.content.cubic_to(x1, y1, third(p.x, a.x), third(p.y, a.y), p.x, p.y)
                }
                PathSegment::CubicTo(a, b, p) => self.content.cubic_to(a.x, a.y, b.x, b.y, p.x, p.y),
                PathSegment::Close => self.content.close_path(),
            };
            if let PathSegment::MoveTo(p)
            | PathSegment::LineTo(p)
            | PathSegment::QuadTo(_, p)
            | PathSegment::CubicTo(_, _, p) = segment
            {
                last = (p.x, p.y);
            }
        }
    }

    fn text(&mut self, text: &str, at: (f64, f64), (anchor, size, upward): (Anchor, f64, bool), paint: Paint) {
        let shift = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -0.5 * font::width(text, size),
            Anchor::End => -font::width(text, size),
        };
        // The directions in which a text runs and in which its letters stand; y points down.
        let (along, up) = if upward { ((0.0, -1.0), (-1.0, 0.0)) } else { ((1.0, 0.0), (0.0, -1.0)) };
        let (x, y) = (at.0 + shift * along.0, at.1 + shift * along.1);
        let glyphs: Vec<u16> = text.chars().map(font::glyph_number).collect();
        self.glyphs.extend(glyphs.iter().copied().zip(text.chars()));
        let codes: Vec<u8> = glyphs.iter().flat_map(|glyph| glyph.to_be_bytes()).collect();
        self.fill_with(paint);
        self.content.begin_text().set_font(Name(b"F"), size as f32);
        let [a, b, c, d, e, f] = [along.0, along.1, up.0, up.1, x, y].map(|x| x as f32);
        self.content.set_text_matrix([a, b, c, d, e, f]).show(Str(&codes)).end_text();
    }

    fn raster(&mut self, raster: &Raster) {
        let (columns, rows) = (raster.columns, raster.rows());
        if columns == 0 || rows == 0 {
            return;
        }
        let color = |index: &u8| raster.palette.get(usize::from(*index)).copied().unwrap_or([255, 255, 255, 0]);
        let pixels = &raster.pixels[..columns * rows];
        let colors = pixels.iter().flat_map(|index| color(index)[..3].to_vec()).collect();
        let opacity: Vec<u8> = pixels.iter().map(|index| color(index)[3]).collect();
        let opacity = opacity.iter().any(|opacity| *opacity < 255).then_some(opacity);
        self.image(Image { columns, rows, colors, opacity }, raster.area);
    }

    fn image(&mut self, image: Image, area: Area) {
        let name = image_name(self.images.len());
        self.images.push(image);
        self.opacity(Paint { color: crate::Color::BLACK, opacity: 1.0 });
        self.content.save_state();
        let [x, y, width, height] = [area.left, area.bottom(), area.width, area.height].map(|x| x as f32);
        self.content.transform([width, 0.0, 0.0, -height, x, y]);
        self.content.x_object(Name(name.as_bytes()));
        self.content.restore_state();
    }
}

/// Red, green and blue from 0 to 1.
fn shares(paint: Paint) -> [f32; 3] {
    [paint.color.red, paint.color.green, paint.color.blue].map(|share| f32::from(share) / 255.0)
}
