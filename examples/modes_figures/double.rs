//! Figures 9 to 11: two impacts per period.

use saltation_draw::{Axis, Color, Figure, Layer, Marker, Panel, Points};
use saltation_modes::{Family, LinearModes, Motion, Search};

use super::Outcome;
use super::chain::{chain, grazing, last_mass, mixed, spread};
use super::contour::zeros;
use super::families::families;
use super::view::View;

/// Of Figure 9, both ways.
const WIDTH: f64 = 3.2;

/// One colour for every linear mode.
const COLORS: [Color; 5] = [Color::BLACK, Color::VERMILLION, Color::GREEN, Color::PURPLE, Color::SKY];

/// Σ q² sin(ω (σ_2 - σ_1)/2) Π' sin(ω (σ_1 + σ_2)/2)/(σ_2 - σ_1), the product over the other modes: it is zero where Π_12 is, but for
/// σ_1 = σ_2, and nowhere infinite.
fn reduced(modes: &LinearModes, first: f64, second: f64) -> f64 {
    let (half_sum, half) = (0.5 * (first + second), 0.5 * (second - first));
    let term = |p: usize| {
        let w = modes.frequencies()[p];
        let others = modes.frequencies().iter().enumerate().filter(|(other, _)| *other != p);
        let product: f64 = others.map(|(_, w)| (w * half_sum).sin()).product();
        let slope = if half.abs() < 1e-9 { w } else { (w * half).sin() / half };
        modes.squares()[p] * slope * product
    };
    (0..modes.len()).map(term).sum()
}

/// All families with two impacts that a search finds.
fn found(modes: &LinearModes) -> Vec<Family> {
    let search = Search { impacts: 2, periods: (1.0, 5.0), starts: 800, ..Search::default() };
    families(modes, &search, 0.05)
}

/// Of the families that begin at 3 T_3, where the third linear mode grazes, the one with the flights T_3 and 2 T_3; from there on.
fn from_three_third_periods(modes: &LinearModes, all: Vec<Family>) -> Outcome<Family> {
    let own = modes.period(2);
    let begins = |times: &[f64]| {
        let first = times[0].min(times[1] - times[0]);
        (times[1] - 3.0 * own).abs() < 1e-6 && (first - own).abs() < 1e-3
    };
    let is = |family: &Family| begins(&family.begins.impact_times) || begins(&family.ends.impact_times);
    let mut family = all.into_iter().find(is).ok_or("a family begins at 3 T₃")?;
    if !begins(&family.begins.impact_times) {
        std::mem::swap(&mut family.begins, &mut family.ends);
        family.motions.reverse();
    }
    // The shorter flight first.
    for motion in &mut family.motions {
        let sigma = motion.flight_times();
        if sigma[0] > sigma[1] {
            *motion = motion.rotated(modes, 0);
        }
    }
    Ok(family)
}

/// The motions of the family at these periods, by interpolation's nearest neighbour; first the linear mode.
fn chosen(modes: &LinearModes, family: &Family, count: usize) -> Vec<Motion> {
    let (from, to) = (family.begins.period(), family.ends.period());
    // Near the other end the motions grow without bound.
    let periods = spread(0.0, 0.75, count).skip(1).map(|s| from + s * (to - from));
    let nearest = |period: f64| {
        let distance = |motion: &&Motion| (motion.period() - period).abs();
        family.motions.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).cloned()
    };
    let mut linear = grazing(modes, 2, 3);
    linear.impact_times.insert(0, modes.period(2));
    linear.lambda.push(0.0);
    std::iter::once(linear).chain(periods.filter_map(nearest)).collect()
}

fn shade(part: f64) -> Color {
    mixed(Color::BLUE, Color::VERMILLION, part)
}

fn name(i: usize, motion: &Motion) -> String {
    format!("T = {:.4}{}", motion.period(), if i == 0 { ", grazing linear mode" } else { "" })
}

/// Figure 9.
pub(crate) fn roots() -> Outcome<Figure> {
    let modes = chain(1.0)?;
    let all = found(&modes);
    let flights = |family: &Family| -> Points {
        let pair = |motion: &Motion| {
            let sigma = motion.flight_times();
            (sigma[0].max(sigma[1]), sigma[0].min(sigma[1]))
        };
        family.motions.iter().map(pair).chain([(f64::NAN, f64::NAN)]).collect()
    };
    let admissible: Points = all.iter().flat_map(flights).collect();
    let family = from_three_third_periods(&modes, all)?;
    let axis = |name: &str| Axis::new(name).between(0.0, WIDTH);
    let curves = zeros(|x, y| reduced(&modes, x, y), 0.0, WIDTH, 640);
    let mut panel = Panel::new(axis("first flight σ₁"), axis("second flight σ₂"))
        .layer(Layer::line(curves).color(Color::GREY).width(0.8).label("Π₁₂ = 0"))
        .layer(Layer::line([(0.0, 0.0), (WIDTH, WIDTH)]).color(Color::GREY).width(0.8));
    for (p, color) in COLORS.into_iter().enumerate().take(modes.len()) {
        let own = modes.period(p);
        let lines = (1..).map(|q| f64::from(q) * own).take_while(|sum| *sum < 2.0 * WIDTH);
        let line = |sum: f64| [(0.5 * sum, 0.5 * sum), (0.0, sum), (f64::NAN, f64::NAN)];
        let all: Points = lines.flat_map(line).collect();
        let pairs = (1..20).flat_map(|q| (1..=q).map(move |p| (0.5 * f64::from(p), f64::from(q) - 0.5 * f64::from(p))));
        let dots = pairs.map(|(first, second)| (first * own, second * own));
        let dots: Points = dots.filter(|(first, second)| *first <= *second && *second < WIDTH).collect();
        if !all.is_empty() {
            let name = format!("multiples of T{}", ['₁', '₂', '₃', '₄', '₅'][p]);
            panel = panel.layer(Layer::line(all).color(color).width(0.8).dashed().label(name));
            panel = panel.layer(Layer::markers(Marker::Circle, dots).color(color).width(4.2));
        }
    }
    let triple = 3.0 * modes.period(2);
    panel = panel
        .layer(
            Layer::line([(0.5 * triple, 0.5 * triple), (triple, 0.0)])
                .color(Color::GREEN)
                .width(1.4)
                .label("σ₁ + σ₂ = 3 T₃"),
        )
        .layer(Layer::line(admissible).color(Color::ORANGE).width(2.6).label("admissible (d = 1)"))
        .layer(Layer::line(flights(&family)).color(Color::BLUE).width(3.2).label("from (2 T₃, T₃) to λ = ∞"));
    Ok(Figure::new("Which two flights can follow each other? Zeros of Π₁₂ of the chain of five masses")
        .subtitle(format!(
            "above the diagonal the dots (p T/2, (q − p/2) T), T = T₁ ... T₅; below it what is admissible; Figure 10 shows T = {:.4} to {:.4}",
            family.begins.period(), family.ends.period()
        ))
        .size(760.0, 820.0)
        .panel(panel))
}

