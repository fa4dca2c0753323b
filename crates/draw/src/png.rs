//! Rasterizes a scene with tiny-skia and encodes it as PNG.

use crate::font;
use crate::scene::{Anchor, Area, Paint, Primitive, Raster, Scene};
use crate::{Color, DrawError};
use tiny_skia::{FillRule, LineCap, LineJoin, Mask, Pixmap, PremultipliedColorU8, Stroke, StrokeDash, Transform};

/// Largest side of an image in pixels.
const LARGEST_SIDE: f64 = 16384.0;

/// The scene as a PNG file, with `scale` pixels per point.
pub(crate) fn encode(scene: &Scene, scale: f64) -> Result<Vec<u8>, DrawError> {
    let refused = || DrawError::Scale { width: scene.width, height: scene.height, scale };
    let pixmap = paint(&scene.items, page(scene), scale).ok_or_else(refused)?;
    let rgb: Vec<u8> = pixmap.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
    let per_metre = (scale * 96.0 / 0.0254).round() as u32;
    let mut file = Vec::new();
    let mut encoder = encoder(&mut file, &pixmap, ::png::ColorType::Rgb);
    encoder.set_pixel_dims(Some(::png::PixelDimensions { xppu: per_metre, yppu: per_metre, unit: ::png::Unit::Meter }));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    Ok(file)
}

/// The things in an area, all of one colour, as a PNG file with transparent background, with `scale` pixels per
/// point; `None` if the area holds no pixel.
///
/// One byte per pixel, the opacity, is enough: it is an index into a palette which repeats the colour.
pub(crate) fn encode_transparent(items: &[Primitive], area: Area, color: Color, scale: f64) -> Option<Vec<u8>> {
    let pixmap = paint(items, area, scale)?;
    let alphas = alphas(&pixmap);
    let mut file = Vec::new();
    let mut encoder = encoder(&mut file, &pixmap, ::png::ColorType::Indexed);
    encoder.set_palette([color.red, color.green, color.blue].repeat(256));
    encoder.set_trns((0..=255).collect::<Vec<u8>>());
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&alphas).ok()?;
    writer.finish().ok()?;
    Some(file)
}

/// The opacity of the things in an area, as so many columns and rows of pixels; `None` if the area holds no pixel.
pub(crate) fn opacities(items: &[Primitive], area: Area, scale: f64) -> Option<(usize, usize, Vec<u8>)> {
    let pixmap = paint(items, area, scale)?;
    Some((pixmap.width() as usize, pixmap.height() as usize, alphas(&pixmap)))
}

fn alphas(pixmap: &Pixmap) -> Vec<u8> {
    pixmap.pixels().iter().map(|pixel| pixel.alpha()).collect()
}

/// An image of cells as a PNG file, one pixel per cell; `None` if it has no cells.
pub(crate) fn encode_raster(raster: &Raster) -> Option<Vec<u8>> {
    let (columns, rows) = (u32::try_from(raster.columns).ok()?, u32::try_from(raster.rows()).ok()?);
    let small = raster.palette.len() <= 16;
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, columns, rows);
    encoder.set_color(::png::ColorType::Indexed);
    encoder.set_depth(if small { ::png::BitDepth::Four } else { ::png::BitDepth::Eight });
    encoder.set_filter(::png::Filter::NoFilter);
    encoder.set_compression(::png::Compression::High);
    encoder.set_palette(raster.palette.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect::<Vec<u8>>());
    encoder.set_trns(raster.palette.iter().map(|color| color[3]).collect::<Vec<u8>>());
    let two = |pair: &[u8]| pair[0] << 4 | pair.get(1).copied().unwrap_or(0);
    let packed: Vec<u8> = match small {
        true => raster.pixels.chunks(raster.columns).flat_map(|row| row.chunks(2).map(two)).collect(),
        false => raster.pixels.clone(),
    };
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&packed).ok()?;
    writer.finish().ok()?;
    Some(file)
}

fn encoder<'a>(file: &'a mut Vec<u8>, pixmap: &Pixmap, color: ::png::ColorType) -> ::png::Encoder<'a, &'a mut Vec<u8>> {
    let mut encoder = ::png::Encoder::new(file, pixmap.width(), pixmap.height());
    encoder.set_color(color);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_compression(::png::Compression::Balanced);
    encoder
}

