//! Figures as wholes: what they contain, that any data can be drawn, and how they are saved.

use proptest::prelude::*;
use saltation_draw::{Axis, Category, Color, ColorBar, Density, DrawError, Figure, Grid, Layer, Marker, Panel};

/// Reads a document as XML (elements, attributes, entities) and returns the texts of its elements; panics at the
/// first place that is not well formed.
fn read_xml(document: &str) -> Vec<String> {
    let (mut open, mut texts, mut rest) = (Vec::new(), Vec::new(), document);
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        if !text.trim().is_empty() {
            texts.push(unescape(text));
        }
        let end = start + rest[start..].find('>').expect("every < has its >");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "elements close in order");
            continue;
        }
        let (body, empty) = tag.strip_suffix('/').map_or((tag, false), |body| (body, true));
        let (name, mut attributes) = body.split_once(' ').unwrap_or((body, ""));
        assert!(name.chars().all(char::is_alphanumeric), "{name}");
        let mut seen = Vec::new();
        while !attributes.trim().is_empty() {
            let (key, tail) = attributes.split_once("=\"").expect("an attribute has a value");
            let (value, tail) = tail.split_once('"').expect("a value has an end");
            assert!(!seen.contains(&key.trim()), "attribute {key} twice");
            assert!(!value.contains('<'));
            seen.push(key.trim());
            unescape(value);
            attributes = tail;
        }
        if !empty {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} stay open");
    texts
}

fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        let (entity, after) = after.split_once(';').expect("an entity ends with ;");
        plain += before;
        plain.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            other => panic!("unknown entity {other}"),
        });
        rest = after;
    }
    assert!(text.chars().all(|c| c >= ' ' || c == '\n'), "control character in {text:?}");
    plain + rest
}

/// Width, height and RGB bytes of a PNG file.
fn read_png(bytes: &[u8]) -> (usize, usize, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG file");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a finite size")];
    let info = reader.next_frame(&mut pixels).expect("an image");
    assert_eq!(info.color_type, png::ColorType::Rgb);
    (info.width as usize, info.height as usize, pixels)
}

/// How many pixels are nearly of this colour.
fn count(pixels: &[u8], color: Color) -> usize {
    let near = |a: u8, b: u8| a.abs_diff(b) < 24;
    let same = |p: &&[u8]| near(p[0], color.red) && near(p[1], color.green) && near(p[2], color.blue);
    pixels.chunks(3).filter(same).count()
}

fn axes() -> Panel {
    Panel::new(Axis::new("x"), Axis::new("y"))
}

fn wave(count: usize) -> impl Iterator<Item = (f64, f64)> {
    (0..count).map(|i| i as f64 * 1e-3).map(|t| (t, t.sin()))
}

fn every_layer() -> Figure {
    let panel = axes()
        .layer(Layer::bands([(1.0, 2.0), (f64::NAN, 3.0), (3.0, f64::INFINITY)]).label("sticking"))
        .layer(Layer::line(wave(5000)).label("gap"))
        .layer(Layer::line(wave(5000)).dashed().across_gaps().label("gap"))
        .layer(Layer::horizontal(0.0).label("wall"))
        .layer(Layer::vertical(1.0))
        .layer(Layer::cloud(wave(300)))
        .layer(Layer::markers(Marker::Triangle, [(0.5, 0.5), (2.0, -0.9)]))
        .layer(Layer::markers(Marker::Square, [(1.5, 0.5), (2.0, -0.6)]))
        .layer(Layer::markers(Marker::Cross, [(2.5, 0.5), (2.0, -0.3)]))
        .layer(Layer::markers(Marker::Tick, [(3.5, 0.5), (2.0, 0.3)]))
        .layer(Layer::markers(Marker::Circle, [(4.5, 0.5), (2.0, 0.6)]).label("impact"));
    Figure::stacked("Title", vec![panel.clone(), panel]).subtitle("r = 0.9")
}

#[test]
fn a_figure_is_well_formed_and_says_what_it_shows() {
    let texts = read_xml(&every_layer().to_svg());
    for expected in ["Title", "r = 0.9", "x", "sticking", "wall", "impact", "0", "−1"] {
        assert!(texts.iter().any(|text| text == expected), "{expected} is missing in {texts:?}");
    }
    let times = |label: &str| texts.iter().filter(|text| *text == label).count();
    assert_eq!((times("gap"), times("x"), times("y")), (1, 1, 2));
}

