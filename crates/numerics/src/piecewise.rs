//! Piecewise polynomials through points: cubic splines, monotone cubics, lines and steps, with what holds beyond the points.
//!
//! A cubic spline has the slopes for which its second derivative is continuous (de Boor, A Practical Guide to Splines, Ch. IV), with the not-a-knot condition at
//! its ends, or as a periodic spline, or with the slope zero where its values are held beyond. A monotone cubic has the slopes of Fritsch & Butland (SIAM J. Sci.
//! Stat. Comput. 5, 1984): it has no extremum that the points do not have, and one continuous derivative.

/// How points are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// Two continuous derivatives; an error of the fourth order in the distance of the points.
    Cubic,
    /// One continuous derivative, monotone between the points.
    Monotone,
    /// Straight lines, with corners.
    Linear,
    /// The value of each point up to the next one.
    Step,
}

impl Interpolation {
    /// Its name in small letters.
    pub fn word(self) -> &'static str {
        match self {
            Interpolation::Cubic => "cubic",
            Interpolation::Monotone => "monotone",
            Interpolation::Linear => "linear",
            Interpolation::Step => "step",
        }
    }

    /// So many derivatives are continuous at every point; none where the value jumps.
    pub fn smoothness(self) -> Option<u32> {
        match self {
            Interpolation::Cubic => Some(2),
            Interpolation::Monotone => Some(1),
            Interpolation::Linear => Some(0),
            Interpolation::Step => None,
        }
    }
}

/// What holds outside of the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// The same again.
    Periodic,
    /// The first and the last value.
    Hold,
    /// Nothing.
    Refuse,
}

impl Beyond {
    /// Its name in small letters.
    pub fn word(self) -> &'static str {
        match self {
            Beyond::Periodic => "periodic",
            Beyond::Hold => "hold",
            Beyond::Refuse => "refuse",
        }
    }
}

/// The first and the last value of a periodic function are one where they differ by less than this part of its largest value: by the rounding of a formula.
const ROUNDING: f64 = 1e-14;

/// Why points define no function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unfit {
    /// There are fewer than two.
    Few,
    /// A number that is not finite, by its place among the points.
    NotFinite {
        /// The place, from 0.
        at: usize,
    },
    /// A point that does not stand to the right of the one before it.
    Unordered {
        /// The place, from 0.
        at: usize,
    },
    /// The first and the last value of a periodic function differ by more than rounding.
    Open {
        /// The first and the last value.
        ends: [f64; 2],
    },
    /// Two points so close that the polynomial between them has no finite coefficients.
    Steep {
        /// The place of the second one, from 0.
        at: usize,
    },
}

/// A function that is a polynomial of at most third degree between neighbouring knots.
///
/// Its pieces are numbered: piece i begins at knot i. Beyond the last knot of a periodic function the numbers go on; one whose values are held has piece -1 before
/// its first knot and one more behind its last.
///
/// ```
/// use saltation_numerics::piecewise::{Beyond, Interpolation, Piecewise};
/// let points: Vec<[f64; 2]> = (0..=4).map(|i| [f64::from(i), f64::from(i * i * i)]).collect();
/// let cube = Piecewise::through(&points, Interpolation::Cubic, Beyond::Refuse).unwrap();
/// let piece = cube.find(2.5).unwrap();
/// assert_eq!(piece, 2);
/// assert!((cube.value(2.5).unwrap() - 2.5_f64.powi(3)).abs() < 1e-14);
/// assert_eq!(cube.find(4.5), None);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Piecewise {
    knots: Vec<f64>,
    /// Of every piece, in powers of the distance from its knot.
    coefficients: Vec<[f64; 4]>,
    first: f64,
    last: f64,
    interpolation: Interpolation,
    beyond: Beyond,
}

