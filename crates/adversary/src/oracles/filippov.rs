//! Piecewise linear motions in double-double arithmetic by Filippov's rules: Taylor series, sampled and bisected for events.
//!
//! With the sides s_k of the switches the field is the sum of products of sides times linear fields. Along surfaces on which a motion slides the sides are
//! the numbers that keep it there. At every event all sides of the surfaces that meet there are tried, and those that obey the field counted.

use saltation_numerics::exact::DoubleDouble as Real;

/// A linear field A x + b that stands in the rates times the sides of some switches.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Which sides multiply it.
    pub sides: Vec<usize>,
    /// A by rows, and b behind each row.
    pub rows: Vec<Vec<f64>>,
}

/// A piecewise linear system.
#[derive(Debug, Clone, PartialEq)]
pub struct Pieces {
    /// The rates are the sum of these.
    pub parts: Vec<Part>,
    /// s_k = h x - d: h with -d behind it.
    pub planes: Vec<Vec<f64>>,
}

/// How a motion continued, or why it did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// To the end time.
    Reached,
    /// Several motions begin at its last place.
    Several,
    /// None does.
    None,
    /// Something is too near to another case, too fast or too far away.
    Undecided(&'static str),
}

/// A motion: its events, each a time with the sides after it (-1, 0 for sliding, 1), the first one at the start.
#[derive(Debug, Clone)]
pub struct Followed {
    /// Its events.
    pub events: Vec<(f64, Vec<i8>)>,
    /// Up to where it was followed.
    pub time: f64,
    /// The state there.
    pub state: Vec<f64>,
    /// Why there.
    pub end: End,
}

const ORDER: usize = 22;
/// The last coefficient times the step to its power is below this.
const ERROR: f64 = 1e-26;
const LONGEST: f64 = 0.1;
const SHORTEST: f64 = 1e-6;
const SAMPLES: usize = 24;
/// Deciding numbers closer to zero than this decide nothing, unless they vanish by definition.
const MARGIN: f64 = 1e-8;
const VANISHES: f64 = 1e-20;
/// Sliding with a smaller determinant is near a point where both fields touch.
const REGULAR: f64 = 0.02;
const MOST_EVENTS: usize = 120;
const FARTHEST: f64 = 1e3;

type Series = Vec<Real>;

fn real(value: f64) -> Real {
    value.into()
}

fn value(series: &[Real], time: Real) -> Real {
    series.iter().rev().fold(real(0.0), |sum, &c| sum * time + c)
}

fn rate(series: &[Real]) -> Series {
    series.iter().enumerate().skip(1).map(|(k, &c)| c * real(k as f64)).collect()
}

/// Coefficient k of a linear form with its constant behind it.
fn form(row: &[f64], x: &[Series], k: usize) -> Real {
    let constant = if k == 0 { real(row[x.len()]) } else { real(0.0) };
    x.iter().zip(row).fold(constant, |sum, (x, &a)| sum + real(a) * x[k])
}

/// The motion from a state in a mode, as series.
struct Expanded {
    state: Vec<Series>,
    /// s_k of every switch that is not slid along, sigma of the others.
    switches: Vec<Series>,
    /// The determinant of the equations for the sigmas, which vanishes where both fields touch the surface.
    regular: f64,
}

impl Expanded {
    /// How far the series are known. The numbers that keep a motion on surfaces have one coefficient less, and may have a shorter radius of convergence than the states.
    fn reach(&self, sides: &[i8]) -> f64 {
        let known = |s: &Series, order: usize| (ERROR / f64::from(s[order].abs()).max(1e-300)).powf(1.0 / order as f64);
        let switches = self.switches.iter().zip(sides).map(|(s, side)| known(s, ORDER - usize::from(*side == 0)));
        let all = self.state.iter().map(|s| known(s, ORDER)).chain(switches);
        all.fold(f64::INFINITY, f64::min)
    }
}

