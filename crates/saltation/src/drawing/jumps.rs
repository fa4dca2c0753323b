//! The jumps of a motion in a plane, those of every contact in a style of their own.

use crate::drawing::gauge::Gauge;
use crate::drawing::motion::Shown;
use crate::drawing::quantity::Quantity;
use saltation_draw::{Color, Layer};
use saltation_motion::EventKind;

const BREAK: (f64, f64) = (f64::NAN, f64::NAN);

/// The colours of the jumps at the contacts that jump, in their order.
const COLORS: [Color; 4] =
    [Color::rgb(240, 150, 90), Color::rgb(60, 140, 110), Color::rgb(170, 110, 180), Color::rgb(90, 130, 190)];
/// The width of the jumps at the last contact, and how much wider those of every contact before are, so that all are seen at one place.
const WIDTH: f64 = 1.8;
const WIDER: f64 = 2.0;

/// Both ends of every jump, each pair followed by a break, by contacts.
pub(crate) fn by_contact(
    shown: Shown,
    gauge: &mut Gauge,
    plane: (Quantity, Quantity),
    wrapped: &dyn Fn(Quantity, f64) -> f64,
) -> Vec<(usize, Vec<(f64, f64)>)> {
    let kinds = [EventKind::Impact, EventKind::Chatter, EventKind::ImpactWithoutCollision];
    let mut found: Vec<(usize, Vec<(f64, f64)>)> = Vec::new();
    for event in shown.events.iter().filter(|event| kinds.contains(&event.kind)) {
        let Some(contact) = event.contact else { continue };
        let mut place = |state: &[f64]| {
            let mut values = [0.0; 2];
            gauge.at(state, event.mode.into(), &[plane.0, plane.1], &mut values);
            (wrapped(plane.0, values[0]), wrapped(plane.1, values[1]))
        };
        let (before, after) = (place(&event.before), place(&event.after));
        if before == after {
            continue;
        }
        let known = found.iter().position(|(other, _)| *other == contact).unwrap_or_else(|| {
            found.push((contact, Vec::new()));
            found.len() - 1
        });
        found[known].1.extend([before, after, BREAK]);
    }
    found.sort_by_key(|(contact, _)| *contact);
    found
}

/// The most jumps of each contact that are compared with those of the others.
const COMPARED: usize = 100;

/// Whether jumps of two contacts lie one over another: their boxes meet.
fn meet(a: &[(f64, f64)], b: &[(f64, f64)]) -> bool {
    let boxes = |points: &[(f64, f64)]| -> Vec<[f64; 4]> {
        let of = |ends: &[(f64, f64)]| {
            let (p, q) = (ends[0], ends[1]);
            [p.0.min(q.0), p.0.max(q.0), p.1.min(q.1), p.1.max(q.1)]
        };
        points.chunks_exact(3).take(COMPARED).map(of).collect()
    };
    let (a, b) = (boxes(a), boxes(b));
    let over = |p: &[f64; 4], q: &[f64; 4]| p[0] <= q[1] && q[0] <= p[1] && p[2] <= q[3] && q[2] <= p[3];
    a.iter().any(|p| b.iter().any(|q| over(p, q)))
}

/// The layers of jumps: wider ones below where they lie one over another, so that those of all contacts are seen.
pub(crate) fn layers(shown: Shown, jumps: Vec<(usize, Vec<(f64, f64)>)>) -> Vec<Layer> {
    let contacts = &shown.system.model().contacts;
    let count = jumps.len();
    let apart = (2..=COLORS.len()).contains(&count);
    let covers = |i: usize| jumps[i + 1..].iter().filter(|(_, later)| meet(&jumps[i].1, later)).count();
    let wider: Vec<usize> = (0..count).map(covers).collect();
    let layer = |(i, (contact, points)): (usize, (usize, Vec<(f64, f64)>))| match apart {
        true => Layer::line(points)
            .color(COLORS[i])
            .width(WIDTH + WIDER * wider[i] as f64)
            .label(format!("jump at {}", contacts[contact].name)),
        false => Layer::line(points).color(COLORS[0]).width(WIDTH).label("jump"),
    };
    jumps.into_iter().enumerate().map(layer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_jumps_at_one_place_lie_one_over_another() {
        let jump = |x: f64| [(x, 1.0), (x, -0.9), BREAK];
        assert!(meet(&jump(0.0), &[jump(3.0), jump(0.0)].concat()));
        assert!(!meet(&jump(0.0), &jump(3.0)));
    }
}
