//! Finds the passages of a section on a solution as the roots of its formula minus the value on the section, on every Taylor step.

use saltation_model::Direction;
use saltation_motion::extension::{Lost, Stretch};
use saltation_numerics::polynomial::{self, Crossing, Workspace, real_roots};

use super::Site;
use crate::signature::Equations;

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
        let mut levels = vec![0.0];
        if let Some(period) = self.period {
            let (low, high) = ((start.min(end) / period).floor() - 1.0, (start.max(end) / period).ceil() + 1.0);
            levels = (0..=(high - low) as usize).map(|k| (low + k as f64) * period).collect();
        }
        let mut moved = row.to_vec();
        for level in levels {
            moved[0] = row[0] - self.offset - level;
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
