//! The structure of the figures: five masses 1/5 in a row between springs of stiffness 5, the first one fixed to the ground, and a wall at
//! distance 1 from the last one.

use saltation_draw::{Color, Points};
use saltation_modes::{LinearModes, Motion};

use super::Outcome;

/// n.
pub(crate) const MASSES: usize = 5;

/// The chain of the paper, with its wall at distance d (negative for a chain that is pressed against it).
pub(crate) fn chain(distance: f64) -> Outcome<LinearModes> {
    let (each, spring) = (0.2, 5.0);
    let (mut mass, mut stiffness) = (vec![], vec![]);
    for i in 0..MASSES {
        mass.push((i, i, each));
        stiffness.push((i, i, if i + 1 < MASSES { 2.0 * spring } else { spring }));
        if i + 1 < MASSES {
            stiffness.extend([(i, i + 1, -spring), (i + 1, i, -spring)]);
        }
    }
    let mut normal = [0.0; MASSES];
    normal[MASSES - 1] = -1.0;
    Ok(LinearModes::new(MASSES, &mass, &stiffness, &normal, distance)?)
}

/// The linear mode that grazes, seen as a motion with one impact, of speed 0, in so many of its periods.
pub(crate) fn grazing(modes: &LinearModes, mode: usize, multiple: usize) -> Motion {
    let amplitude = -modes.gap() / (modes.root_mobility() * modes.shares()[mode]);
    let mut amplitudes = vec![[0.0; 2]; modes.len()];
    amplitudes[mode][0] = modes.frequencies()[mode] * amplitude;
    Motion { impact_times: vec![multiple as f64 * modes.period(mode)], lambda: vec![0.0], amplitudes }
}

/// All multiples of the T_p in an interval, growing, with p from 0.
pub(crate) fn harmonics(modes: &LinearModes, from: f64, to: f64) -> Vec<(f64, usize)> {
    let multiples = |p: usize| {
        let own = modes.period(p);
        (1..).map(move |m| (f64::from(m) * own, p)).take_while(move |(at, _)| *at < to)
    };
    let mut all: Vec<(f64, usize)> = (0..modes.len()).flat_map(multiples).filter(|(at, _)| *at > from).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

/// x_n(t) over one period, counted from a moment of the period; it ends where it begins.
pub(crate) fn last_mass(modes: &LinearModes, motion: &Motion, from: f64) -> Points {
    let path = motion.path(modes, 240);
    let period = motion.period();
    // Two periods in a row, of which the one that begins at the moment is cut out.
    let twice = path.iter().map(|(t, u, _)| (t - from, u)).chain(path.iter().map(|(t, u, _)| (t - from + period, u)));
    twice.map(|(t, u)| (t, u[MASSES - 1])).filter(|(t, _)| (0.0..=period).contains(t)).collect()
}

/// Between the first colour and the second.
pub(crate) fn mixed(first: Color, second: Color, part: f64) -> Color {
    let mix = |a: u8, b: u8| (f64::from(a) + part * (f64::from(b) - f64::from(a))).round() as u8;
    Color::rgb(mix(first.red, second.red), mix(first.green, second.green), mix(first.blue, second.blue))
}

/// `count` numbers from the first to the second, both included.
pub(crate) fn spread(from: f64, to: f64, count: usize) -> impl Iterator<Item = f64> {
    (0..count).map(move |i| from + (to - from) * i as f64 / (count.max(2) - 1) as f64)
}