#[test]
fn text_of_users_is_escaped_and_kept() {
    let hostile = "a<b>&\"c\"'</svg><script>";
    let panel = Panel::new(Axis::new(hostile).unit("m&s"), Axis::new("θ′₁"))
        .layer(Layer::line([(0.0, 0.0), (1.0, 1.0)]).label(format!("{hostile}\u{0}\u{1b}")));
    let texts = read_xml(&Figure::new(hostile).subtitle("<&>").panel(panel).to_svg());
    let expected = [hostile, "<&>", &format!("{hostile} (m&s)"), "θ′₁", &format!("{hostile}\u{fffd}\u{fffd}")];
    for text in expected {
        assert!(texts.iter().any(|found| found == text), "{text} is missing in {texts:?}");
    }
}

#[test]
fn the_same_figure_gives_the_same_bytes() {
    let figure = every_layer();
    assert_eq!(figure.to_svg(), figure.clone().to_svg());
    assert_eq!(figure.to_png(1.5).unwrap(), figure.clone().to_png(1.5).unwrap());
}

#[test]
fn png_has_the_asked_size_and_the_colours_of_the_layers() {
    let (width, height, pixels) = read_png(&every_layer().to_png(2.0).unwrap());
    assert_eq!((width, height), (1440, 760));
    assert!(count(&pixels, Color::WHITE) > width * height / 2);
    for color in &Color::PALETTE[..4] {
        assert!(count(&pixels, *color) > 50, "{color:?}");
    }
}

#[test]
fn a_polygon_fills_its_inside() {
    let pixels = |corners: &[(f64, f64)]| {
        let side = || Axis::new("").between(0.0, 1.0);
        let panel = Panel::new(side(), side()).without_frame();
        let figure = Figure::new("").size(400.0, 400.0);
        let filled = panel.layer(Layer::polygon(corners.iter().copied()).color(Color::GREEN));
        let (_, _, pixels) = read_png(&figure.panel(filled).to_png(1.0).expect("an image"));
        count(&pixels, Color::GREEN) as f64
    };
    let whole = pixels(&[(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)]);
    let triangle = pixels(&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]);
    // An L of three quarters.
    let corner = pixels(&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.5, 0.5), (0.5, 1.0), (0.0, 1.0)]);
    assert!(whole > 50_000.0);
    assert!(
        (triangle / whole - 0.5).abs() < 0.01 && (corner / whole - 0.75).abs() < 0.01,
        "{triangle} {corner} {whole}"
    );
    assert_eq!(pixels(&[(0.0, 0.0), (1.0, f64::NAN), (0.0, 1.0)]), 0.0);
}

#[test]
fn a_million_points_stay_small_and_keep_a_lone_spike() {
    let points = (0..1_000_000).map(|i| (f64::from(i), if i == 654_321 { 1.0 } else { 0.0 }));
    let panel = axes().layer(Layer::line(points));
    let figure = Figure::new("spike").panel(panel);
    let svg = figure.to_svg();
    assert!(svg.len() < 20_000, "{}", svg.len());
    let (width, _, pixels) = read_png(&figure.to_png(1.0).unwrap());
    let blue_rows = (0..480).filter(|row| count(&pixels[row * width * 3..][..width * 3], Color::BLUE) > 0);
    let without_spike = 5;
    assert!(blue_rows.count() > 20 * without_spike);
}

#[test]
fn a_tangled_line_and_a_dense_cloud_become_images() {
    let mut seed = 1_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let points: Vec<(f64, f64)> = (0..30_000).map(|_| (random(), random())).collect();
    for layer in [
        Layer::line(points.iter().copied()).width(0.3).opacity(0.05),
        Layer::cloud(points.iter().copied()),
        Layer::markers(Marker::Circle, points.iter().copied()).width(2.0),
    ] {
        let svg = Figure::new("dense").panel(axes().layer(layer)).to_svg();
        assert_eq!(svg.matches("<image ").count(), 1);
        assert!(svg.len() < 1_000_000, "{}", svg.len());
        read_xml(&svg);
    }
    let few = Figure::new("few").panel(axes().layer(Layer::cloud(points.into_iter().take(999))));
    assert_eq!(few.to_svg().matches("h0\"/>").count(), 999);
}

#[test]
fn a_jump_leaves_a_hole_unless_asked() {
    let jump = [(0.0, 0.0), (1.0, 0.0), (f64::NAN, f64::NAN), (1.0, 1.0), (2.0, 1.0)];
    let moves = |layer: Layer| {
        let svg = Figure::new("").panel(axes().layer(layer.color(Color::GREEN))).to_svg();
        let line = svg.lines().find(|line| line.contains(&Color::GREEN.hex())).expect("a green line");
        line.matches('M').count()
    };
    assert_eq!(moves(Layer::line(jump)), 2);
    assert_eq!(moves(Layer::line(jump).across_gaps()), 1);
}

