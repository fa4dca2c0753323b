//! What is watched on the cells of a linear flow: its values at both ends as functions of the state there, and bounds on its high derivatives.

use super::exact::Exact;

/// What must not happen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// A root or a minimum of an open contact's gap.
    Gap(usize),
    /// A fall of a contact force to zero.
    Force,
    /// A passage of a section.
    Section(usize),
}

/// |u^(k)| on a cell, at most `states` |x| + `constant` for the state x at its beginning; times a power of h.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    states: Vec<f64>,
    constant: f64,
}

impl Bound {
    #[inline(always)]
    pub(super) fn at(&self, state: &[f64]) -> f64 {
        state.iter().zip(&self.states[..state.len()]).fold(self.constant, |sum, (x, weight)| sum + weight * x.abs())
    }
}

/// One function that is watched: its value and derivatives stand from `first` on in a row of values.
#[derive(Debug, Clone)]
pub(super) struct Watched {
    pub(super) kind: Kind,
    pub(super) first: usize,
    /// The coefficient of the phase, and what that adds on one cell.
    pub(super) slope: f64,
    pub(super) advance: f64,
    /// The error of the cubic: of the opening speed for gaps, of the value for others.
    pub(super) cubic: Bound,
    /// For gaps: how far the opening acceleration is from the straight line between its ends, and the sum of all terms.
    pub(super) line: Bound,
    pub(super) size: Bound,
}

/// What is watched, each with its place among the outputs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Watch(Vec<(Kind, usize)>);

impl Watch {
    /// The gaps of contacts, the contact forces and the sections.
    pub(crate) fn new(
        gaps: impl Iterator<Item = (usize, usize)>,
        forces: impl Iterator<Item = usize>,
        sections: impl Iterator<Item = (usize, usize)>,
    ) -> Watch {
        let gaps = gaps.map(|(contact, output)| (Kind::Gap(contact), output));
        let forces = forces.map(|output| (Kind::Force, output));
        let sections = sections.map(|(section, output)| (Kind::Section(section), output));
        Watch(gaps.chain(forces).chain(sections).collect())
    }
}

/// What is needed to pass quiet cells, wherever the grid begins.
#[derive(Debug)]
pub(crate) struct QuietField {
    watch: Watch,
    /// The values at a point: the states, then what is watched.
    pub(super) width: usize,
    pub(super) watched: Vec<Watched>,
    /// How each state contributes to the values at the same point, and at the end of the cell: there to the changes of the
    /// states, whose rounding is so much smaller than that of the states.
    pub(super) here: Vec<f64>,
    pub(super) next: Vec<f64>,
    /// How 1 and the waves at the beginning of a cell contribute to every value that is watched: there, and at the end of the cell.
    pub(super) waves: Vec<f64>,
    pub(super) third: f64,
    pub(super) cell: f64,
    /// How far the phase moves on one cell.
    pub(super) step: f64,
}

impl QuietField {
    /// Watches some outputs.
    pub(crate) fn new(exact: &Exact<f64>, watch: Watch) -> QuietField {
        let (n, size, h) = (exact.moving, exact.size(), exact.cell);
        let kinds = &watch.0;
        let derivatives = |kind: Kind| if matches!(kind, Kind::Gap(_)) { 3 } else { 2 };
        let values: usize = kinds.iter().map(|&(kind, _)| derivatives(kind)).sum();
        // The rows of what is watched as functions of the generators at the beginning of a cell: there, at its end, and what the phase adds to both.
        let mut rows = vec![0.0; 2 * values * size];
        let mut paces = Vec::with_capacity(values);
        let mut watched = Vec::with_capacity(kinds.len());
        let mut room = vec![0.0; size];
        for &(kind, output) in kinds {
            let series = &exact.outputs[output];
            let first = n + paces.len();
            for order in 0..derivatives(kind) {
                let (here, next) = rows[2 * paces.len() * size..][..2 * size].split_at_mut(size);
                series.here(order, here);
                series.later(order, h, next);
                paces.push(if order == 1 { series.pace() } else { 0.0 });
            }
            let mut bound = |order: usize, factor: f64| {
                series.bound(order, h, &mut room);
                let states = room[..n].iter().map(|entry| entry * factor).collect();
                Bound { states, constant: factor * room[n..].iter().sum::<f64>() }
            };
            let cubic = if derivatives(kind) == 3 { 5 } else { 4 };
            watched.push(Watched {
                kind,
                first,
                slope: series.slope(),
                advance: series.pace() * h,
                cubic: bound(cubic, h.powi(4) / 384.0),
                line: bound(4, h * h / 8.0),
                size: bound(0, 1.0),
            });
        }
        let gap_alone = matches!(watched[..], [Watched { kind: Kind::Gap(_), .. }]);
        let width = (n + values).next_multiple_of(if gap_alone { 2 } else { 4 });
        let [mut here, mut next] = [vec![0.0; n * width], vec![0.0; n * width]];
        for i in 0..n {
            let (here, next) = (&mut here[i * width..(i + 1) * width], &mut next[i * width..(i + 1) * width]);
            here[i] = 1.0;
            (0..n).for_each(|state| next[state] = exact.change(state)[i]);
            for (r, pair) in rows.chunks_exact(2 * size).enumerate() {
                (here[n + r], next[n + r]) = (pair[i], pair[size + i]);
            }
        }
        // What the phase adds is constant, as 1 is.
        let mut waves = Vec::with_capacity(2 * values * (size - n));
        for (row, pace) in rows.chunks_exact(size).zip(paces.iter().flat_map(|pace| [pace; 2])) {
            waves.push(row[n] + pace);
            waves.extend_from_slice(&row[n + 1..]);
        }
        let step = exact.circle.map_or(0.0, |circle| circle.rate * h);
        QuietField { watch, width, watched, here, next, waves, third: h / 3.0, cell: h, step }
    }

    /// Whether these are the outputs that it watches.
    pub(crate) fn watches(&self, watch: &Watch) -> bool {
        self.watch == *watch
    }
}
