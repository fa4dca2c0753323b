//! The change of velocities by impulses: what a contact problem has decided, carried out on any kind of number.
//!
//! The decision says for every contact which of its laws hold as equations. These are linear in the impulses:
//! M (v+ - v-) = sum (w_N Lambda_N + w_T Lambda_T), Leine & Brogliato, Eq. (2.12). On dual numbers the same equations give the derivative
//! of the jump, and with restitution 0 they are the projection of velocities onto g_N' = g_T' = 0 along M^-1 w.

use saltation_numerics::number::Number;

use super::touch::Touch;
use crate::instant::knowledge::ELIMINATED;

/// What holds along the normal of a contact in an impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NormalRule {
    /// No impulse.
    Free,
    /// g_N'(t+) = -e g_N'(t-), with the speed at the beginning of the phase.
    Newton,
    /// g_N'(t+) = 0.
    Halt,
    /// Lambda_N = e times that of the phase before (Poisson).
    Restitution,
}

/// What holds along its surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TangentialRule {
    /// No impulse.
    Free,
    /// Lambda_T = -mu Lambda_N or +mu Lambda_N.
    Slip(crate::mode::Slip),
    /// g_T'(t+) = 0.
    Stick,
}

/// The rules of one contact.
pub(crate) type Rules = (NormalRule, TangentialRule);

/// Room for the equations, and the impulses that were found.
#[derive(Debug, Clone)]
pub(crate) struct Impulses<T = f64> {
    /// For every contact of the group its normal and its tangential impulse, of the last phase.
    pub found: Vec<(T, T)>,
    /// The same for all phases since [`Impulses::begin`].
    pub total: Vec<(T, T)>,
    /// Whether gaps are to be closed, instead of speeds to be changed.
    pub of_gaps: bool,
    /// Equations and their right sides, by rows.
    rows: Vec<T>,
    unknowns: Vec<(usize, bool)>,
    /// w' M^-1 w of every unknown, with its friction where it slips: entries over the roots for their row and column have no unit.
    metric: Vec<T>,
    measure: Vec<f64>,
    /// Whether the equations are symmetric: no contact slips.
    symmetric: bool,
    /// What unknowns with a pivot change by for each unknown without one, and the equations of these.
    kernel: Vec<T>,
    normal: Vec<T>,
    /// The columns and rows in the order of elimination.
    order: Vec<usize>,
    row_of: Vec<usize>,
    solution: Vec<T>,
    /// The impulses of the phase before.
    earlier: Vec<(T, T)>,
    change: Vec<T>,
}

impl<T: Number> Default for Impulses<T> {
    fn default() -> Self {
        let (found, total, earlier, rows, solution, change) = Default::default();
        let (unknowns, measure, order, row_of) = Default::default();
        let (metric, kernel, normal) = Default::default();
        let (of_gaps, symmetric) = (false, true);
        Impulses {
            of_gaps,
            found,
            total,
            earlier,
            rows,
            unknowns,
            metric,
            measure,
            symmetric,
            kernel,
            normal,
            order,
            row_of,
            solution,
            change,
        }
    }
}

