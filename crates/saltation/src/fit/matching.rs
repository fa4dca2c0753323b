//! Pairs measured events with those of the model in the order of time: the alignment of least cost (S. B. Needleman & C. D. Wunsch, J. Mol. Biol. 48 (1970) 443).
//!
//! A pair costs the square of its distance, and an event without a partner half the square of how far a partner may be. While a fit is far away that is half the
//! time to the nearer neighbour of the event on its own side, and at its end some standard deviations. The cost does not jump where a pair parts.

/// The most entries of the table of partial costs; events further apart than that allows are no pairs.
const MOST_ENTRIES: usize = 40_000_000;

/// How two sequences of times belong together.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Matching {
    /// Pairs of a measured event and one of the model, ascending.
    pub pairs: Vec<(usize, usize)>,
    /// Measured events without a partner.
    pub missing: Vec<usize>,
    /// Events of the model without a partner.
    pub extra: Vec<usize>,
    /// The cost of all that have no partner.
    pub cost: f64,
}

/// Half the time to the nearer neighbour of every event; `alone` for one without a neighbour.
fn reaches(times: &[f64], alone: f64) -> Vec<f64> {
    let gap = |i: usize| times.get(i + 1).map(|next| next - times[i]);
    let reach = |i: usize| {
        let before = i.checked_sub(1).and_then(gap);
        let (before, after) = (before.or(gap(i)), gap(i).or(before));
        before.zip(after).map_or(alone, |(before, after)| 0.5 * before.min(after))
    };
    (0..times.len()).map(reach).collect()
}

/// Up to when events of the model are those that were measured, one by one, each nearer than a quarter of the time to its neighbours.
pub(crate) fn foreseen(measured: &[f64], model: &[f64]) -> f64 {
    let reach = reaches(measured, f64::INFINITY);
    let known = |k: usize| model.get(k).is_some_and(|time| (time - measured[k]).abs() <= 0.5 * reach[k]);
    (0..measured.len()).find(|&k| !known(k)).map_or(f64::INFINITY, |k| measured[k])
}

/// How far the partner of an event may be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reach {
    /// Half the time to the nearer neighbour on its own side, the costs times `strictness`; `alone` where it has none.
    Neighbours {
        /// A reach.
        alone: f64,
        /// A factor of the costs of events without a partner.
        strictness: f64,
    },
    /// This far from each measured event.
    Gate(Vec<f64>),
}

impl Reach {
    /// The costs of events without a partner, measured and of the model.
    fn costs(&self, measured: &[f64], model: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let half_square = |factor: f64| move |reach: &f64| 0.5 * factor * reach * reach;
        match self {
            Reach::Neighbours { alone, strictness } => {
                let of = |times: &[f64]| reaches(times, *alone).iter().map(half_square(*strictness)).collect();
                (of(measured), of(model))
            }
            Reach::Gate(reaches) => {
                let own: Vec<f64> = reaches.iter().map(half_square(1.0)).collect();
                let mean = own.iter().sum::<f64>() / own.len().max(1) as f64;
                (own, vec![mean; model.len()])
            }
        }
    }
}

/// The pairs of least cost.
///
/// Events of the model before the first measured one and after the last are no matter: nobody looked.
pub(crate) fn matched(measured: &[f64], model: &[f64], reach: &Reach) -> Matching {
    let (losses, gains) = reach.costs(measured, model);
    let (Some(&first), Some(&last)) = (measured.first(), measured.last()) else { return Matching::default() };
    // What may be a pair is seen wherever it lies.
    let widest = losses.iter().copied().fold(0.0, f64::max);
    let near = |j: &usize| {
        let beside = (widest + gains[*j]).sqrt();
        model[*j] >= first - beside && model[*j] <= last + beside
    };
    let seen: Vec<usize> = (0..model.len()).filter(near).collect();
    // Beyond the ends of what was measured an event without a partner costs nothing.
    let gain = |&j: &usize| if (first..=last).contains(&model[j]) { gains[j] } else { 0.0 };
    let gains: Vec<f64> = seen.iter().map(gain).collect();
    align(measured, model, &seen, &losses, &gains)
}

#[derive(Clone, Copy, PartialEq)]
enum Came {
    Pair,
    Missing,
    Extra,
}