impl Pieces {
    /// Follows a motion from its start to a time.
    pub fn follow(&self, start: &[f64], until: f64) -> Followed {
        let mut state: Vec<Real> = start.iter().map(|&x| real(x)).collect();
        let values = self
            .planes
            .iter()
            .map(|plane| f64::from(form(plane, &state.iter().map(|&x| vec![x]).collect::<Vec<_>>(), 0)));
        let values: Vec<f64> = values.collect();
        let mut sides: Vec<i8> = values.iter().map(|&s| if s < 0.0 { -1 } else { 1 }).collect();
        let zero: Vec<usize> = (0..values.len()).filter(|&k| values[k] == 0.0).collect();
        let mut followed = Followed { events: vec![], time: 0.0, state: start.to_vec(), end: End::Reached };
        let mut begun = vec![0; sides.len()];
        if values.iter().any(|s| *s != 0.0 && s.abs() < MARGIN) {
            return Followed { end: End::Undecided("near"), ..followed };
        }
        let decided =
            if zero.is_empty() { Ok((sides.clone(), begun.clone())) } else { self.decide(&state, &sides, &zero, None) };
        let (mut time, mut side_of_fold) = (real(0.0), None::<f64>);
        match decided {
            Ok(found) => (sides, begun) = found,
            Err(end) => return Followed { end, ..followed },
        }
        followed.events.push((0.0, sides.clone()));
        loop {
            let Some(series) = self.expand(&state, &sides) else {
                return Followed { end: End::Undecided("without numbers"), ..followed };
            };
            let mut step = series.reach(&sides).min(LONGEST);
            if step.is_nan()
                || step < SHORTEST
                || f64::from(state.iter().fold(real(0.0), |m, &x| m + x.abs())) > FARTHEST
            {
                return Followed {
                    end: if step < SHORTEST { End::Undecided("fast") } else { End::Undecided("far") },
                    ..followed
                };
            }
            // Where both fields touch a surface along which the motion slides, several motions go on.
            if series.regular.abs() < REGULAR || side_of_fold.is_some_and(|known| known * series.regular < 0.0) {
                return Followed { end: End::Undecided("fold"), ..followed };
            }
            side_of_fold = Some(series.regular);
            step = step.min(until - f64::from(time));
            // What must stay above zero, without the powers of time with which it begins: the switch and the side that is left there.
            let mut first: Option<(Real, usize, i8)> = None;
            for k in 0..sides.len() {
                let watched: Vec<(i8, Series)> = match sides[k] {
                    0 => [1_i8, -1].into_iter().map(|side| (side, margin_of(&series.switches[k], side))).collect(),
                    side => vec![(side, series.switches[k].iter().map(|&c| c * real(f64::from(side))).collect())],
                };
                for (side, watched) in watched {
                    if let Some(at) = first_root(&watched[begun[k]..], step)
                        && first.is_none_or(|(known, ..)| f64::from(at - known) < 0.0)
                    {
                        first = Some((at, k, side));
                    }
                }
            }
            let advance = first.map_or(real(step), |(at, ..)| at);
            state = series.state.iter().map(|x| value(x, advance)).collect();
            time += advance;
            followed.time = f64::from(time);
            followed.state = state.iter().map(|&x| f64::from(x)).collect();
            begun.fill(0);
            let Some((_, k, side)) = first else {
                if followed.time >= until {
                    return followed;
                }
                continue;
            };
            // Another surface so near is a case of its own.
            let near =
                |j: usize| j != k && sides[j] != 0 && f64::from(value(&series.switches[j], advance).abs()) < MARGIN;
            if (0..sides.len()).any(near) || followed.events.len() > MOST_EVENTS {
                return Followed {
                    end: if followed.events.len() > MOST_EVENTS {
                        End::Undecided("crowded")
                    } else {
                        End::Undecided("near")
                    },
                    ..followed
                };
            }
            let mut zero: Vec<usize> = (0..sides.len()).filter(|&j| j == k || sides[j] == 0).collect();
            zero.sort_unstable();
            match self.decide(&state, &sides, &zero, (sides[k] == 0).then_some((k, side))) {
                Ok(found) => (sides, begun) = found,
                Err(end) => return Followed { end, ..followed },
            }
            followed.events.push((followed.time, sides.clone()));
            side_of_fold = None;
        }
    }