impl<T: Number> Impulses<T> {
    /// The change of every velocity in one phase of an impact at contacts that touch the state before it.
    ///
    /// `moved` is the change of velocities so far (of earlier phases), `laws` the rules of every contact in `group`. Where equations follow from
    /// others, impulses are one choice of many: those of least norm, sum (w' M^-1 w) Lambda^2, whatever the order of contacts.
    pub(crate) fn phase(&mut self, touches: &[Touch<T>], group: &[usize], laws: &[Rules], moved: &mut [T]) {
        std::mem::swap(&mut self.found, &mut self.earlier);
        self.change.clear();
        self.change.resize(moved.len(), T::ZERO);
        self.found.clear();
        self.found.resize(group.len(), (T::ZERO, T::ZERO));
        self.unknowns.clear();
        for (k, &(normal, tangential)) in laws.iter().enumerate() {
            match normal {
                NormalRule::Newton | NormalRule::Halt => self.unknowns.push((k, false)),
                NormalRule::Restitution => {
                    let touch = &touches[group[k]];
                    let impulse = touch.restitution() * self.earlier.get(k).map_or(T::ZERO, |pair| pair.0);
                    self.found[k].0 = impulse;
                    if let TangentialRule::Slip(slip) = tangential {
                        self.found[k].1 = -(touch.friction() * impulse).scale(slip.sign());
                    }
                    push(&mut self.change, touch, self.found[k]);
                }
                NormalRule::Free => {}
            }
            if tangential == TangentialRule::Stick && normal != NormalRule::Free {
                self.unknowns.push((k, true));
            }
        }
        self.write(touches, group, laws, moved);
        self.solve();
        for (found, (&contact, rules)) in self.found.iter_mut().zip(group.iter().zip(laws)) {
            let touch = &touches[contact];
            if let (NormalRule::Newton | NormalRule::Halt, TangentialRule::Slip(slip)) = *rules {
                found.1 = -(touch.friction() * found.0).scale(slip.sign());
            }
            push(moved, touch, *found);
        }
        for (total, found) in self.total.iter_mut().zip(&self.found) {
            *total = (total.0 + found.0, total.1 + found.1);
        }
    }

    /// Forgets the impulses of earlier impacts.
    pub(crate) fn begin(&mut self, contacts: usize) {
        self.found.clear();
        self.total.clear();
        self.total.resize(contacts, (T::ZERO, T::ZERO));
    }

    /// The equations of the unknowns, each a row with its right side at the end.
    fn write(&mut self, touches: &[Touch<T>], group: &[usize], laws: &[Rules], moved: &[T]) {
        let Impulses { of_gaps, rows, unknowns, change, metric, measure, symmetric, .. } = self;
        rows.clear();
        measure.clear();
        metric.clear();
        *symmetric = true;
        for &(k, tangential) in unknowns.iter() {
            let touch = &touches[group[k]];
            let (across, along) = match tangential {
                true => (touch.tangent(), touch.tangential_response()),
                false => (touch.normal(), touch.normal_response()),
            };
            let free = touch.measure(tangential);
            measure.push(free.value().abs().sqrt().max(f64::MIN_POSITIVE));
            let mut own = touch.dot(across, along);
            // What constraints hold has a norm all the same.
            if own.value() <= ELIMINATED * free.value() {
                own = free;
            }
            if let (false, TangentialRule::Slip(_)) = (tangential, laws[k].1) {
                *symmetric = false;
                own += touch.friction() * touch.friction() * touch.dot(touch.tangent(), touch.tangential_response());
            }
            metric.push(own);
            for &(j, rubbing) in unknowns.iter() {
                let other = &touches[group[j]];
                let mut entry =
                    touch.dot(across, if rubbing { other.tangential_response() } else { other.normal_response() });
                if let (false, TangentialRule::Slip(slip)) = (rubbing, laws[j].1) {
                    entry -= (other.friction() * touch.dot(across, other.tangential_response())).scale(slip.sign());
                }
                rows.push(entry);
            }
            let before = match (tangential, *of_gaps) {
                (true, _) => touch.slip(),
                (false, false) => touch.speed(),
                (false, true) => touch.gap(),
            };
            let begun = before + touch.dot(across, moved);
            let now = begun + touch.dot(across, change);
            let wanted = match (tangential, laws[k].0) {
                (false, NormalRule::Newton) => -(touch.restitution() * begun),
                _ => T::ZERO,
            };
            rows.push(wanted - now);
        }
    }

