//! Images of cells: densities, categories and numbers as indices into a palette, placed on the page.

use crate::density::Side;
use crate::scene::{Area, Raster};
use crate::window::Window;
use crate::{Category, Color, ColorBar, ColorMap, Density, Grid, Range};

/// Pixels per point of images whose cells are not equal steps on the page, and the most pixels along a side.
const PER_POINT: f64 = 2.0;
const MOST_PIXELS: usize = 2048;
/// The largest distance in points by which equal cells of an image may miss the edges of the cells they show.
const MISS: f64 = 0.02;
/// The largest number of pixels of a density, so that a file of it stays small.
const MOST_OF_DENSITY: f64 = 1.2e6;
/// The number of shades of a density, without the one for no points.
const SHADES: u8 = 15;

/// The pixels along one side of an image: where they lie, and which cell each of them shows.
struct Along {
    start: f64,
    length: f64,
    cells: Vec<Option<usize>>,
}

impl Along {
    /// Pixels for cells between the edges at these places on the page, of which `from` to `to` is seen.
    fn of(places: &[Option<f64>], from: f64, to: f64) -> Option<Along> {
        Along::exact(places, from, to).or_else(|| Along::sampled(places, from, to))
    }

    /// One pixel per cell, if the cells are equal steps on the page.
    fn exact(places: &[Option<f64>], from: f64, to: f64) -> Option<Along> {
        let count = places.len().checked_sub(1).filter(|count| (1..=MOST_PIXELS).contains(count))?;
        let (first, last) = (places[0]?, places[count]?);
        let even = |i: usize| first + (last - first) * i as f64 / count as f64;
        let equal = places.iter().enumerate().all(|(i, place)| place.is_some_and(|p| (p - even(i)).abs() <= MISS));
        let length = (last - first).abs();
        let near = length > 0.0 && first.min(last) >= from - 10.0 * (to - from) && length <= 21.0 * (to - from);
        let cell = |i: usize| Some(if last > first { i } else { count - 1 - i });
        (equal && near).then(|| Along { start: first.min(last), length, cells: (0..count).map(cell).collect() })
    }

    /// Small pixels over all that is seen.
    fn sampled(places: &[Option<f64>], from: f64, to: f64) -> Option<Along> {
        let length = to - from;
        let count = ((length * PER_POINT).ceil() as usize).clamp(1, MOST_PIXELS);
        let mut cells = vec![None; count];
        // The first pixel whose centre lies at or beyond a place.
        let pixel =
            |place: f64| ((place - from) / length * count as f64 - 0.5).ceil().clamp(0.0, count as f64) as usize;
        for (cell, ends) in places.windows(2).enumerate() {
            if let [Some(a), Some(b)] = *ends {
                cells[pixel(a.min(b))..pixel(a.max(b))].fill(Some(cell));
            }
        }
        cells.iter().any(Option::is_some).then_some(Along { start: from, length, cells })
    }
}

/// An image of the cells of a grid, each with an index into the palette.
fn grid_image(
    edges: (&[Option<f64>], &[Option<f64>]),
    area: Area,
    index: &dyn Fn(usize) -> u8,
    palette: Vec<[u8; 4]>,
) -> Option<Raster> {
    let (x, y) = (Along::of(edges.0, area.left, area.right())?, Along::of(edges.1, area.top, area.bottom())?);
    let columns = edges.0.len() - 1;
    let clear = (palette.len() - 1) as u8;
    let pixel = |row: Option<usize>, column: &Option<usize>| match (row, *column) {
        (Some(row), Some(column)) => index(row * columns + column),
        _ => clear,
    };
    let pixels = y.cells.iter().flat_map(|&row| x.cells.iter().map(move |column| pixel(row, column))).collect();
    let area = Area { left: x.start, top: y.start, width: x.length, height: y.length };
    Some(Raster { area, columns: x.cells.len(), pixels, palette, crisp: true, largest: false })
}

const CLEAR: [u8; 4] = [255, 255, 255, 0];

fn opaque(color: Color) -> [u8; 4] {
    [color.red, color.green, color.blue, 255]
}

/// The places on the page of the edges of a grid.
type Edges = (Vec<Option<f64>>, Vec<Option<f64>>);

/// Cells in the colours of their categories.
pub(crate) fn categories(edges: &Edges, area: Area, cells: &[Option<u8>], categories: &[Category]) -> Option<Raster> {
    // The last two indices are what is missing, and what is outside all cells.
    let known = categories.len().min(254);
    let palette = categories[..known].iter().map(|category| category.color).chain([Color::MISSING]).map(opaque);
    let index = |cell: usize| match cells.get(cell).copied().flatten() {
        Some(category) if usize::from(category) < known => category,
        _ => known as u8,
    };
    grid_image((&edges.0, &edges.1), area, &index, palette.chain([CLEAR]).collect())
}

/// Whether a grid has a cell without a known category.
pub(crate) fn lacks_category(grid: &Grid, cells: &[Option<u8>], categories: &[Category]) -> bool {
    let known = |cell: &Option<u8>| cell.is_some_and(|index| usize::from(index) < categories.len().min(254));
    cells.len() < grid.len() || !cells.iter().take(grid.len()).all(known)
}