/// Figure 10.
pub(crate) fn positions() -> Outcome<Figure> {
    let modes = chain(1.0)?;
    let family = from_three_third_periods(&modes, found(&modes))?;
    let all = chosen(&modes, &family, 6);
    let longest = all[0].period();
    let mut panel = Panel::new(
        Axis::new("time t since the middle of the shorter flight").between(-0.5 * longest, 0.5 * longest),
        Axis::new("last mass x₅"),
    )
    .layer(Layer::horizontal(modes.gap()).color(Color::BLACK).width(1.4).label("wall"))
    .layer(Layer::vertical(0.0).color(Color::GREY).label("axis of symmetry"));
    let mut touches: [Points; 2] = Default::default();
    for (i, motion) in all.iter().enumerate() {
        // A period that is centred at the middle of the shorter flight.
        let middle = 0.5 * motion.impact_times[0];
        let begin = middle + 0.5 * motion.period();
        let line = last_mass(&modes, motion, begin).into_iter().map(|(t, x)| (t - 0.5 * motion.period(), x));
        let (color, width) = if i == 0 { (Color::GREEN, 2.0) } else { (shade((i - 1) as f64 / 4.0), 1.4) };
        panel = panel.layer(Layer::line(line).color(color).width(width).label(name(i, motion)));
        touches[0].push((-middle, modes.gap()));
        touches[1].push((middle, modes.gap()));
    }
    for touch in touches {
        panel = panel.layer(Layer::markers(Marker::Circle, touch).color(Color::BLACK).width(4.0).label("impact"));
    }
    Ok(Figure::new("Two impacts per period: the family from the third linear mode at 3 T₃")
        .subtitle(format!(
            "it grows without bound as T falls to {:.6}; every motion has its axes in the middles of its flights",
            family.ends.period()
        ))
        .size(760.0, 500.0)
        .panel(panel))
}

/// Figure 11.
pub(crate) fn manifold() -> Outcome<Figure> {
    let modes = chain(1.0)?;
    let family = from_three_third_periods(&modes, found(&modes))?;
    let view = View { right: 0.45, up: 3.0 };
    let all = chosen(&modes, &family, 41);
    let last = all.len() - 1;
    let mut panel = view.panel([2.0, 2.0, 15.0]);
    for (i, motion) in all.iter().enumerate().skip(1).filter(|(i, _)| i % 8 != 0) {
        let color = mixed(Color::rgb(150, 200, 235), Color::rgb(240, 190, 160), i as f64 / last as f64);
        panel = panel.layer(Layer::line(view.orbit(&modes, motion)).color(color).width(0.7));
    }
    for i in (8..=last).step_by(8) {
        let orbit = view.orbit(&modes, &all[i]);
        panel = panel.layer(Layer::line(orbit).color(Color::VERMILLION).width(1.3).label("five motions of Figure 10"));
    }
    panel = panel
        .layer(Layer::line(view.orbit(&modes, &all[0])).color(Color::GREEN).width(2.4).label("grazing linear mode"));
    for (impact, after) in [(0, false), (0, true), (1, false), (1, true)] {
        let touches = view.touches(&modes, &all[1..], impact, after);
        panel = panel.layer(Layer::line(touches).color(Color::ORANGE).width(2.4).label("on the wall, x₅ = d"));
    }
    Ok(Figure::new("The nonsmooth mode with two impacts per period from 3 T₃")
        .subtitle(format!(
            "T from {:.4} down to {:.4}; oblique view of (x₄, x₅, dx₅/dt)",
            all[0].period(),
            all[last].period()
        ))
        .size(760.0, 680.0)
        .panel(panel))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dots_are_zeros_and_so_are_the_flights_of_the_family() {
        let modes = chain(1.0).unwrap();
        for p in 0..5 {
            let own = modes.period(p);
            assert!(reduced(&modes, 0.5 * own, 2.5 * own).abs() < 1e-13);
        }
        let family = from_three_third_periods(&modes, found(&modes)).unwrap();
        for motion in &family.motions {
            let sigma = motion.flight_times();
            assert!(reduced(&modes, sigma[0], sigma[1]).abs() < 1e-10, "{sigma:?}");
        }
        // Reference values, with the end where λ is infinite.
        assert!((family.ends.period() - 2.659760388834639).abs() < 1e-9);
    }
}
