//! Smooth curves through given points that never leave what is known: monotone cubic interpolation over chord length.
//!
//! Both coordinates are interpolated by cubics with the slopes of parabolas, limited as by F. N. Fritsch and R. E. Carlson (Monotone piecewise cubic interpolation,
//! SIAM J. Numer. Anal. 17, 1980): between two points each stays between its values there. A branch is drawn neither beyond a fold or an end, nor below
//! the least value that was computed.

use saltation_numerics::elementary;
/// The number of straight lines between two points.
const PARTS: usize = 8;

/// A coordinate of a point.
type Coordinate = fn(&(f64, f64)) -> f64;

/// For every point: itself and the interpolated points up to the next one.
///
/// Beside points that are not finite nothing is drawn in between.
pub(crate) fn smooth(points: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
    let (width, height) = (extent(points.iter().map(|p| p.0)), extent(points.iter().map(|p| p.1)));
    let chord: Vec<f64> = points
        .windows(2)
        .map(|ends| elementary::hypot((ends[1].0 - ends[0].0) / width, (ends[1].1 - ends[0].1) / height))
        .collect();
    let usable = |i: usize| chord[i].is_finite() && chord[i] > f64::EPSILON;
    let secant = |i: usize, of: Coordinate| (of(&points[i + 1]) - of(&points[i])) / chord[i];
    let slope = |i: usize, of: Coordinate| -> Option<f64> {
        let before = i.checked_sub(1).filter(|&before| usable(before));
        let after = (i < chord.len() && usable(i)).then_some(i);
        match (before, after) {
            (Some(a), Some(b)) => Some(between((secant(a, of), chord[a]), (secant(b, of), chord[b]))),
            (Some(a), None) => {
                let far = a.checked_sub(1).filter(|&far| usable(far)).map(|far| (secant(far, of), chord[far]));
                Some(at_end((secant(a, of), chord[a]), far))
            }
            (None, Some(b)) => {
                let far = Some(b + 1).filter(|&far| far < chord.len() && usable(far));
                Some(at_end((secant(b, of), chord[b]), far.map(|far| (secant(far, of), chord[far]))))
            }
            (None, None) => None,
        }
    };
    let of: [Coordinate; 2] = [|p| p.0, |p| p.1];
    let slopes: Vec<Option<[f64; 2]>> =
        (0..points.len()).map(|i| slope(i, of[0]).zip(slope(i, of[1])).map(|(x, y)| [x, y])).collect();
    let mut drawn = Vec::with_capacity(points.len());
    for (i, point) in points.iter().enumerate() {
        let mut piece = vec![*point];
        if let (true, Some(a), Some(b)) =
            (i < chord.len() && usable(i), slopes[i], slopes.get(i + 1).copied().flatten())
        {
            let h = chord[i];
            for k in 1..PARTS {
                let s = k as f64 / PARTS as f64;
                let at = |j: usize| {
                    let (p, q) = (of[j](&points[i]), of[j](&points[i + 1]));
                    let (from, to) = (1.0 - s, s);
                    // Hermite's cubic, which leaves the interval by rounding only.
                    let value = p * (1.0 + 2.0 * s) * from * from
                        + q * (3.0 - 2.0 * s) * to * to
                        + h * s * from * (a[j] * from - b[j] * to);
                    value.max(p.min(q)).min(p.max(q))
                };
                piece.push((at(0), at(1)));
            }
        }
        drawn.push(piece);
    }
    drawn
}

/// The slope between two secants, each with its length: that of the parabola through three points, as far as both pieces stay monotone with it; 0 where the
/// secants go in different directions.
fn between((a, before): (f64, f64), (b, after): (f64, f64)) -> f64 {
    // A product of signs would underflow.
    if a == 0.0 || b == 0.0 || (a > 0.0) != (b > 0.0) {
        return 0.0;
    }
    let parabola = (a * after + b * before) / (before + after);
    let most = STEEPEST * a.abs().min(b.abs());
    parabola.max(-most).min(most)
}

/// A cubic whose slopes at its ends are at most so many times the secant is monotone (Fritsch & Carlson).
const STEEPEST: f64 = 3.0;

/// The slope at an end: of the parabola through three points, as far as it is monotone.
fn at_end((near, length): (f64, f64), far: Option<(f64, f64)>) -> f64 {
    let Some((next, beyond)) = far else { return near };
    let slope = near + (near - next) * length / (length + beyond);
    if (slope > 0.0) != (near > 0.0) || near == 0.0 {
        0.0
    } else if slope.abs() > STEEPEST * near.abs() {
        STEEPEST * near
    } else {
        slope
    }
}

/// A jump is this part of the extent of a curve at least, and so many times the median step around it, of so many steps on both sides.
const JUMP: f64 = 0.05;
const JUMP_OF_STEPS: f64 = 6.0;
const AROUND: usize = 4;

