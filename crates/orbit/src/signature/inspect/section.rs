//! Finds the passages of a section on a solution as the roots of its formula minus the value on the section, on every Taylor step.

use saltation_model::Direction;
use saltation_motion::extension::{Lost, Stretch};
use saltation_numerics::polynomial::{self, Crossing, Workspace, real_roots};

use super::Site;
use crate::signature::Equations;

/// Terms that are larger than others by this factor are larger in spite of rounding.
const TERMS_ROUNDING: f64 = 1.0 + 1e-9;

/// A section whose passages are recorded: where its formula is `offset`, or differs from that by whole periods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MonitoredSection {
    /// The position in [`System::section_names`](saltation_motion::System::section_names).
    pub section: usize,
    /// The value of the formula on it.
    pub offset: f64,
    /// The period of the formula, if it goes round.
    pub period: Option<f64>,
    /// In which direction it is passed.
    pub direction: Direction,
}

impl MonitoredSection {
    /// The passages on a step.
    pub(super) fn passages(&self, row: &[f64], h: f64, workspace: &mut Workspace, mut report: impl FnMut(f64)) {
        let (start, end) = (row[0] - self.offset, polynomial::evaluate(row, h) - self.offset);
        let (low, count, period) = self.period.map_or((0.0, 0, 0.0), |period| {
            let (low, high) = ((start.min(end) / period).floor() - 1.0, (start.max(end) / period).ceil() + 1.0);
            (low, (high - low) as usize, period)
        });
        // No root where the first coefficient is larger than all other terms.
        let varies = TERMS_ROUNDING * row.iter().skip(1).rev().fold(0.0, |sum, c| sum * h + c.abs()) * h;
        let mut moved = Vec::new();
        for level in (0..=count).map(|k| (low + k as f64) * period) {
            let first = row[0] - self.offset - level;
            if first.abs() > varies {
                continue;
            }
            moved.clear();
            moved.extend_from_slice(row);
            moved[0] = first;
            for root in real_roots(&moved, 0.0, h, 0.0, workspace) {
                let wanted = match self.direction {
                    Direction::Rising => root.crossing == Crossing::Rising,
                    Direction::Falling => root.crossing == Crossing::Falling,
                    Direction::Any => root.crossing != Crossing::Touching,
                };
                // The end of a step is the start of the next.
                if wanted && root.at < h {
                    report(root.at);
                }
            }
        }
    }
}

/// The place on a step so long after its beginning.
pub(super) fn site(node: usize, step: &Stretch, states: usize, since: f64) -> Site {
    let state = (0..states).map(|i| polynomial::evaluate(step.state(i), since)).collect();
    Site { node, time: step.start + since, state }
}

impl Equations<'_> {
    /// The passages of a section in the other half of an orbit, the mirror image of the nodes.
    pub(super) fn mirrored_passages(
        &mut self,
        unknowns: &[f64],
        watched: MonitoredSection,
        workspace: &mut Workspace,
        passages: &mut Vec<Site>,
    ) -> Result<(), Lost> {
        let Some(mirror) = self.signature().mirror.clone() else { return Ok(()) };
        let turns = self.turn_lengths(unknowns);
        let states = self.layout.states;
        for node in 0..self.signature().nodes.len() {
            let at = self.layout.nodes[node];
            self.jump(node, &unknowns[at..at + states])?;
            let image = self.jumped().0.iter().zip(&mirror.signs).zip(&turns);
            let start: Vec<f64> = image.map(|((x, sign), turn)| sign * x + turn).collect();
            let after = self.signature().nodes[node].after.mirrored(&mirror);
            let length = self.layout.duration(node, unknowns).max(0.0);
            self.flow.follow(after, &start, length, &mut |step: &Stretch| {
                let Some(row) = step.section(watched.section) else { return };
                watched.passages(row, step.length, workspace, |since| passages.push(site(node, step, states, since)));
            })?;
        }
        Ok(())
    }
}