impl Piecewise {
    /// The function through points [x, y] in the order of x.
    ///
    /// # Errors
    /// Why there is none.
    pub fn through(points: &[[f64; 2]], interpolation: Interpolation, beyond: Beyond) -> Result<Piecewise, Unfit> {
        if let Some(at) = points.iter().position(|point| !point.iter().all(|x| x.is_finite())) {
            return Err(Unfit::NotFinite { at });
        }
        let [first, .., last] = points else { return Err(Unfit::Few) };
        if let Some(at) = points.windows(2).position(|pair| pair[1][0] <= pair[0][0]) {
            return Err(Unfit::Unordered { at: at + 1 });
        }
        let mut ends = [first[1], last[1]];
        let mut closed;
        let mut points = points;
        if beyond == Beyond::Periodic && ends[0] != ends[1] {
            let size = points.iter().map(|point| point[1].abs()).fold(0.0, f64::max);
            if (ends[1] - ends[0]).abs() > ROUNDING * size {
                return Err(Unfit::Open { ends });
            }
            closed = points.to_vec();
            closed[points.len() - 1][1] = ends[0];
            (points, ends) = (&closed, [ends[0]; 2]);
        }
        let slopes = match interpolation {
            Interpolation::Cubic => cubic_slopes(points, beyond),
            Interpolation::Monotone => monotone_slopes(points, beyond),
            Interpolation::Linear | Interpolation::Step => Vec::new(),
        };
        let piece = |(i, pair): (usize, &[[f64; 2]])| {
            let ([x0, y0], [x1, y1]) = (pair[0], pair[1]);
            let width = x1 - x0;
            let secant = (y1 - y0) / width;
            match interpolation {
                Interpolation::Step => [y0, 0.0, 0.0, 0.0],
                Interpolation::Linear => [y0, secant, 0.0, 0.0],
                Interpolation::Cubic | Interpolation::Monotone => {
                    let (left, right) = (slopes[i], slopes[i + 1]);
                    let second = ((secant - left) + (secant - left) - (right - left) + (secant - left)) / width;
                    let third = ((left - secant) + (right - secant)) / (width * width);
                    [y0, left, second, third]
                }
            }
        };
        let coefficients: Vec<[f64; 4]> = points.windows(2).enumerate().map(piece).collect();
        if let Some(at) = coefficients.iter().position(|piece| !piece.iter().all(|c| c.is_finite())) {
            return Err(Unfit::Steep { at: at + 1 });
        }
        let knots = points.iter().map(|point| point[0]).collect();
        Ok(Piecewise { knots, coefficients, first: ends[0], last: ends[1], interpolation, beyond })
    }

    /// How the points are joined.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// What holds outside.
    pub fn beyond(&self) -> Beyond {
        self.beyond
    }

    /// The first and the last knot.
    pub fn span(&self) -> [f64; 2] {
        [self.knots[0], self.knots[self.knots.len() - 1]]
    }

    /// The number of knots.
    pub fn len(&self) -> usize {
        self.knots.len()
    }

    /// Whether there are none, which never is.
    pub fn is_empty(&self) -> bool {
        self.knots.is_empty()
    }

    /// The length of the period of a periodic function.
    pub fn period(&self) -> Option<f64> {
        let [first, last] = self.span();
        (self.beyond == Beyond::Periodic).then_some(last - first)
    }

    /// How many pieces lie between the first point and the last one; they are numbered from 0.
    pub fn pieces(&self) -> i64 {
        self.coefficients.len() as i64
    }

    /// The piece on which x lies, a knot being on the piece that begins there; `None` outside of a function that has no value there.
    pub fn find(&self, x: f64) -> Option<i64> {
        let [first, last] = self.span();
        let (turns, inside) = match self.period() {
            Some(period) => {
                let turns = ((x - first) / period).floor();
                (turns, x - turns * period)
            }
            None => (0.0, x),
        };
        if !inside.is_finite() || turns.abs() > LARGEST / self.pieces() as f64 {
            return None;
        }
        let inner = self.knots.partition_point(|&knot| knot <= inside) as i64 - 1;
        match self.beyond {
            Beyond::Periodic => Some(turns as i64 * self.pieces() + inner.clamp(0, self.pieces() - 1)),
            Beyond::Hold => Some(inner),
            Beyond::Refuse if inside == last => Some(self.pieces() - 1),
            Beyond::Refuse => Some(inner).filter(|inner| (0..self.pieces()).contains(inner)),
        }
    }

    /// Whether there is such a piece.
    pub fn has(&self, piece: i64) -> bool {
        match self.beyond {
            Beyond::Periodic => true,
            Beyond::Hold => (-1..=self.pieces()).contains(&piece),
            Beyond::Refuse => (0..self.pieces()).contains(&piece),
        }
    }