    /// The sides on which a motion continues, and with how many powers of time each switch begins; `ended` is a switch along which sliding has ended at a side.
    fn decide(
        &self,
        state: &[Real],
        sides: &[i8],
        zero: &[usize],
        ended: Option<(usize, i8)>,
    ) -> Result<(Vec<i8>, Vec<usize>), End> {
        let mut lawful = Vec::new();
        for number in 0..3_usize.pow(zero.len() as u32) {
            let mut candidate = sides.to_vec();
            zero.iter().enumerate().for_each(|(i, &k)| candidate[k] = (number / 3_usize.pow(i as u32) % 3) as i8 - 1);
            let Some(series) = self.expand(state, &candidate) else {
                // Without a number that keeps it on the surface there is no sliding; products of two such numbers are no part of this.
                if candidate.iter().filter(|side| **side == 0).count() > 1
                    && self.parts.iter().any(|part| part.sides.len() > 1)
                {
                    return Err(End::Undecided("several numbers"));
                }
                continue;
            };
            let mut begun = vec![0; sides.len()];
            let mut obeys = true;
            for &k in zero {
                let leads = match candidate[k] {
                    0 => {
                        let margins = [1_i8, -1].map(|side| lead(&margin_of(&series.switches[k], side)));
                        // The one that vanishes is that at which sliding has ended.
                        if margins.iter().all(|m| m.is_some_and(|(_, sign)| sign)) {
                            Some((0, true))
                        } else {
                            margins.into_iter().find(|m| m.is_none_or(|(_, sign)| !sign)).flatten()
                        }
                    }
                    side => {
                        let s: Series = series.switches[k].iter().map(|&c| c * real(f64::from(side))).collect();
                        // The surface is met here; where sliding has ended at this side, and nothing else has changed, it is left tangentially.
                        let alone = zero.iter().all(|&j| j == k || candidate[j] == sides[j]);
                        let known = if ended == Some((k, side)) && alone { 2 } else { 1 };
                        lead(&s[known..]).map(|(more, sign)| (known + more, sign))
                    }
                };
                let Some((power, sign)) = leads else { return Err(End::Undecided("near")) };
                begun[k] = power;
                obeys &= sign;
            }
            if obeys {
                lawful.push((candidate, begun));
            }
        }
        match lawful.len() {
            0 => Err(End::None),
            1 => Ok(lawful.remove(0)),
            _ => Err(End::Several),
        }
    }

    /// The series of a motion on given sides; `None` where the numbers that keep it on surfaces are not given by linear equations.
    fn expand(&self, start: &[Real], sides: &[i8]) -> Option<Expanded> {
        let n = start.len();
        let sliding: Vec<usize> = (0..sides.len()).filter(|&k| sides[k] == 0).collect();
        let mut x: Vec<Series> = start.iter().map(|&x| vec![x]).collect();
        // The part of the field without numbers, then that which each of them multiplies.
        let mut fields: Vec<Vec<Series>> = vec![vec![Vec::new(); n]; 1 + sliding.len()];
        let mut matrix: Vec<Vec<Series>> = vec![vec![Vec::new(); sliding.len()]; sliding.len()];
        let mut right: Vec<Series> = vec![Vec::new(); sliding.len()];
        let mut sigma: Vec<Series> = vec![Vec::new(); sliding.len()];
        for k in 0..ORDER {
            for (j, field) in fields.iter_mut().enumerate() {
                for (i, rate) in field.iter_mut().enumerate() {
                    let mut sum = real(0.0);
                    for part in &self.parts {
                        let slid: Vec<usize> = part.sides.iter().copied().filter(|side| sides[*side] == 0).collect();
                        if slid.len() > 1 {
                            return None;
                        }
                        let place =
                            slid.first().map_or(0, |side| 1 + sliding.iter().position(|k| k == side).unwrap_or(0));
                        if place == j {
                            let factor: i8 =
                                part.sides.iter().filter(|side| sides[**side] != 0).map(|side| sides[*side]).product();
                            sum += real(f64::from(factor)) * form(&part.rows[i], &x, k);
                        }
                    }
                    rate.push(sum);
                }
            }
            let along = |plane: usize, field: &[Series]| {
                (0..n).fold(real(0.0), |sum, i| sum + real(self.planes[sliding[plane]][i]) * field[i][k])
            };
            for i in 0..sliding.len() {
                right[i].push(-along(i, &fields[0]));
                (0..sliding.len()).for_each(|j| matrix[i][j].push(along(i, &fields[1 + j])));
            }
            let rest: Vec<Real> = (0..sliding.len())
                .map(|i| {
                    let products = (0..sliding.len()).flat_map(|j| (1..=k).map(move |l| (j, l)));
                    products.fold(right[i][k], |sum, (j, l)| sum - matrix[i][j][l] * sigma[j][k - l])
                })
                .collect();
            for (j, s) in solved(&matrix, &rest)?.into_iter().enumerate() {
                sigma[j].push(s);
            }
            for (i, x) in x.iter_mut().enumerate() {
                let terms = (0..sliding.len()).flat_map(|j| (0..=k).map(move |l| (j, l)));
                let rate = terms.fold(fields[0][i][k], |sum, (j, l)| sum + sigma[j][l] * fields[1 + j][i][k - l]);
                x.push(rate / real((k + 1) as f64));
            }
        }
        let switches = (0..sides.len()).map(|k| match sliding.iter().position(|s| *s == k) {
            Some(place) => sigma[place].iter().copied().chain([real(0.0)]).collect(),
            None => (0..=ORDER).map(|order| form(&self.planes[k], &x, order)).collect(),
        });
        let switches = switches.collect();
        let regular = match sliding.len() {
            0 => 1.0,
            1 => f64::from(matrix[0][0][0]),
            _ => f64::from(matrix[0][0][0] * matrix[1][1][0] - matrix[0][1][0] * matrix[1][0][0]),
        };
        Some(Expanded { state: x, switches, regular })
    }
}