#[test]
fn logarithmic_axes_place_decades_evenly() {
    let panel = Panel::new(Axis::new("h").log().tight(), Axis::new("error").log().tight())
        .layer(Layer::markers(Marker::Circle, [(1e-3, 2.0), (0.0, 3.0), (-1.0, 1.0), (1.0, 4.0)]));
    let svg = Figure::new("").panel(panel).to_svg();
    let place = |label: &str| -> f64 {
        let line = svg.lines().find(|line| line.contains(&format!(">{label}<"))).expect("a label");
        let x = line.split("x=\"").nth(1).and_then(|tail| tail.split('"').next());
        x.and_then(|x| x.parse().ok()).expect("a position")
    };
    let places = ["10⁻³", "10⁻²", "10⁻¹"].map(place);
    assert!((places[2] - 2.0 * places[1] + places[0]).abs() < 0.03, "{places:?}");
}

#[test]
fn only_svg_pdf_and_png_are_saved_and_only_whole_files() {
    let folder = std::env::temp_dir().join(format!("saltation-draw-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let figure = every_layer();
    for name in ["a.svg", "a.PNG", "a.pdf", "a.svg"] {
        figure.save(folder.join(name)).unwrap();
    }
    assert_eq!(std::fs::read_to_string(folder.join("a.svg")).unwrap(), figure.to_svg());
    assert_eq!(std::fs::read(folder.join("a.PNG")).unwrap(), figure.to_png(2.0).unwrap());
    for name in ["a.gif", "a", ".svg"] {
        let error = figure.save(folder.join(name)).unwrap_err();
        assert!(matches!(error, DrawError::UnknownFormat { .. }), "{error}");
        assert!(error.to_string().ends_with("its name must end in .svg, .pdf or .png"));
    }
    let error = figure.save(folder.join("no/where/a.svg")).unwrap_err();
    assert!(matches!(error, DrawError::MissingFolder { .. }), "{error}");
    assert!(error.to_string().contains("there is no folder"));
    std::fs::create_dir_all(folder.join("taken.svg")).unwrap();
    let error = figure.save(folder.join("taken.svg")).unwrap_err();
    assert!(matches!(error, DrawError::Write { .. }), "{error}");
    let mut names: Vec<String> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["a.PNG", "a.pdf", "a.svg", "taken.svg"], "no remainders");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn impossible_scales_are_refused() {
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9, 1e-9] {
        let refused = every_layer().to_png(scale);
        assert!(matches!(refused, Err(DrawError::Scale { .. })), "{scale}");
    }
}

#[test]
fn empty_single_and_constant_data_give_pictures_with_axes() {
    let nan = f64::NAN;
    let odd: [Vec<(f64, f64)>; 6] = [
        vec![],
        vec![(nan, nan), (nan, 1.0), (f64::INFINITY, 0.0)],
        vec![(3.0, 4.0)],
        vec![(0.0, 5.0), (1.0, 5.0), (2.0, 5.0 + 1e-15)],
        vec![(1e-300, -1e-300), (2e-300, 3e-300)],
        vec![(-1e300, f64::MIN), (1e300, f64::MAX)],
    ];
    for points in odd {
        let panel = axes()
            .layer(Layer::line(points.iter().copied()))
            .layer(Layer::markers(Marker::Circle, points.iter().copied()))
            .layer(Layer::cloud(points.iter().copied()));
        let figure = Figure::new("").panel(panel);
        let texts = read_xml(&figure.to_svg());
        let numbers = texts.iter().filter(|text| text.trim_start_matches('−').parse::<f64>().is_ok());
        assert!(numbers.count() >= 4, "{points:?} gives {texts:?}");
        figure.to_png(1.0).unwrap();
    }
    read_xml(&Figure::new("no panels").to_svg());
    read_xml(&Figure::stacked("", vec![]).to_svg());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_figure_can_be_drawn(
        points in prop::collection::vec((any::<f64>(), any::<f64>()), 0..30),
        small in prop::collection::vec((-1e3..1e3f64, -1e3..1e3f64), 0..30),
        range in (any::<f64>(), any::<f64>()),
        (size, width, opacity) in ((any::<f64>(), any::<f64>()), any::<f64>(), any::<f64>()),
        (log, share) in (any::<bool>(), any::<bool>()),
        text in any::<String>(),
    ) {
        let mut y = Axis::new(text.clone()).unit(text.clone());
        if log { y = y.log(); }
        let style = |layer: Layer| layer.width(width).opacity(opacity).label(text.clone());
        let panel = Panel::new(Axis::new("x").between(range.0, range.1), y)
            .layer(style(Layer::line(points.iter().chain(&small).copied()).dashed()))
            .layer(style(Layer::markers(Marker::Square, points.iter().copied())))
            .layer(style(Layer::polygon(points.iter().copied())))
            .layer(style(Layer::polygon(small.iter().copied())))
            .layer(style(Layer::cloud(small.iter().copied())))
            .layer(style(Layer::horizontal(range.0)))
            .layer(style(Layer::vertical(range.1)))
            .layer(style(Layer::bands(points.iter().copied())))
            .layer(style(Layer::notes(points.iter().map(|&point| (point, text.clone())))))
            .layer(style(Layer::values(
                Grid::new(points.iter().map(|p| p.0).collect(), small.iter().map(|p| p.1).collect()),
                points.iter().map(|p| p.1).collect(),
                ColorBar::diverging(Axis::new(text.clone())),
            )))
            .layer(style(Layer::values(
                Grid::new(small.iter().map(|p| p.0).collect(), small.iter().map(|p| p.1).collect()),
                points.iter().map(|p| p.0).collect(),
                ColorBar::sequential(Axis::new(text.clone()).log().between(range.1, range.0)),
            )))
            .layer(style(Layer::categories(
                Grid::new(small.iter().map(|p| p.0).collect(), points.iter().map(|p| p.1).collect()),
                small.iter().map(|p| (p.0 > 0.0).then_some(p.1.abs() as u8)).collect(),
                Category::named([text.clone(), String::new()]),
            )))
            .layer(style(Layer::density({
                let mut density = Density::new(range, (-1e3, 1e3), 30, 20);
                small.iter().cycle().take(6000).for_each(|&(x, y)| density.add(x, y));
                density
            })))
            .layer(style(Layer::cells(
                points.iter().map(|point| point.0).collect(),
                points.iter().map(|point| point.1).collect(),
                small.iter().map(|point| point.0 > 0.0).collect(),
            )));
        let mut figure = Figure::new(text).panel(panel.clone()).panel(panel);
        figure.share_x = share;
        read_xml(&figure.to_svg());
        prop_assert!(figure.to_png(0.5).is_ok());
        read_xml(&figure.size(size.0, size.1).to_svg());
    }
}

/// A figure with everything: lines, dots that let others through, images of cells, an image of a dense layer, text along both directions.
fn rich() -> Figure {
    use saltation_draw::{Category, Grid};
    let wave = (0..400).map(|i| f64::from(i) * 0.05).map(|t| (t, t.sin()));
    let dense = (0..30_000).map(f64::from).map(|i| (i * 7e-4, (i * 0.37).sin()));
    let grid = Grid::new(vec![0.0, 10.0, 20.0], vec![0.0, 0.5, 1.0]);
    let cells =
        Layer::categories(grid, vec![Some(0), Some(1), None, Some(1)], Category::named(["period 1", "period 2"]));
    let first = Panel::new(Axis::new("time").unit("s").tight(), Axis::new("angle, φ₁"))
        .layer(Layer::cloud(dense).label("dense"))
        .layer(Layer::line(wave).dashed().label("wave (1 − ω²)"))
        .layer(Layer::markers(Marker::Triangle, [(3.0, 0.1), (6.0, -0.4)]).label("marks"));
    let second = Panel::new(Axis::new("a").tight(), Axis::new("b").tight()).layer(cells);
    Figure::new("Title (with \\ and brackets)").subtitle("ζ = 0.02").panel(first).panel(second)
}

#[test]
fn a_pdf_has_one_page_with_text_and_pictures() {
    let pdf = rich().to_pdf();
    assert_eq!(pdf, rich().to_pdf(), "the same bytes every time");
    assert!(pdf.starts_with(b"%PDF-1.") && pdf.ends_with(b"%%EOF"));
    let text = String::from_utf8_lossy(&pdf);
    for entry in
        ["/Type /Page\n", "/FontFile2", "/ToUnicode", "/SMask", "/XObject", "/ExtGState", "/MediaBox [0 0 480 360]"]
    {
        assert!(text.contains(entry), "{entry}");
    }
    assert_eq!(text.matches("/Subtype /Image").count(), 3, "the dense layer with its opacity, and the cells");
}

#[test]
fn the_legend_names_what_is_seen() {
    let near = Layer::line(vec![(0.0, 0.0), (1.0, 1.0)]).label("curve");
    let beyond = |x: f64| Layer::markers(Marker::Circle, vec![(x, 0.5)]).label("mark").outside_range();
    let across = Layer::line(vec![(-5.0, -5.0), (7.0, 9.0)]).label("across").outside_range();
    let legend = |x: f64| {
        let panel =
            Panel::new(Axis::new("x"), Axis::new("y")).layer(near.clone()).layer(beyond(x)).layer(across.clone());
        read_xml(&Figure::new("").panel(panel).to_svg())
    };
    let names = |texts: &[String]| ["curve", "mark", "across"].map(|name| texts.iter().any(|text| text == name));
    assert_eq!(names(&legend(0.5)), [true, true, true]);
    assert_eq!(names(&legend(3.0)), [true, false, true], "it lies beyond the range");
}