    /// Where a piece begins and ends; infinite where values are held.
    pub fn ends(&self, piece: i64) -> [f64; 2] {
        [self.knot(piece), self.knot(piece + 1)]
    }

    /// Where a piece begins.
    fn knot(&self, piece: i64) -> f64 {
        let at = |i: i64| usize::try_from(i).ok().and_then(|i| self.knots.get(i)).copied();
        match self.period() {
            Some(period) => {
                let turns = piece.div_euclid(self.pieces());
                at(piece.rem_euclid(self.pieces())).unwrap_or(f64::NAN) + turns as f64 * period
            }
            None if piece < 0 => f64::NEG_INFINITY,
            None => at(piece).unwrap_or(f64::INFINITY),
        }
    }

    /// The point about which the polynomial of a piece is written.
    pub fn origin(&self, piece: i64) -> f64 {
        let knot = self.knot(piece);
        if knot.is_finite() { knot } else { self.knots[0] }
    }

    /// The polynomial of a piece, in powers of the distance from its [origin](Piecewise::origin).
    pub fn polynomial(&self, piece: i64) -> [f64; 4] {
        if self.beyond == Beyond::Hold {
            if piece < 0 {
                return [self.first, 0.0, 0.0, 0.0];
            }
            if piece >= self.pieces() {
                return [self.last, 0.0, 0.0, 0.0];
            }
        }
        self.coefficients[piece.rem_euclid(self.pieces()) as usize]
    }

    /// The value at x; `None` where there is none.
    pub fn value(&self, x: f64) -> Option<f64> {
        let piece = self.find(x)?;
        let (distance, [a, b, c, d]) = (x - self.origin(piece), self.polynomial(piece));
        Some(((d * distance + c) * distance + b) * distance + a)
    }
}

/// Pieces have numbers up to this size, which are exact as floating-point numbers.
const LARGEST: f64 = 4e15;

/// The slopes between neighbouring points, with their distances.
fn secants(points: &[[f64; 2]]) -> (Vec<f64>, Vec<f64>) {
    points
        .windows(2)
        .map(|pair| (pair[1][0] - pair[0][0], (pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0])))
        .unzip()
}

/// The slopes of a cubic spline at all points.
fn cubic_slopes(points: &[[f64; 2]], beyond: Beyond) -> Vec<f64> {
    let (widths, secants) = secants(points);
    let n = points.len();
    if beyond == Beyond::Periodic {
        return periodic_slopes(&widths, &secants);
    }
    if n == 2 {
        let slope = if beyond == Beyond::Hold { 0.0 } else { secants[0] };
        return vec![slope; 2];
    }
    // Rows (below, diagonal, above | right).
    let mut rows = vec![[0.0, 1.0, 0.0, 0.0]; n];
    for i in 1..n - 1 {
        rows[i] = inner_row([widths[i - 1], widths[i]], [secants[i - 1], secants[i]]);
    }
    if beyond == Beyond::Refuse {
        if n == 3 {
            // One parabola.
            let second = (secants[1] - secants[0]) / (widths[0] + widths[1]);
            return vec![
                secants[0] - second * widths[0],
                secants[0] + second * widths[0],
                secants[1] + second * widths[1],
            ];
        }
        let end = |[h0, h1]: [f64; 2], [d0, d1]: [f64; 2]| {
            let both = h0 + h1;
            [h1, both, ((h0 + 2.0 * both) * h1 * d0 + h0 * h0 * d1) / both]
        };
        let [diagonal, beside, right] = end([widths[0], widths[1]], [secants[0], secants[1]]);
        rows[0] = [0.0, diagonal, beside, right];
        let [diagonal, beside, right] = end([widths[n - 2], widths[n - 3]], [secants[n - 2], secants[n - 3]]);
        rows[n - 1] = [beside, diagonal, 0.0, right];
    }
    let rights: Vec<f64> = rows.iter().map(|row| row[3]).collect();
    tridiagonal(&rows, rights)
}

/// The condition that the second derivative is continuous at a point.
fn inner_row([before, after]: [f64; 2], [d0, d1]: [f64; 2]) -> [f64; 4] {
    [after, 2.0 * (before + after), before, 3.0 * (after * d0 + before * d1)]
}

