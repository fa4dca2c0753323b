//! The distance of a vector from a cone: nonnegative least squares by the active-set method of Lawson & Hanson (1974, Ch. 23).

use crate::surface::dot;

/// The distance of `target` from the nonnegative combinations of the generators, and a combination that is nearest.
///
/// ```
/// use adversary::cone::nearest;
/// let generators = [vec![1.0, 1.0], vec![-1.0, 1.0]];
/// assert!(nearest(&generators, &[0.5, 1.0]).0 < 1e-15);
/// assert!((nearest(&generators, &[0.0, -1.0]).0 - 1.0).abs() < 1e-15);
/// ```
pub fn nearest(generators: &[Vec<f64>], target: &[f64]) -> (f64, Vec<f64>) {
    let lengths: Vec<f64> = generators.iter().map(|g| dot(g, g).sqrt()).collect();
    let units: Vec<Vec<f64>> = generators
        .iter()
        .zip(&lengths)
        .map(|(g, &length)| g.iter().map(|x| if length > 0.0 { x / length } else { 0.0 }).collect())
        .collect();
    let size = dot(target, target).sqrt();
    let mut weights = vec![0.0; units.len()];
    let mut active: Vec<usize> = Vec::new();
    let rest = |weights: &[f64]| -> Vec<f64> {
        let along = |i: usize| units.iter().zip(weights).map(|(u, w)| u[i] * w).sum::<f64>();
        target.iter().enumerate().map(|(i, t)| t - along(i)).collect()
    };
    // Every round brings the combination nearer; the bound is for rounding only.
    for _ in 0..3 * units.len() + 3 {
        let left = rest(&weights);
        let gain = |k: usize| dot(&units[k], &left);
        let best = (0..units.len()).filter(|k| !active.contains(k)).max_by(|&a, &b| gain(a).total_cmp(&gain(b)));
        let Some(best) = best.filter(|&k| gain(k) > 1e-15 * size) else { break };
        active.push(best);
        loop {
            let chosen: Vec<&[f64]> = active.iter().map(|&k| units[k].as_slice()).collect();
            let Some(free) = least_squares(&chosen, target) else {
                // The new generator is a combination of the others: it adds nothing.
                active.pop();
                break;
            };
            if free.iter().all(|w| *w > 0.0) {
                active.iter().zip(free).for_each(|(&k, w)| weights[k] = w);
                break;
            }
            // As far towards the free solution as no weight becomes negative.
            let step = |(&k, w): (&usize, &f64)| if *w <= 0.0 { weights[k] / (weights[k] - w) } else { 1.0 };
            let part = active.iter().zip(&free).map(step).filter(|s| s.is_finite()).fold(1.0, f64::min);
            active.iter().zip(&free).for_each(|(&k, w)| weights[k] += part * (w - weights[k]));
            let smallest = active.iter().zip(&free).filter(|(_, w)| **w <= 0.0).map(|(&k, _)| k);
            let Some(leaves) = smallest.min_by(|&a, &b| weights[a].total_cmp(&weights[b])) else { break };
            weights[leaves] = 0.0;
            active.retain(|&k| k != leaves);
            if active.is_empty() {
                break;
            }
        }
    }
    let left = rest(&weights);
    let weights = weights.iter().zip(&lengths).map(|(w, l)| if *l > 0.0 { w / l } else { 0.0 }).collect();
    (dot(&left, &left).sqrt(), weights)
}

/// The least squares solution by Gram-Schmidt, twice; `None` if the columns (of length 1) are nearly dependent.
fn least_squares(columns: &[&[f64]], right: &[f64]) -> Option<Vec<f64>> {
    let count = columns.len();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut upper = vec![vec![0.0; count]; count];
    for (j, column) in columns.iter().enumerate() {
        let mut rest = column.to_vec();
        for _ in 0..2 {
            for (i, b) in basis.iter().enumerate() {
                let share = dot(&rest, b);
                upper[i][j] += share;
                rest.iter_mut().zip(b).for_each(|(x, b)| *x -= share * b);
            }
        }
        let length = dot(&rest, &rest).sqrt();
        if length < 1e-10 {
            return None;
        }
        upper[j][j] = length;
        basis.push(rest.iter().map(|x| x / length).collect());
    }
    let mut solution = vec![0.0; count];
    for i in (0..count).rev() {
        let known: f64 = (i + 1..count).map(|j| upper[i][j] * solution[j]).sum();
        solution[i] = (dot(&basis[i], right) - known) / upper[i][i];
    }
    Some(solution)
}