/// Whether a grid has a cell without a finite number.
pub(crate) fn lacks_value(grid: &Grid, values: &[f64]) -> bool {
    values.len() < grid.len() || !values.iter().take(grid.len()).all(|value| value.is_finite())
}

/// The interval that a colour bar shows of some numbers.
pub(crate) fn bar_window(bar: &ColorBar, values: &[f64]) -> Window {
    let mut axis = bar.axis.clone();
    if axis.range == Range::Padded {
        axis.range = Range::Tight;
    }
    let window = Window::new(&axis, values.iter().copied());
    if bar.map == ColorMap::Diverging && !matches!(axis.range, Range::Between(..)) {
        let (low, high) = window.ends();
        let far = low.abs().max(high.abs());
        return Window { from: -far, to: far, ..window };
    }
    window
}

/// The colour of a number.
pub(crate) fn bar_color(map: ColorMap, window: &Window, value: f64) -> Color {
    let share = match map {
        ColorMap::Diverging => {
            let far = window.from.abs().max(window.to.abs());
            0.5 + 0.5 * (value / far)
        }
        ColorMap::Sequential => darkness(window, window.fraction(value).unwrap_or(0.0)),
    };
    map.color(share)
}

/// The number of colours of a map in an image.
const STEPS: usize = 254;

/// Cells in the colours of their numbers.
pub(crate) fn values(edges: &Edges, area: Area, values: &[f64], bar: &ColorBar) -> Option<Raster> {
    let window = bar_window(bar, values);
    let even = Window { from: 0.0, to: (STEPS - 1) as f64, ..window };
    let shades = (0..STEPS).map(|step| shade(bar.map, &window, step as f64 / even.to));
    let palette = shades.chain([Color::MISSING]).map(opaque).chain([CLEAR]);
    let index = |cell: usize| match values.get(cell).filter(|value| value.is_finite()) {
        Some(&value) => {
            let share = window.fraction(value).unwrap_or(0.0).clamp(0.0, 1.0);
            (share * even.to).round() as u8
        }
        None => STEPS as u8,
    };
    grid_image((&edges.0, &edges.1), area, &index, palette.collect())
}

/// The colour at a share of the window.
fn shade(map: ColorMap, window: &Window, share: f64) -> Color {
    match map {
        ColorMap::Diverging => bar_color(map, window, window.from * (1.0 - share) + window.to * share),
        ColorMap::Sequential => map.color(darkness(window, share)),
    }
}

/// Numbers above zero by this part of the largest below it are rounding.
const ROUNDING: f64 = 1e-9;

/// The place in a sequence of colours of a share of the window: what is farther from zero is darker, also where no number is positive.
fn darkness(window: &Window, share: f64) -> f64 {
    let (low, high) = window.ends();
    let negative = low < 0.0 && high <= ROUNDING * low.abs();
    if negative && window.from < window.to { 1.0 - share } else { share }
}

/// The colours of a bar from its lower end upwards, as an image.
pub(crate) fn bar(area: Area, map: ColorMap, window: &Window) -> Raster {
    let palette = (0..STEPS).map(|step| opaque(shade(map, window, step as f64 / (STEPS - 1) as f64)));
    let pixels = (0..STEPS).rev().map(|step| step as u8).collect();
    Raster { area, columns: 1, pixels, palette: palette.collect(), crisp: true, largest: false }
}

/// The light and the dark end of the shades of a colour.
fn shades(color: Color) -> (Color, Color) {
    (color.mixed(Color::WHITE, 0.45), color.mixed(Color::BLACK, 0.6))
}

/// Counts in the shades of a colour, by their logarithms; `across` and `down` place values on the page.
pub(crate) fn density(
    density: &Density,
    color: Color,
    across: &dyn Fn(f64) -> Option<f64>,
    down: &dyn Fn(f64) -> Option<f64>,
    area: Area,
) -> Option<Raster> {
    let (x, y) = density.sides();
    let bin = |side: Side, place: &dyn Fn(f64) -> Option<f64>, from: f64, to: f64| Bins::of(side, place, from, to);
    let mut columns = bin(x, across, area.left, area.right())?;
    let mut rows = bin(y, down, area.top, area.bottom())?;
    let excess = (columns.count as f64 * rows.count as f64 / MOST_OF_DENSITY).sqrt();
    if excess > 1.0 {
        columns.coarsen(excess);
        rows.coarsen(excess);
    }
    let (across, down) = (columns.pixels(), rows.pixels());
    let mut counts = vec![0_u64; columns.count * rows.count];
    for (cells, row) in density.counts().chunks(x.cells).zip(&down) {
        let Some(row) = row else { continue };
        for (&count, column) in cells.iter().zip(&across).filter(|(count, _)| **count > 0) {
            if let Some(column) = column {
                counts[row * columns.count + column] += u64::from(count);
            }
        }
    }
    let most = counts.iter().copied().max().filter(|&most| most > 0)?;
    let (light, dark) = shades(color);
    let last = f64::from(SHADES - 1);
    let palette = (0..SHADES).map(|i| opaque(light.mixed(dark, f64::from(i) / last)));
    let index = |count: u64| match count {
        0 => 0,
        1 => 1,
        count => 1 + ((count as f64).ln() / (most as f64).ln() * last).round() as u8,
    };
    let pixels = counts.iter().map(|&count| index(count)).collect();
    let area = Area { left: columns.start, top: rows.start, width: columns.length, height: rows.length };
    let palette = std::iter::once(CLEAR).chain(palette).collect();
    Some(Raster { area, columns: columns.count, pixels, palette, crisp: false, largest: true })
}