/// The slopes of a periodic spline at all points, the last being the first (Sherman & Morrison's formula for the corners of the matrix).
fn periodic_slopes(widths: &[f64], secants: &[f64]) -> Vec<f64> {
    let n = widths.len();
    let before = |i: usize| (i + n - 1) % n;
    let mut rows: Vec<[f64; 4]> =
        (0..n).map(|i| inner_row([widths[before(i)], widths[i]], [secants[before(i)], secants[i]])).collect();
    if n <= 2 {
        // Both neighbours of a point are one point, or the point itself.
        let slopes: Vec<f64> = match rows[..] {
            [a, b] => {
                let determinant = a[1] * b[1] - (a[0] + a[2]) * (b[0] + b[2]);
                vec![
                    (a[3] * b[1] - (a[0] + a[2]) * b[3]) / determinant,
                    (a[1] * b[3] - (b[0] + b[2]) * a[3]) / determinant,
                ]
            }
            _ => vec![0.0],
        };
        return slopes.iter().copied().chain([slopes[0]]).collect();
    }
    let (corner, other) = (rows[0][0], rows[n - 1][2]);
    let shift = -rows[0][1];
    rows[0][1] -= shift;
    rows[n - 1][1] -= corner * other / shift;
    let mut bordering = vec![0.0; n];
    (bordering[0], bordering[n - 1]) = (shift, other);
    let rights: Vec<f64> = rows.iter().map(|row| row[3]).collect();
    let (solution, along) = (tridiagonal(&rows, rights), tridiagonal(&rows, bordering));
    let part = |x: &[f64]| x[0] + corner / shift * x[n - 1];
    let factor = part(&solution) / (1.0 + part(&along));
    let mut slopes: Vec<f64> = solution.iter().zip(&along).map(|(x, z)| x - factor * z).collect();
    slopes.push(slopes[0]);
    slopes
}

/// The solution of equations with three diagonals, by elimination.
fn tridiagonal(rows: &[[f64; 4]], mut right: Vec<f64>) -> Vec<f64> {
    let n = rows.len();
    let mut above = vec![0.0; n];
    for i in 0..n {
        let (carried, known) = if i > 0 { (above[i - 1], right[i - 1]) } else { (0.0, 0.0) };
        let pivot = rows[i][1] - rows[i][0] * carried;
        above[i] = rows[i][2] / pivot;
        right[i] = (right[i] - rows[i][0] * known) / pivot;
    }
    for i in (0..n - 1).rev() {
        right[i] -= above[i] * right[i + 1];
    }
    right
}