fn page(scene: &Scene) -> Area {
    Area { left: 0.0, top: 0.0, width: scene.width, height: scene.height }
}

/// Paints things on a transparent page; `None` if the page has no possible size.
fn paint(items: &[Primitive], area: Area, scale: f64) -> Option<Pixmap> {
    let side = |length: f64| {
        let pixels = (length * scale).round();
        (1.0..=LARGEST_SIDE).contains(&pixels).then_some(pixels as u32)
    };
    let mut pixmap = Pixmap::new(side(area.width)?, side(area.height)?)?;
    let scale = scale as f32;
    let transform = Transform::from_scale(scale, scale).pre_translate(-area.left as f32, -area.top as f32);
    Painter { pixmap: &mut pixmap, transform, mask: None }.paint(items);
    Some(pixmap)
}

struct Painter<'a> {
    pixmap: &'a mut Pixmap,
    transform: Transform,
    mask: Option<Mask>,
}

impl Painter<'_> {
    fn paint(&mut self, items: &[Primitive]) {
        for item in items {
            match item {
                Primitive::Fill { path, paint } => self.fill(path, *paint, self.transform),
                Primitive::Stroke { path, paint, width, dashes } => {
                    self.stroke(path, *paint, *width, *dashes);
                }
                Primitive::Dots { centres, diameter, paint } => self.dots(centres, *diameter, *paint),
                Primitive::Text { content, at, anchor, size, upward, paint } => {
                    let shift = match anchor {
                        Anchor::Start => 0.0,
                        Anchor::Middle => -font::width(content, *size) / 2.0,
                        Anchor::End => -font::width(content, *size),
                    };
                    let mut transform = self.transform.pre_translate(at.0 as f32, at.1 as f32);
                    if *upward {
                        transform = transform.pre_rotate(-90.0);
                    }
                    if let Some(outline) = font::outline(content, *size) {
                        self.fill(&outline, *paint, transform.pre_translate(shift as f32, 0.0));
                    }
                }
                Primitive::Window { area, content, .. } => self.through(*area, content),
                Primitive::Raster(raster) => self.raster(raster),
            }
        }
    }

    fn fill(&mut self, path: &tiny_skia::Path, paint: Paint, transform: Transform) {
        self.pixmap.fill_path(path, &ink(paint), FillRule::Winding, transform, self.mask.as_ref());
    }

    fn stroke(&mut self, path: &tiny_skia::Path, paint: Paint, width: f64, dashes: Option<[f64; 2]>) {
        let stroke = Stroke {
            width: width as f32,
            line_join: LineJoin::Round,
            line_cap: LineCap::Butt,
            dash: dashes.and_then(|[on, off]| StrokeDash::new(vec![on as f32, off as f32], 0.0)),
            ..Stroke::default()
        };
        self.pixmap.stroke_path(path, &ink(paint), &stroke, self.transform, self.mask.as_ref());
    }

    /// Paints the content, cut off outside the area.
    fn through(&mut self, area: Area, content: &[Primitive]) {
        let Some(mut mask) = Mask::new(self.pixmap.width(), self.pixmap.height()) else {
            return;
        };
        let Some(path) = area.path() else { return };
        mask.fill_path(&path, FillRule::Winding, true, self.transform);
        let outer = self.mask.replace(mask);
        self.paint(content);
        self.mask = outer;
    }

    /// Paints an image of cells; every pixel has the colour of the cell at its centre, or of the largest index it covers.
    fn raster(&mut self, raster: &Raster) {
        let area = raster.area;
        let side = |start: f64, length: f64, shift: f32, cells: usize, pixels: u32| {
            let (start, length) =
                (start * f64::from(self.transform.sx) + f64::from(shift), length * f64::from(self.transform.sx));
            let cell = move |place: f64| (place - start) / length * cells as f64;
            let covered = move |pixel: u32| {
                let (centre, ends) =
                    (cell(f64::from(pixel) + 0.5), (cell(f64::from(pixel)), cell(f64::from(pixel) + 1.0)));
                let inside = centre >= 0.0 && centre < cells as f64;
                // Cells larger than a pixel are those at its centre.
                let all = raster.largest && length < cells as f64 * 1.001;
                let range = match all {
                    true => ends.0.round().max(0.0) as usize..(ends.1.round() as usize).min(cells),
                    false => 0..0,
                };
                let at = centre as usize;
                inside.then(|| if range.is_empty() { at..at + 1 } else { range })
            };
            (0..pixels).map(covered).collect::<Vec<_>>()
        };
        let (width, height) = (self.pixmap.width(), self.pixmap.height());
        let columns = side(area.left, area.width, self.transform.tx, raster.columns, width);
        let rows = side(area.top, area.height, self.transform.ty, raster.rows(), height);
        let mask = self.mask.as_ref().map(Mask::data);
        let pixels = self.pixmap.pixels_mut();
        for (y, row) in rows.iter().enumerate() {
            let Some(row) = row else { continue };
            for (x, column) in columns.iter().enumerate() {
                let Some(column) = column else { continue };
                let covered = row.clone().flat_map(|row| &raster.pixels[row * raster.columns..][column.clone()]);
                let index = covered.copied().max().unwrap_or(0);
                let Some(&[red, green, blue, alpha]) = raster.palette.get(usize::from(index)) else { continue };
                let i = y * width as usize + x;
                let seen = mask.map_or(1.0, |mask| f32::from(mask[i]) / 255.0);
                let alpha = f32::from(alpha) / 255.0 * seen;
                if alpha > 0.0 {
                    pixels[i] = over(pixels[i], Color::rgb(red, green, blue).into(), alpha);
                }
            }
        }
    }

    /// Paints dots one over the other. A pixel covered by dots of opacities o1, o2, ... gets the opacity
    /// 1 - (1 - o1)(1 - o2)..., in which the order does not matter.
    fn dots(&mut self, centres: &[(f32, f32)], diameter: f64, paint: Paint) {
        let (columns, rows) = (self.pixmap.width() as usize, self.pixmap.height() as usize);
        let radius = diameter as f32 / 2.0 * self.transform.sx;
        // The share of a pixel which a dot covers, from the distance of their centres; a dot smaller than a
        // pixel covers no more than its own surface.
        let surface = (std::f32::consts::PI * radius * radius).min(1.0);
        let opacity = paint.opacity as f32 * surface;
        let reach = radius.max(0.5) + 0.5;
        let mut clear = vec![1.0_f32; columns * rows];
        for &(x, y) in centres {
            let (x, y) = (x * self.transform.sx + self.transform.tx, y * self.transform.sy + self.transform.ty);
            let first = |at: f32| (at - reach).floor().max(0.0) as usize;
            let end = |at: f32, count: usize| ((at + reach).ceil().max(0.0) as usize).min(count);
            for row in first(y)..end(y, rows) {
                for column in first(x)..end(x, columns) {
                    let distance = (column as f32 + 0.5 - x).hypot(row as f32 + 0.5 - y);
                    let share = (reach - distance).clamp(0.0, 1.0);
                    clear[row * columns + column] *= 1.0 - opacity * share;
                }
            }
        }
        let mask = self.mask.as_ref().map(Mask::data);
        for (i, (pixel, clear)) in self.pixmap.pixels_mut().iter_mut().zip(&clear).enumerate() {
            let seen = mask.map_or(1.0, |mask| f32::from(mask[i]) / 255.0);
            let alpha = (1.0 - clear) * seen;
            if alpha > 0.0 {
                *pixel = over(*pixel, paint, alpha);
            }
        }
    }
}

/// A paint laid over a pixel.
fn over(pixel: PremultipliedColorU8, paint: Paint, alpha: f32) -> PremultipliedColorU8 {
    let mix = |below: u8, above: u8| (f32::from(below) * (1.0 - alpha) + f32::from(above) * alpha).round() as u8;
    let color = paint.color;
    let opacity = mix(pixel.alpha(), 255);
    PremultipliedColorU8::from_rgba(
        mix(pixel.red(), color.red).min(opacity),
        mix(pixel.green(), color.green).min(opacity),
        mix(pixel.blue(), color.blue).min(opacity),
        opacity,
    )
    .unwrap_or(pixel)
}

fn ink(paint: Paint) -> tiny_skia::Paint<'static> {
    let mut ink = tiny_skia::Paint { anti_alias: true, ..tiny_skia::Paint::default() };
    let alpha = (paint.opacity * 255.0).round() as u8;
    ink.set_color_rgba8(paint.color.red, paint.color.green, paint.color.blue, alpha);
    ink
}