/// Pixels along one side of a density, each the sum of some cells.
struct Bins {
    start: f64,
    length: f64,
    count: usize,
    /// The share along the pixels of the centre of each cell.
    shares: Vec<f64>,
}

impl Bins {
    fn of(side: Side, place: &dyn Fn(f64) -> Option<f64>, from: f64, to: f64) -> Option<Bins> {
        let on_page = |share: f64| place(side.value(share)).filter(|place| place.is_finite());
        let seen = |place: f64| place.clamp(from, to);
        let ends = on_page(0.0).zip(on_page(1.0));
        let far = 10.0 * (to - from);
        let whole = ends.filter(|(a, b)| a.min(*b) >= from - far && a.max(*b) <= to + far);
        // All of the window, or what is seen of it.
        let (a, b) = whole.unwrap_or(ends.map_or((from, to), |(a, b)| (seen(a), seen(b))));
        let (start, length) = (a.min(b), (b - a).abs());
        if length <= 0.0 {
            return None;
        }
        let count = side.cells.min(((length * PER_POINT) as usize).max(1));
        let centre = |cell: usize| on_page((cell as f64 + 0.5) / side.cells as f64);
        let share = |place: f64| (place - start) / length;
        let shares = (0..side.cells).map(|cell| centre(cell).map_or(f64::NAN, share)).collect();
        Some(Bins { start, length, count, shares })
    }

    fn coarsen(&mut self, factor: f64) {
        self.count = ((self.count as f64 / factor) as usize).max(1);
    }

    /// The pixel of every cell.
    fn pixels(&self) -> Vec<Option<usize>> {
        let pixel = |&share: &f64| (0.0..1.0).contains(&share).then_some((share * self.count as f64) as usize);
        self.shares.iter().map(pixel).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(values: &[f64]) -> Vec<Option<f64>> {
        values.iter().map(|&v| v.is_finite().then_some(v)).collect()
    }

    #[test]
    fn equal_cells_take_one_pixel_each_in_either_direction() {
        let along = Along::of(&places(&[30.0, 20.0, 10.0]), 0.0, 100.0).unwrap();
        assert_eq!((along.start, along.length, along.cells), (10.0, 20.0, vec![Some(1), Some(0)]));
    }

    #[test]
    fn unequal_cells_are_sampled_and_what_has_no_place_is_left_out() {
        let along = Along::of(&places(&[0.0, 1.0, 4.0, f64::NAN]), 0.0, 8.0).unwrap();
        let cells: Vec<_> = along.cells.iter().map(|cell| cell.map_or(9, |cell| cell)).collect();
        assert_eq!(cells, [0, 0, 1, 1, 1, 1, 1, 1, 9, 9, 9, 9, 9, 9, 9, 9]);
        assert!(Along::of(&places(&[f64::NAN, 1.0]), 0.0, 8.0).is_none());
        assert!(Along::of(&[], 0.0, 8.0).is_none());
    }

    #[test]
    fn what_is_farther_from_zero_is_darker() {
        let light = |values: [f64; 2], value: f64| {
            let window = bar_window(&ColorBar::sequential(crate::Axis::new("x")), &values);
            let color = bar_color(ColorMap::Sequential, &window, value);
            assert_eq!(shade(ColorMap::Sequential, &window, window.fraction(value).unwrap()), color);
            u32::from(color.red) + u32::from(color.green) + u32::from(color.blue)
        };
        assert!(light([0.1, 0.9], 0.9) < light([0.1, 0.9], 0.1));
        assert!(light([-0.9, 1e-17], -0.9) < light([-0.9, 1e-17], 0.0));
        assert!(light([-0.9, 0.9], 0.9) < light([-0.9, 0.9], -0.9));
    }

    #[test]
    fn no_hit_pixel_is_lost_where_a_density_is_finer_than_the_page() {
        let mut points = Density::new((0.0, 1.0), (0.0, 1.0), 4000, 4000);
        (0..6000).for_each(|_| points.add(0.5, 0.5));
        points.add(0.123, 0.9);
        let area = Area { left: 0.0, top: 0.0, width: 100.0, height: 50.0 };
        let image = density(&points, Color::BLUE, &|x| Some(100.0 * x), &|y| Some(50.0 - 50.0 * y), area).unwrap();
        assert_eq!((image.columns, image.pixels.len()), (200, 200 * 100));
        let hits: Vec<u8> = image.pixels.iter().copied().filter(|&p| p > 0).collect();
        assert_eq!(hits, [1, SHADES]);
    }
}
