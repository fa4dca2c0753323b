//! Layers of very many points and cells: what is seen of them, and how large their files are.

use saltation_draw::{Axis, Category, Color, ColorBar, Density, Figure, Grid, Layer, Panel};

/// Width, height and RGB bytes of a PNG file.
fn read_png(bytes: &[u8]) -> (usize, usize, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG file");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a finite size")];
    let info = reader.next_frame(&mut pixels).expect("an image");
    (info.width as usize, info.height as usize, pixels)
}

/// The size of the embedded image.
fn embedded(svg: &str) -> (u32, u32) {
    let text = svg.split("base64,").nth(1).expect("an image");
    let sextet = |c: char| match c {
        'A'..='Z' => c as u32 - 65,
        'a'..='z' => c as u32 - 71,
        '0'..='9' => c as u32 + 4,
        '+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for four in text.chars().take(40).collect::<Vec<char>>().chunks(4) {
        let group = four.iter().fold(0, |group, &c| group << 6 | sextet(c));
        bytes.extend(&group.to_be_bytes()[1..]);
    }
    let number = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    (number(16), number(20))
}

fn random() -> impl FnMut() -> f64 {
    let mut seed = 1_u64;
    move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn tight() -> Panel {
    Panel::new(Axis::new("x").tight(), Axis::new("y").tight())
}

fn near(a: &[u8], b: Color) -> bool {
    [(a[0], b.red), (a[1], b.green), (a[2], b.blue)].iter().all(|(a, b)| a.abs_diff(*b) < 12)
}

#[test]
fn a_million_scattered_points_make_a_file_below_a_megabyte() {
    let mut random = random();
    let mut density = Density::new((0.0, 1.0), (0.0, 1.0), 4000, 4000);
    (0..1_000_000).for_each(|_| density.add(random(), random() * random()));
    let figure = Figure::new("dense").size(1400.0, 1000.0).panel(tight().layer(Layer::density(density)));
    let svg = figure.to_svg();
    assert!(svg.len() < 1_000_000, "{}", svg.len());
    assert_eq!(svg.matches("<image ").count(), 1);
}

#[test]
fn a_lone_point_among_a_million_is_seen() {
    let mut density = Density::new((0.0, 1.0), (0.0, 1.0), 1500, 900);
    (0..1_000_000).for_each(|i| density.add(0.25 + 1e-3 * f64::from(i % 40), 0.25 + 1e-3 * f64::from(i % 51)));
    density.add(0.75, 0.75);
    for scale in [1.0, 2.0, 3.0] {
        let figure = Figure::new("").panel(tight().layer(Layer::density(density.clone()).color(Color::BLUE)));
        let (width, height, pixels) = read_png(&figure.to_png(scale).unwrap());
        let colored = |i: &usize| pixels[3 * i + 2] > pixels[3 * i].saturating_add(40);
        let hits: Vec<usize> = (0..width * height).filter(colored).collect();
        assert!(hits.iter().any(|i| i % width > width / 2), "at scale {scale} only {hits:?}");
        assert!(hits.iter().any(|i| i % width < width / 2));
    }
}

#[test]
fn few_points_are_dots() {
    let mut density = Density::new((0.0, 1.0), (0.0, 1.0), 300, 300);
    (0..999).for_each(|i| density.add(f64::from(i) / 1000.0, 0.5));
    let svg = Figure::new("few").panel(tight().layer(Layer::density(density))).to_svg();
    assert_eq!(svg.matches("<image ").count(), 0);
    assert_eq!(svg.matches("h0").count(), 999);
}

#[test]
fn few_places_are_dots_however_often_they_are_hit() {
    let mut density = Density::new((0.0, 1.0), (0.0, 1.0), 300, 300);
    (0..100_000).for_each(|i| density.add(f64::from(i % 7) / 10.0, 0.5));
    let svg = Figure::new("periodic").panel(tight().layer(Layer::density(density))).to_svg();
    assert_eq!((svg.matches("<image ").count(), svg.matches("h0").count()), (0, 7));
}

#[test]
fn the_order_of_points_and_parts_does_not_change_a_picture() {
    let points = |from: usize| (from..from + 2000).map(|i| ((i as f64 * 0.377) % 1.0, (i as f64 * 0.119) % 1.0));
    let of = |order: [usize; 2]| {
        let mut sum = Density::new((0.0, 1.0), (0.0, 1.0), 300, 300);
        for from in order {
            let mut part = Density::new((0.0, 1.0), (0.0, 1.0), 300, 300);
            points(from).for_each(|(x, y)| part.add(x, y));
            sum.merge(&part).unwrap();
        }
        Figure::new("").panel(tight().layer(Layer::density(sum))).to_svg()
    };
    assert_eq!(of([0, 5000]), of([5000, 0]));
}

fn edges(count: usize) -> Vec<f64> {
    (0..=count).map(|i| i as f64).collect()
}

#[test]
fn cells_have_the_colours_of_their_categories_and_the_legend_names_them() {
    let categories = Category::named(["rest", "period 1", "chaos"]);
    // Two columns, two rows: the lower left cell is "rest", the upper right one is missing.
    let cells = vec![Some(0), Some(1), Some(2), None];
    let layer = Layer::categories(Grid::new(edges(2), edges(2)).missing("not computed"), cells, categories.clone());
    let figure = Figure::new("").size(400.0, 300.0).panel(tight().layer(layer));
    let svg = figure.to_svg();
    for label in ["rest", "period 1", "chaos", "not computed"] {
        assert!(svg.contains(&format!(">{label}</text>")), "{label}");
    }
    assert_eq!(embedded(&svg), (2, 2));
    assert!(svg.contains("pixelated"));
    let (width, _, pixels) = read_png(&figure.to_png(1.0).unwrap());
    let at = |x: usize, y: usize| &pixels[3 * (y * width + x)..][..3];
    let seen = [((120, 220), categories[0].color), ((300, 220), categories[1].color), ((120, 80), categories[2].color)];
    for ((x, y), color) in seen {
        assert!(near(at(x, y), color), "{x} {y} {:?}", at(x, y));
    }
    assert!(near(at(300, 80), Color::MISSING));
}

#[test]
fn logarithmic_cells_have_their_places() {
    let log = || Axis::new("a").log().tight();
    let grid = Grid::new(vec![1.0, 10.0, 20.0, 10_000.0], vec![1.0, 100.0]);
    let layer = Layer::categories(grid, vec![Some(0), Some(1), Some(2)], Category::named(["a", "b", "c"]));
    let figure = Figure::new("").size(500.0, 200.0).panel(Panel::new(log(), log()).layer(layer));
    let (width, height, pixels) = read_png(&figure.to_png(1.0).unwrap());
    let row = height / 2;
    let long = |color: Color| (0..width).filter(|x| near(&pixels[3 * (row * width + x)..][..3], color)).count() as f64;
    let parts = [0, 1, 2].map(|i| long(Color::CATEGORIES[i]));
    let whole: f64 = parts.iter().sum();
    for (part, decades) in parts.iter().zip([1.0, 2_f64.log10(), 3.0 - 2_f64.log10()]) {
        assert!((part / whole - decades / 4.0).abs() < 0.01, "{parts:?}");
    }
}

#[test]
fn large_grids_are_small_files() {
    let n = 2000;
    let cell = |i: usize| ((i % n) / 37 + (i / n) / 53) % 5;
    let cells = (0..n * n).map(|i| Some(cell(i) as u8)).collect();
    let layer = Layer::categories(Grid::new(edges(n), edges(n)), cells, Category::named(["a", "b", "c", "d", "e"]));
    let svg = Figure::new("").panel(tight().layer(layer)).to_svg();
    assert_eq!(embedded(&svg), (2000, 2000));
    assert!(svg.len() < 300_000, "{}", svg.len());
}

#[test]
fn numbers_have_a_bar_with_a_title_and_marks_and_zero_is_white() {
    let values: Vec<f64> = (0..100).map(|i| f64::from(i % 10) - 2.0).collect();
    let bar = ColorBar::diverging(Axis::new("largest Lyapunov exponent").unit("1/s"));
    let layer = Layer::values(Grid::new(edges(10), edges(10)), values, bar);
    let figure = Figure::new("").size(500.0, 360.0).panel(tight().layer(layer));
    let svg = figure.to_svg();
    assert!(svg.contains(">largest Lyapunov exponent (1/s)</text>"));
    assert!(svg.contains(">−6</text>") && svg.contains(">6</text>"), "the bar is symmetrical about zero");
    assert!(!svg.contains("no value"));
    let (width, height, pixels) = read_png(&figure.to_png(1.0).unwrap());
    let at = |share: f64| {
        let (left, right) = (45.0, 397.0);
        let x = (left + share * (right - left)) as usize;
        pixels[3 * (height / 2 * width + x)..][..3].to_vec()
    };
    assert!(at(0.05)[2] > at(0.05)[0], "negative numbers are blue: {:?}", at(0.05));
    assert!(near(&at(0.25), Color::WHITE), "{:?}", at(0.25));
    assert!(at(0.95)[0] > at(0.95)[2] + 50, "positive numbers are red: {:?}", at(0.95));
}

#[test]
fn sixteen_categories_and_long_names_keep_apart() {
    let names: Vec<String> = (0..16).map(|i| format!("motion of kind {i} with {} impacts", i * i)).collect();
    let cells = (0..16).map(|i| Some(i as u8)).collect();
    let layer = Layer::categories(Grid::new(edges(4), edges(4)), cells, Category::named(names));
    let svg = Figure::new("many").size(420.0, 200.0).panel(tight().layer(layer)).to_svg();
    let places: Vec<(f64, f64)> = svg
        .lines()
        .filter(|line| line.contains("motion of kind"))
        .map(|line| {
            let number = |key: &str| {
                let tail = line.split(&format!("{key}=\"")).nth(1).expect("a place");
                tail.split('"').next().and_then(|n| n.parse::<f64>().ok()).expect("a number")
            };
            (number(" x"), number(" y"))
        })
        .collect();
    assert_eq!(places.len(), 16);
    for (i, a) in places.iter().enumerate() {
        for b in &places[..i] {
            assert!((a.0 - b.0).abs() > 100.0 || (a.1 - b.1).abs() > 12.0, "{a:?} {b:?}");
        }
    }
    // The page grows, so that the panel remains below the legend.
    let frame = svg.split("height=\"").nth(1).and_then(|n| n.split('"').next()).expect("a height");
    assert!(frame.parse::<f64>().expect("a number") > 250.0, "{frame}");
}

#[test]
fn a_layer_outside_the_range_does_not_set_it() {
    let panel = tight()
        .layer(Layer::line([(0.0, 0.0), (1.0, 1.0)]))
        .layer(Layer::line([(0.0, 500.0), (900.0, 3.0)]).outside_range());
    let svg = Figure::new("").panel(panel).to_svg();
    assert!(svg.contains(">0.8</text>") && !svg.contains("00</text>"));
    let lone = tight().layer(Layer::line([(0.0, 500.0), (900.0, 3.0)]).outside_range()).layer(Layer::horizontal(2.0));
    assert!(Figure::new("").panel(lone).to_svg().contains(">400</text>"));
}

#[test]
fn equal_units_keep_circles_round() {
    let circle = (0..=60).map(|i| f64::from(i) / 60.0 * std::f64::consts::TAU).map(|a| (3.0 * a.cos(), 3.0 * a.sin()));
    let panel = Panel::new(Axis::new("x"), Axis::new("y")).equal_units().layer(Layer::line(circle).color(Color::GREEN));
    let (width, height, pixels) = read_png(&Figure::new("").size(700.0, 300.0).panel(panel).to_png(2.0).unwrap());
    let green: Vec<usize> = (0..width * height).filter(|i| near(&pixels[3 * i..][..3], Color::GREEN)).collect();
    let extent = |of: fn(usize, usize) -> usize| {
        let values = || green.iter().map(|&i| of(i, width));
        values().max().unwrap_or(0) - values().min().unwrap_or(0)
    };
    let (wide, high) = (extent(|i, w| i % w), extent(|i, w| i / w));
    assert!(wide.abs_diff(high) <= 3 && wide > 200, "{wide} {high}");
}