    /// Elimination with complete pivoting by values, along the diagonal where the equations are symmetric and positive semidefinite.
    fn solve(&mut self) {
        let Impulses { rows, unknowns, order, row_of, solution, measure, symmetric, .. } = self;
        let n = unknowns.len();
        let width = n + 1;
        order.clear();
        order.extend(0..n);
        let mut rank = n;
        row_of.clear();
        row_of.extend(0..n);
        for k in 0..n {
            let mut best = (0.0, k, k);
            for (i, &r) in row_of.iter().enumerate().skip(k) {
                let columns = if *symmetric { i..i + 1 } else { k..n };
                for (j, &c) in columns.clone().zip(&order[columns]) {
                    let size = rows[r * width + c].value().abs() / (measure[r] * measure[c]);
                    if size > best.0 {
                        best = (size, i, j);
                    }
                }
            }
            if best.0 <= ELIMINATED {
                rank = k;
                break;
            }
            row_of.swap(k, best.1);
            order.swap(k, best.2);
            let (p, c) = (row_of[k], order[k]);
            let pivot = rows[p * width + c];
            for &r in &row_of[k + 1..] {
                if rows[r * width + c].magnitude() == 0.0 {
                    continue;
                }
                let factor = rows[r * width + c] / pivot;
                for &j in &order[k..] {
                    let above = rows[p * width + j];
                    rows[r * width + j] -= factor * above;
                }
                let above = rows[p * width + n];
                rows[r * width + n] -= factor * above;
            }
        }
        solution.clear();
        solution.resize(n, T::ZERO);
        for k in (0..rank).rev() {
            let (p, c) = (row_of[k], order[k]);
            let mut value = rows[p * width + n];
            for &j in &order[k + 1..rank] {
                value -= rows[p * width + j] * solution[j];
            }
            solution[c] = value / rows[p * width + c];
        }
        if rank < n {
            self.shorten(rank);
        }
        for (&(k, tangential), &value) in self.unknowns.iter().zip(&self.solution) {
            let found = &mut self.found[k];
            if tangential { found.1 = value } else { found.0 = value }
        }
    }

    /// Of all solutions x_b = x_0 - K x_f, with unknowns x_b that have a pivot and x_f that have none, the one of least norm:
    /// (K' D K + D) x_f = K' D x_0.
    fn shorten(&mut self, rank: usize) {
        let Impulses { rows, order, row_of, solution, metric, kernel, normal, .. } = self;
        let n = order.len();
        let (width, free) = (n + 1, n - rank);
        kernel.clear();
        kernel.resize(n * free, T::ZERO);
        for (f, &column) in order[rank..].iter().enumerate() {
            for k in (0..rank).rev() {
                let (p, c) = (row_of[k], order[k]);
                let mut value = rows[p * width + column];
                for &j in &order[k + 1..rank] {
                    value -= rows[p * width + j] * kernel[j * free + f];
                }
                kernel[c * free + f] = value / rows[p * width + c];
            }
        }
        // The equations of x_f, each a row with its right side at the end.
        normal.clear();
        normal.resize(free * (free + 1), T::ZERO);
        for f in 0..free {
            let row = &mut normal[f * (free + 1)..(f + 1) * (free + 1)];
            row[f] = metric[order[rank + f]];
            for &b in &order[..rank] {
                let weighted = metric[b] * kernel[b * free + f];
                for (entry, &other) in row.iter_mut().zip(&kernel[b * free..(b + 1) * free]) {
                    *entry += weighted * other;
                }
                row[free] += weighted * solution[b];
            }
        }
        for k in 0..free {
            let (top, below) = normal.split_at_mut((k + 1) * (free + 1));
            let top = &top[k * (free + 1)..];
            for row in below.chunks_exact_mut(free + 1) {
                let factor = row[k] / top[k];
                for (entry, &above) in row[k..].iter_mut().zip(&top[k..]) {
                    *entry -= factor * above;
                }
            }
        }
        for k in (0..free).rev() {
            let row = &normal[k * (free + 1)..(k + 1) * (free + 1)];
            let mut value = row[free];
            for f in k + 1..free {
                value -= row[f] * solution[order[rank + f]];
            }
            solution[order[rank + k]] = value / row[k];
        }
        for &b in &order[..rank] {
            for f in 0..free {
                let change = kernel[b * free + f] * solution[order[rank + f]];
                solution[b] -= change;
            }
        }
    }
}

/// Adds the change of velocities by the impulses of a contact.
fn push<T: Number>(change: &mut [T], touch: &Touch<T>, (normal, tangential): (T, T)) {
    for &v in touch.responding() {
        change[v] += touch.normal_response()[v] * normal + touch.tangential_response()[v] * tangential;
    }
}