/// M_0 y = r for none, one or two unknowns.
fn solved(matrix: &[Vec<Series>], right: &[Real]) -> Option<Vec<Real>> {
    let m = |i: usize, j: usize| matrix[i][j][0];
    match right.len() {
        0 => Some(vec![]),
        1 => (f64::from(m(0, 0).abs()) > MARGIN).then(|| vec![right[0] / m(0, 0)]),
        _ => {
            let determinant = m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0);
            let cramer = || {
                vec![
                    (right[0] * m(1, 1) - right[1] * m(0, 1)) / determinant,
                    (right[1] * m(0, 0) - right[0] * m(1, 0)) / determinant,
                ]
            };
            (f64::from(determinant.abs()) > MARGIN).then(cramer)
        }
    }
}

/// 1 - sigma for the positive side, 1 + sigma for the negative.
fn margin_of(sigma: &[Real], side: i8) -> Series {
    let mut margin: Series = sigma.iter().map(|&c| c * real(f64::from(-side))).collect();
    margin[0] += real(1.0);
    margin
}

/// The place of the first coefficient that does not vanish, and whether it is positive; `None` if that is not clear.
fn lead(series: &[Real]) -> Option<(usize, bool)> {
    let first = series.iter().take(3).position(|c| f64::from(c.abs()) > VANISHES)?;
    let lead = f64::from(series[first]);
    (lead.abs() > MARGIN).then_some((first, lead > 0.0))
}

/// Where a polynomial that is positive at 0 first falls to zero before the end of a step; between samples its minima are looked at too.
fn first_root(series: &[Real], step: f64) -> Option<Real> {
    let slope = rate(series);
    let mut left = real(0.0);
    for sample in 1..=SAMPLES {
        let right = real(step * sample as f64 / SAMPLES as f64);
        if f64::from(value(series, right)) <= 0.0 {
            return Some(bisected(series, left, right));
        }
        if f64::from(value(&slope, left)) < 0.0 && f64::from(value(&slope, right)) > 0.0 {
            let bottom = bisected(&slope.iter().map(|&c| -c).collect::<Vec<_>>(), left, right);
            if f64::from(value(series, bottom)) <= 0.0 {
                return Some(bisected(series, left, bottom));
            }
        }
        left = right;
    }
    None
}

/// The root between a place where a polynomial is positive and one where it is not.
fn bisected(series: &[Real], mut left: Real, mut right: Real) -> Real {
    for _ in 0..105 {
        let middle = (left + right) * real(0.5);
        if f64::from(value(series, middle)) > 0.0 { left = middle } else { right = middle }
    }
    right
}
