//! Quantities of a motion over time as plain numbers, for a face that draws them itself: points so close that straight lines between them follow the
//! curve, and the times of contact and of sliding.

use crate::drawing::contact_times::{Doing, of_contact, of_sliding};
use crate::drawing::lines::{extents, over_time, scale};
use crate::drawing::motion::Shown;
use crate::drawing::quantity::Quantity;
use serde::Serialize;

/// The size of the drawing in which lines are to be straight, in points.
const PAGE: (f64, f64) = (2000.0, 800.0);
/// Beyond this number of points a curve is given by its least and greatest values in narrow columns.
const MOST_POINTS: usize = 20_000;
/// The number of these columns.
const COLUMNS: usize = 4000;

/// A quantity over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimeCurve {
    /// Its name: a state, `gap:CONTACT`, `force:CONTACT` or `energy`.
    pub name: String,
    /// Its unit, where the model gives one.
    pub unit: Option<String>,
    /// The times of its points.
    pub time: Vec<f64>,
    /// Its values there; none where it jumps.
    pub value: Vec<Option<f64>>,
}

/// An interval of time in which a contact is closed or the motion slides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interval {
    /// Its beginning.
    pub from: f64,
    /// Its end.
    pub to: f64,
    /// `contact` of a contact without friction, `stick`, `slip+` or `slip-` of one with friction, or `sliding` along the surface of a switch.
    pub mode: String,
    /// The contact; none of a switch.
    pub contact: Option<String>,
}

/// Quantities of a motion over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curves {
    /// The quantities in the order asked for.
    pub curves: Vec<TimeCurve>,
    /// The times of contact and of sliding, of the whole motion.
    pub modes: Vec<Interval>,
}

/// The curves of some quantities between two times.
pub(crate) fn curves(shown: Shown, quantities: &[Quantity], (from, to): (f64, f64)) -> Curves {
    let model = shown.system.model();
    let mut gauge = shown.gauge();
    let pieces = || shown.trajectory.pieces().filter(|piece| piece.start <= to && piece.start + piece.length >= from);
    let sizes = extents(pieces(), &mut gauge, quantities);
    let horizontal = scale((from, to), PAGE.0);
    let curve = |(&quantity, &size): (&Quantity, &(f64, f64))| {
        let line = over_time(pieces(), &mut gauge, quantity, (horizontal, scale(size, PAGE.1))).line;
        let line = if line.len() > MOST_POINTS { in_columns(&line) } else { line };
        let unit = quantity.unit(model).map(str::to_string);
        // A break stands at the time of its jump.
        let mut last = from;
        let time = line.iter().map(|point| {
            last = if point.0.is_finite() { point.0 } else { last };
            last
        });
        let time = time.collect();
        let value = line.iter().map(|point| Some(point.1).filter(|value| value.is_finite())).collect();
        TimeCurve { name: quantity.column(model), unit, time, value }
    };
    let curves = quantities.iter().zip(&sizes).map(curve).collect();
    Curves { curves, modes: intervals(shown) }
}

fn intervals(shown: Shown) -> Vec<Interval> {
    let interval = |contact: Option<&str>, (doing, (from, to)): (Doing, (f64, f64))| {
        let mode = match doing {
            Doing::Lasts => "contact",
            Doing::Sticks => "stick",
            Doing::Forwards => "slip+",
            Doing::Backwards => "slip-",
            Doing::Slides => "sliding",
        };
        Interval { from, to, mode: mode.to_string(), contact: contact.map(str::to_string) }
    };
    let contacts = shown.system.model().contacts.iter().enumerate();
    let of_contacts = contacts.flat_map(|(k, contact)| {
        let times = of_contact(shown.trajectory, k, contact.friction.is_some());
        times.into_iter().map(move |time| interval(Some(&contact.name), time))
    });
    of_contacts
        .chain(of_sliding(shown.trajectory, shown.system.model()).into_iter().map(|time| interval(None, time)))
        .collect()
}

/// The least and the greatest value in each of many columns, in the order in which they occur.
fn in_columns(line: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let finite: Vec<(f64, f64)> = line.iter().copied().filter(|point| point.1.is_finite()).collect();
    let size = finite.len().div_ceil(COLUMNS).max(1);
    let column = |points: &[(f64, f64)]| {
        let less = |a: &usize, b: &usize| points[*a].1.total_cmp(&points[*b].1);
        let least = (0..points.len()).min_by(less).unwrap_or(0);
        let greatest = (0..points.len()).max_by(less).unwrap_or(0);
        [points[least.min(greatest)], points[least.max(greatest)]]
    };
    finite.chunks(size).flat_map(column).collect()
}

#[cfg(test)]
mod tests {
    use crate::EventKind;
    use crate::system::System;

    /// The points lie on the motion, whose second route is the table of samples; jumps of the velocity are breaks.
    #[test]
    fn curves_are_the_motion() {
        let system = System::gallery("bouncing-ball").unwrap();
        let run = system.simulation().until(2.0).every(0.01).with_path().run().unwrap();
        let names = [system.state_names()[0].clone(), system.state_names()[1].clone()];
        let curves = run.curves(&names, None).unwrap().unwrap();
        let samples = run.samples.as_ref().unwrap();
        let times = samples.get("time").unwrap();
        for curve in &curves.curves {
            let wanted = samples.get(&curve.name).unwrap();
            for (time, value) in times.iter().zip(wanted) {
                let after = curve.time.partition_point(|t| t < time).clamp(1, curve.time.len() - 1);
                let ends = (curve.value[after - 1], curve.value[after]);
                let (Some(a), Some(b)) = ends else { continue };
                let share = (time - curve.time[after - 1]) / (curve.time[after] - curve.time[after - 1]).max(1e-300);
                assert!((a + share.min(1.0) * (b - a) - value).abs() < 0.02, "{} at {time}", curve.name);
            }
        }
        let breaks = curves.curves[1].value.iter().filter(|value| value.is_none()).count();
        assert_eq!(breaks, run.events.iter().filter(|event| event.kind == EventKind::Impact).count());
        assert!(system.simulate(1.0).unwrap().curves(&names, None).unwrap().is_none(), "no path was kept");
        assert!(run.curves(&["nothing".to_string()], None).is_err());
    }
}