/// The slopes of a monotone cubic at all points.
fn monotone_slopes(points: &[[f64; 2]], beyond: Beyond) -> Vec<f64> {
    let (widths, secants) = secants(points);
    let n = points.len();
    let inner = |[h0, h1]: [f64; 2], [d0, d1]: [f64; 2]| {
        if d0 * d1 <= 0.0 {
            return 0.0;
        }
        let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
        (w0 + w1) / (w0 / d0 + w1 / d1)
    };
    // A parabola through three points, held within what is monotone.
    let end = |[h0, h1]: [f64; 2], [d0, d1]: [f64; 2]| {
        let slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
        match slope * d0 <= 0.0 {
            true => 0.0,
            false if d0 * d1 <= 0.0 && slope.abs() > 3.0 * d0.abs() => 3.0 * d0,
            false => slope,
        }
    };
    let mut slopes = vec![0.0; n];
    for i in 1..n - 1 {
        slopes[i] = inner([widths[i - 1], widths[i]], [secants[i - 1], secants[i]]);
    }
    match beyond {
        Beyond::Periodic => {
            let slope = inner([widths[n - 2], widths[0]], [secants[n - 2], secants[0]]);
            (slopes[0], slopes[n - 1]) = (slope, slope);
        }
        Beyond::Hold => {}
        Beyond::Refuse if n == 2 => slopes.fill(secants[0]),
        Beyond::Refuse => {
            slopes[0] = end([widths[0], widths[1]], [secants[0], secants[1]]);
            slopes[n - 1] = end([widths[n - 2], widths[n - 3]], [secants[n - 2], secants[n - 3]]);
        }
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Interpolation; 4] =
        [Interpolation::Cubic, Interpolation::Monotone, Interpolation::Linear, Interpolation::Step];

    fn sine(count: usize) -> Vec<[f64; 2]> {
        let turn = std::f64::consts::TAU;
        (0..=count)
            .map(|i| {
                let x = turn * i as f64 / count as f64;
                [x, if i == count { 0.0 } else { x.sin() }]
            })
            .collect()
    }

    /// The values and the derivatives on both sides of every inner knot.
    fn sides(function: &Piecewise, piece: i64) -> [[f64; 3]; 2] {
        let jet = |piece: i64, x: f64| {
            let (u, [a, b, c, d]) = (x - function.origin(piece), function.polynomial(piece));
            [((d * u + c) * u + b) * u + a, (3.0 * d * u + 2.0 * c) * u + b, 6.0 * d * u + 2.0 * c]
        };
        let knot = function.ends(piece)[0];
        [jet(piece - 1, knot), jet(piece, knot)]
    }

    #[test]
    fn derivatives_are_as_continuous_as_they_say() {
        let uneven = [[0.0, 1.0], [0.4, 2.0], [1.5, -1.0], [1.9, 0.5], [3.0, 0.7], [3.2, 1.0]];
        for beyond in [Beyond::Periodic, Beyond::Hold, Beyond::Refuse] {
            for interpolation in ALL {
                let function = Piecewise::through(&uneven, interpolation, beyond).unwrap();
                let smooth = interpolation.smoothness().map_or(0, |k| k as usize + 1);
                let knots: &[i64] = if beyond == Beyond::Periodic { &[-7, 0, 1, 2, 5, 11] } else { &[1, 2, 3, 4] };
                for &piece in knots {
                    let [left, right] = sides(&function, piece);
                    for k in 0..smooth {
                        assert!((left[k] - right[k]).abs() < 1e-12, "{interpolation:?} {beyond:?} {piece} {k}");
                    }
                }
                uneven[..5].iter().for_each(|&[x, y]| assert_eq!(function.value(x), Some(y)));
            }
        }
    }

    #[test]
    fn errors_fall_with_the_order() {
        let error = |count: usize, interpolation: Interpolation| {
            let function = Piecewise::through(&sine(count), interpolation, Beyond::Periodic).unwrap();
            let at = |k: i32| -3.0 + f64::from(k) * 0.0107;
            (0..2000).map(|k| (function.value(at(k)).unwrap() - at(k).sin()).abs()).fold(0.0, f64::max)
        };
        for (interpolation, order) in [(Interpolation::Cubic, 4), (Interpolation::Linear, 2), (Interpolation::Step, 1)]
        {
            let ratio = error(40, interpolation) / error(80, interpolation);
            let expected = 2.0_f64.powi(order);
            assert!((ratio / expected - 1.0).abs() < 0.06, "{interpolation:?}: {ratio}");
        }
    }

    #[test]
    fn a_cubic_is_its_own_spline_and_a_parabola_that_of_three_points() {
        let cubic = |x: f64| 1.0 + x - 2.0 * x * x + 0.5 * x * x * x;
        let points = [-1.0, -0.3, 0.2, 1.4, 2.0].map(|x| [x, cubic(x)]);
        let spline = Piecewise::through(&points, Interpolation::Cubic, Beyond::Refuse).unwrap();
        let parabola = |x: f64| 1.0 - x + 3.0 * x * x;
        let three = [0.0, 0.3, 1.0].map(|x| [x, parabola(x)]);
        let three = Piecewise::through(&three, Interpolation::Cubic, Beyond::Refuse).unwrap();
        for k in 0..=30 {
            let x = -1.0 + 0.1 * f64::from(k);
            assert!((spline.value(x).unwrap() - cubic(x)).abs() < 1e-13);
            let x = f64::from(k) / 30.0;
            assert!((three.value(x).unwrap() - parabola(x)).abs() < 1e-14);
        }
    }

    #[test]
    fn monotone_points_have_a_monotone_cubic() {
        let points = [[0.0, 0.0], [1.0, 0.01], [1.1, 1.0], [3.0, 1.0], [4.0, 7.0]];
        for beyond in [Beyond::Hold, Beyond::Refuse] {
            let function = Piecewise::through(&points, Interpolation::Monotone, beyond).unwrap();
            let values: Vec<f64> = (0..=400).map(|k| function.value(f64::from(k) * 0.01).unwrap()).collect();
            assert!(values.windows(2).all(|pair| pair[0] <= pair[1] + 1e-15));
        }
    }

    #[test]
    fn few_points_of_a_period() {
        for count in [1, 2, 3, 4] {
            let mut points: Vec<[f64; 2]> = (0..=count).map(|i| [i as f64, ((i * i) % 5) as f64]).collect();
            points[count][1] = points[0][1];
            let function = Piecewise::through(&points, Interpolation::Cubic, Beyond::Periodic).unwrap();
            for piece in 0..=count as i64 {
                let [left, right] = sides(&function, piece);
                left.iter().zip(right).for_each(|(left, right)| assert!((left - right).abs() < 1e-12));
            }
        }
    }

    #[test]
    fn values_beyond_the_points() {
        let points = [[1.0, 2.0], [2.0, 5.0], [3.0, 2.0]];
        let held = Piecewise::through(&points, Interpolation::Linear, Beyond::Hold).unwrap();
        assert_eq!([0.0, 9.0].map(|x| held.value(x)), [Some(2.0); 2]);
        assert_eq!(held.ends(-1), [f64::NEG_INFINITY, 1.0]);
        assert_eq!(held.ends(2), [3.0, f64::INFINITY]);
        let refused = Piecewise::through(&points, Interpolation::Linear, Beyond::Refuse).unwrap();
        assert_eq!([0.9, 1.0, 3.0, 3.1].map(|x| refused.value(x)), [None, Some(2.0), Some(2.0), None]);
        let periodic = Piecewise::through(&points, Interpolation::Linear, Beyond::Periodic).unwrap();
        assert_eq!([-1.5, 0.0, 5.5].map(|x| periodic.value(x)), [Some(3.5), Some(5.0), Some(3.5)]);
        assert_eq!(periodic.find(f64::NAN), None);
    }

    /// A table that was written from a sine ends with sin(2 pi), which is not 0.
    #[test]
    fn a_periodic_table_ends_as_it_begins_to_rounding() {
        let offset = 3.0;
        let wave = |k: usize| offset + (std::f64::consts::TAU * k as f64 / 8.0).sin();
        let written: Vec<[f64; 2]> = (0..=8).map(|k| [k as f64, wave(k)]).collect();
        let mut closed = written.clone();
        closed[8][1] = closed[0][1];
        for (interpolation, rounding) in [(Interpolation::Cubic, 4e-16), (Interpolation::Linear, 0.0)] {
            let through = |points: &[[f64; 2]]| Piecewise::through(points, interpolation, Beyond::Periodic);
            let mut rounded = closed.clone();
            rounded[8][1] += rounding;
            assert_eq!(through(&rounded), through(&closed));
            rounded[8][1] += 1e-10;
            assert!(matches!(through(&rounded), Err(Unfit::Open { .. })));
        }
        let small: Vec<[f64; 2]> = written.iter().map(|[x, y]| [*x, y - offset]).collect();
        assert!(Piecewise::through(&small, Interpolation::Cubic, Beyond::Periodic).is_ok());
    }

    #[test]
    fn unfit_points_are_named() {
        let unfit = |points: &[[f64; 2]], beyond| Piecewise::through(points, Interpolation::Cubic, beyond).unwrap_err();
        assert_eq!(unfit(&[[0.0, 1.0]], Beyond::Hold), Unfit::Few);
        assert_eq!(unfit(&[[0.0, 1.0], [1.0, f64::NAN]], Beyond::Hold), Unfit::NotFinite { at: 1 });
        assert_eq!(unfit(&[[0.0, 1.0], [1.0, 1.0], [1.0, 2.0]], Beyond::Hold), Unfit::Unordered { at: 2 });
        assert_eq!(unfit(&[[0.0, 1.0], [1.0, 2.0]], Beyond::Periodic), Unfit::Open { ends: [1.0, 2.0] });
        assert_eq!(unfit(&[[0.0, -1e300], [1e-300, 1e300]], Beyond::Refuse), Unfit::Steep { at: 1 });
    }
}