fn align(measured: &[f64], model: &[f64], seen: &[usize], losses: &[f64], gains: &[f64]) -> Matching {
    let (n, m) = (measured.len(), seen.len());
    // A band around the diagonal of times, as wide as memory allows.
    let half = (MOST_ENTRIES / (n + 1) / 2).max(1);
    let middle = |i: usize| if i == 0 { 0 } else { seen.partition_point(|&j| model[j] <= measured[i - 1]) };
    let band = |i: usize| (middle(i).saturating_sub(half), (middle(i) + half).min(m));
    let mut came: Vec<Vec<Came>> = Vec::with_capacity(n + 1);
    let mut before: Vec<f64> = Vec::new();
    let mut begins = Vec::with_capacity(n + 1);
    for i in 0..=n {
        let (low, high) = band(i);
        let old = begins.last().copied().unwrap_or(0);
        let mut costs = vec![f64::INFINITY; high - low + 1];
        let mut ways = vec![Came::Extra; high - low + 1];
        for j in low..=high {
            let known = |j: usize| j.checked_sub(old).and_then(|k| before.get(k)).copied().unwrap_or(f64::INFINITY);
            let mut best = if i == 0 && j == 0 { (0.0, Came::Extra) } else { (f64::INFINITY, Came::Extra) };
            let mut offer = |cost: f64, way: Came| {
                if cost < best.0 {
                    best = (cost, way);
                }
            };
            if i > 0 && j > 0 {
                let distance = measured[i - 1] - model[seen[j - 1]];
                offer(known(j - 1) + distance * distance, Came::Pair);
            }
            if i > 0 {
                offer(known(j) + losses[i - 1], Came::Missing);
            }
            if j > low {
                offer(costs[j - 1 - low] + gains[j - 1], Came::Extra);
            }
            (costs[j - low], ways[j - low]) = best;
        }
        begins.push(low);
        came.push(ways);
        before = costs;
    }
    let mut found = Matching::default();
    let (mut i, mut j) = (n, m);
    while i > 0 || j > 0 {
        match came[i].get(j.wrapping_sub(begins[i])).copied().unwrap_or(Came::Missing) {
            Came::Pair if i > 0 && j > 0 => {
                (i, j) = (i - 1, j - 1);
                found.pairs.push((i, seen[j]));
            }
            Came::Extra if j > 0 => {
                j -= 1;
                found.extra.push(seen[j]);
                found.cost += gains[j];
            }
            _ if i > 0 => {
                i -= 1;
                found.missing.push(i);
                found.cost += losses[i];
            }
            _ => j -= 1,
        }
    }
    // Events beyond the ends of what was measured are no finding.
    let (first, last) = (measured[0], measured[n - 1]);
    found.extra.retain(|&j| (first..=last).contains(&model[j]));
    [&mut found.missing, &mut found.extra].into_iter().for_each(|list| list.reverse());
    found.pairs.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use saltation_numerics::random::Random;

    #[test]
    fn what_one_side_lacks_is_told_and_not_paired_wrongly() {
        let model = [1.0, 2.0, 3.0, 4.0, 5.0];
        let found = matched(&[1.01, 2.98, 4.02, 4.99], &model, &NEAR);
        assert_eq!((found.pairs, found.extra), (vec![(0, 0), (1, 2), (2, 3), (3, 4)], vec![1]));
        let found = matched(&[1.01, 2.0, 2.4, 3.0], &model, &NEAR);
        assert_eq!((found.pairs, found.missing, found.extra.len()), (vec![(0, 0), (1, 1), (3, 2)], vec![2], 0));
        assert_eq!(matched(&[7.0], &model, &NEAR).missing, [0]);
        assert_eq!(matched(&[], &model, &NEAR), Matching::default());
        assert_eq!(matched(&[1.0], &[], &NEAR).missing, [0]);
    }

    const NEAR: Reach = Reach::Neighbours { alone: 1.0, strictness: 1.0 };

    /// All monotone alignments of short sequences.
    fn least(measured: &[f64], model: &[f64], losses: &[f64], gains: &[f64]) -> f64 {
        match (measured, model) {
            ([], _) => gains.iter().sum(),
            (_, []) => losses.iter().sum(),
            ([t, ts @ ..], [s, ss @ ..]) => {
                let pair = (t - s) * (t - s) + least(ts, ss, &losses[1..], &gains[1..]);
                let missing = losses[0] + least(ts, model, &losses[1..], gains);
                pair.min(missing).min(gains[0] + least(measured, ss, losses, &gains[1..]))
            }
        }
    }

    #[test]
    fn the_cost_is_the_least_of_all_alignments() {
        let mut random = Random(3);
        for _ in 0..300 {
            let mut sorted = |count: u64| {
                let mut times: Vec<f64> = (0..count).map(|_| random.between(0.0, 5.0)).collect();
                times.sort_by(f64::total_cmp);
                times
            };
            let (measured, model) = (sorted(5), sorted(6));
            let found = matched(&measured, &model, &NEAR);
            let squares: f64 = found.pairs.iter().map(|&(i, j)| (measured[i] - model[j]).powi(2)).sum();
            let half = |reach: &f64| 0.5 * reach * reach;
            let losses: Vec<f64> = reaches(&measured, 1.0).iter().map(half).collect();
            let gain =
                |(t, reach): (&f64, f64)| if (measured[0]..=measured[4]).contains(t) { half(&reach) } else { 0.0 };
            let gains: Vec<f64> = model.iter().zip(reaches(&model, 1.0)).map(gain).collect();
            let least = least(&measured, &model, &losses, &gains);
            assert!((squares + found.cost - least).abs() < 1e-12, "{measured:?} {model:?}");
        }
    }
}