/// The same for a quantity that may jump between points, as a state on a section does where an impact passes it: no line is drawn across a jump. The last piece
/// before one ends with a point that is not finite.
pub(crate) fn smooth_between_jumps(points: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
    let steps: Vec<f64> = points.windows(2).map(|ends| (ends[1].1 - ends[0].1).abs()).collect();
    let large = JUMP * extent(points.iter().map(|p| p.1));
    let jumps = |i: usize| {
        let near = i.saturating_sub(AROUND)..(i + AROUND + 1).min(steps.len());
        let mut others: Vec<f64> = near.filter(|&k| k != i).map(|k| steps[k]).filter(|step| step.is_finite()).collect();
        others.sort_by(f64::total_cmp);
        let usual = others.get(others.len() / 2);
        steps[i] > large && usual.is_some_and(|usual| steps[i] > JUMP_OF_STEPS * usual)
    };
    let mut drawn: Vec<Vec<(f64, f64)>> = Vec::with_capacity(points.len());
    let mut from = 0;
    for to in 1..=points.len() {
        let last = to == points.len();
        if last || jumps(to - 1) {
            drawn.extend(smooth(&points[from..to]));
            if let Some(piece) = drawn.last_mut().filter(|_| !last) {
                piece.push((f64::NAN, f64::NAN));
            }
            from = to;
        }
    }
    drawn
}

/// The width of some values, or 1 if there is none.
fn extent(values: impl Iterator<Item = f64>) -> f64 {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if high > low { high - low } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parabolas_through_a_fold_are_drawn_as_they_are() {
        let points: Vec<(f64, f64)> = (-8..=8).map(|k| f64::from(k) / 8.0).map(|y| (y * y, y)).collect();
        let drawn = smooth(&points);
        assert_eq!(drawn.len(), points.len());
        for (x, y) in drawn.iter().flatten() {
            assert!((x - y * y).abs() < 2e-3, "{x} {y}");
            assert!(*x >= 0.0 && *x <= 1.0 && y.abs() <= 1.0, "{x} {y}");
        }
        let own: Vec<(f64, f64)> = drawn.iter().map(|piece| piece[0]).collect();
        assert_eq!(own, points);
    }

    /// Few points at uneven distances, as of a fold, of the end of a range and of a multiplier that has a corner at its least value.
    #[test]
    fn a_curve_stays_between_the_points_beside_it() {
        let fold = vec![(1.9, 0.1), (1.3, 0.42), (1.0452, 0.9), (1.0481, 0.97), (1.6, 2.2)];
        let end = vec![(1.5, 0.0), (1.2, 0.01), (1.001, 0.6), (1.0, 2.0)];
        let corner = vec![(0.0, 1.0), (1.0, 0.30), (1.01, 0.29), (3.0, 0.9), (3.1, 0.91)];
        let mut random = vec![(0.0, 0.0)];
        let mut state = 1_u64;
        for _ in 0..200 {
            let mut next = || {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
            };
            let (x, y) = random[random.len() - 1];
            random.push((x + next() * next(), y + next() * next()));
        }
        for points in [fold, end, corner, random] {
            for (i, piece) in smooth(&points).iter().enumerate() {
                let (p, q) = (points[i], points[(i + 1).min(points.len() - 1)]);
                for (x, y) in piece {
                    assert!(*x >= p.0.min(q.0) && *x <= p.0.max(q.0), "{x} beside {p:?}, {q:?}");
                    assert!(*y >= p.1.min(q.1) && *y <= p.1.max(q.1), "{y} beside {p:?}, {q:?}");
                }
            }
        }
    }

    #[test]
    fn no_line_crosses_a_jump() {
        // A smooth curve, which jumps by a fifth of its extent between two points, and at another place by much.
        let curve = |k: i32| {
            (
                0.02 * f64::from(k),
                (0.06 * f64::from(k)).sin() + if k > 30 { 0.4 } else { 0.0 } - if k > 33 { 2.0 } else { 0.0 },
            )
        };
        let points: Vec<(f64, f64)> = (0..=60).map(curve).collect();
        let drawn = smooth_between_jumps(&points);
        assert_eq!(drawn.len(), points.len());
        let breaks: Vec<usize> = (0..61).filter(|&i| drawn[i].iter().any(|(x, _)| x.is_nan())).collect();
        assert_eq!(breaks, [30, 33]);
        assert!(drawn[..30].iter().flatten().all(|(x, y)| (y - (3.0 * x).sin()).abs() < 1e-3));
        // A circle, a fold and a steep step of a smooth curve are drawn through.
        let circle: Vec<(f64, f64)> = (0..40).map(|k| (0.16 * f64::from(k)).sin_cos()).collect();
        let steep: Vec<(f64, f64)> = (0..60).map(|k| (f64::from(k), (0.6 * f64::from(k - 30)).tanh())).collect();
        for smooth in [circle, steep] {
            assert!(smooth_between_jumps(&smooth).iter().flatten().all(|(x, _)| x.is_finite()));
        }
        assert!(smooth_between_jumps(&[]).is_empty());
    }

    #[test]
    fn what_is_not_finite_or_has_no_length_is_left_alone() {
        let points = [(0.0, 0.0), (0.0, 0.0), (1.0, 1.0), (2.0, f64::NAN), (3.0, 3.0)];
        let drawn = smooth(&points);
        assert_eq!(drawn.iter().map(Vec::len).collect::<Vec<_>>(), [1, PARTS, 1, 1, 1]);
        assert!(drawn[1].iter().all(|(x, y)| (x - y).abs() < 1e-15));
        assert!(smooth(&[]).is_empty());
        assert_eq!(smooth(&[(1.0, 2.0)]), [[(1.0, 2.0)]]);
    }
}
