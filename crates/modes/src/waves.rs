//! Where does a sum of sinusoids have its minima, and how deep are they? Found by bounds, never by samples.
//!
//! The gap in flight is f(s) = f₀ + Σ (a_p cos ω_p s + b_p sin ω_p s). On a cell of half-width h about x
//!
//! ```text
//! f(x + s) >= f + f' s + f'' s²/2 - A₃ h³/6    and    f(x + s) >= f - |f'| h - A₂ h²/2,    A_m = Σ √(a_p² + b_p²) ω_p^m.
//! ```
//!
//! Where a bound is above the level of interest nothing has to be found; where f' keeps its sign there is no minimum; where
//! f'' does, there is one at most, and Newton's method has it. Other cells are halved.

/// f(s) = f₀ + Σ (a_p cos ω_p s + b_p sin ω_p s) for 0 <= s <= length.
#[derive(Clone, Debug)]
pub(crate) struct Waves<'m> {
    constant: f64,
    frequencies: &'m [f64],
    cosines: Vec<f64>,
    sines: Vec<f64>,
    length: f64,
    /// Whether f(-s) = f(s) and the range is one half of a flight: then s = 0 is inside.
    even: bool,
    second: f64,
    third: f64,
    scale: f64,
}

/// A local minimum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Minimum {
    pub at: f64,
    pub value: f64,
}

/// f with two derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub value: f64,
    pub slope: f64,
    pub bend: f64,
}

/// Cells are not halved further than to this part of the whole: f' and f'' vanish together there, to rounding.
const NARROWEST: f64 = 1e-9;

impl<'m> Waves<'m> {
    /// The sum over a flight.
    pub fn new(constant: f64, frequencies: &'m [f64], cosines: Vec<f64>, sines: Vec<f64>, length: f64) -> Self {
        let mut waves = Waves {
            constant,
            frequencies,
            cosines,
            sines,
            length,
            even: false,
            second: 0.0,
            third: 0.0,
            scale: constant.abs(),
        };
        for (p, w) in frequencies.iter().enumerate() {
            let size = waves.cosines[p].hypot(waves.sines[p]);
            waves.scale += size;
            waves.second += size * w * w;
            waves.third += size * w * w * w;
        }
        waves
    }

    /// An even sum from its middle.
    pub fn even(constant: f64, frequencies: &'m [f64], cosines: Vec<f64>, length: f64) -> Self {
        let sines = vec![0.0; cosines.len()];
        Waves { even: true, ..Waves::new(constant, frequencies, cosines, sines, length) }
    }

    /// |f₀| + Σ √(a² + b²): rounding of f is some units in the last place of this.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// f, f', f'' at s.
    pub fn at(&self, s: f64) -> Local {
        let mut local = Local { value: self.constant, slope: 0.0, bend: 0.0 };
        if self.even {
            for (w, a) in self.frequencies.iter().zip(&self.cosines) {
                let (sine, cosine) = (w * s).sin_cos();
                let moved = a * cosine;
                local.value += moved;
                local.slope -= w * a * sine;
                local.bend -= w * w * moved;
            }
        } else {
            for ((w, a), b) in self.frequencies.iter().zip(&self.cosines).zip(&self.sines) {
                let (sine, cosine) = (w * s).sin_cos();
                let moved = a * cosine + b * sine;
                local.value += moved;
                local.slope += w * (b * cosine - a * sine);
                local.bend -= w * w * moved;
            }
        }
        local
    }

    /// Tells all local minima inside the range whose value is not above the level, in no order. What `tell` answers is the level
    /// from then on; -∞ ends the search.
    pub fn minima_below(&self, mut level: f64, mut tell: impl FnMut(Minimum) -> f64) {
        let narrowest = NARROWEST * self.length;
        // A stack of cells [left, right]; halving keeps it as short as the logarithm of their number.
        let mut cells = [(0.0, 0.0); 64];
        cells[0] = (0.0, self.length);
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (left, right) = cells[count];
            let (x, h) = (0.5 * (left + right), 0.5 * (right - left));
            let Local { value, slope, bend } = self.at(x);
            let cubic = self.third * h * h * h / 6.0;
            let quadratic =
                if bend * h > slope.abs() { -slope * slope / (2.0 * bend) } else { (0.5 * bend * h - slope.abs()) * h };
            let bound = (value + quadratic - cubic).max(value - slope.abs() * h - 0.5 * self.second * h * h);
            if bound > level {
                continue;
            }
            let bend_change = self.third * h;
            let monotone = slope.abs() > bend.abs() * h + 0.5 * bend_change * h || slope.abs() > self.second * h;
            let begins_even = self.even && left == 0.0;
            // The middle of an even sum is a minimum or a maximum whatever the slope next to it.
            if monotone && !begins_even || bend < -bend_change {
                continue;
            }
            if bend > bend_change || h < narrowest {
                if let Some(minimum) = self.descend(left, right, begins_even)
                    && minimum.value <= level
                {
                    level = tell(minimum);
                }
                continue;
            }
            cells[count] = (x, right);
            cells[count + 1] = (left, x);
            count += 2;
        }
    }

    /// The minimum on a cell on which f is convex, if it is inside.
    fn descend(&self, mut left: f64, mut right: f64, begins_even: bool) -> Option<Minimum> {
        if begins_even {
            return Some(Minimum { at: 0.0, value: self.at(0.0).value });
        }
        if self.at(left).slope >= 0.0 || self.at(right).slope < 0.0 {
            return None;
        }
        let mut s = 0.5 * (left + right);
        for _ in 0..80 {
            let local = self.at(s);
            if local.slope < 0.0 {
                left = s;
            } else {
                right = s;
            }
            let newton = s - local.slope / local.bend;
            let next = if newton > left && newton < right { newton } else { 0.5 * (left + right) };
            let done = (next - s).abs() <= 4.0 * f64::EPSILON * self.length;
            s = next;
            if done {
                break;
            }
        }
        Some(Minimum { at: s, value: self.at(s).value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least local minimum, if there is one.
    fn least(waves: &Waves<'_>) -> Option<Minimum> {
        let mut least: Option<Minimum> = None;
        waves.minima_below(f64::INFINITY, |minimum| {
            if least.is_none_or(|known| minimum.value < known.value) {
                least = Some(minimum);
            }
            least.map_or(f64::INFINITY, |known| known.value)
        });
        least
    }

    #[test]
    fn every_minimum_of_a_beat_is_found_once() {
        // cos s + cos 1.1 s: minima between neighbouring maxima, compared with the signs of f' on a fine grid.
        let frequencies = [1.0, 1.1];
        let waves = Waves::new(0.3, &frequencies, vec![1.0, 0.7], vec![0.2, -0.5], 120.0);
        let mut found = Vec::new();
        waves.minima_below(f64::INFINITY, |minimum| {
            found.push(minimum.at);
            f64::INFINITY
        });
        found.sort_by(f64::total_cmp);
        let slopes: Vec<f64> = (0..=120_000).map(|i| waves.at(0.001 * f64::from(i)).slope).collect();
        let places: Vec<usize> = (1..slopes.len()).filter(|&i| slopes[i - 1] < 0.0 && slopes[i] >= 0.0).collect();
        assert_eq!(found.len(), places.len());
        for (at, place) in found.iter().zip(places) {
            assert!((at - 0.001 * place as f64).abs() < 1.01e-3);
            // A place is known to four units in the last place of the length, and |f''| changes by less than 2 per unit.
            assert!(waves.at(*at).slope.abs() < 8.0 * f64::EPSILON * 120.0);
        }
        let least = least(&waves).unwrap();
        assert!(found.iter().all(|&at| waves.at(at).value >= least.value));
    }

    #[test]
    fn a_thin_dip_is_not_missed() {
        // A comb of 60 equal waves is deep at one place only: its width is 1/60 of the range.
        let frequencies: Vec<f64> = (1..=60).map(f64::from).collect();
        let at: f64 = 2.345;
        let cosines = frequencies.iter().map(|w| -(w * at).cos() / 60.0).collect();
        let sines = frequencies.iter().map(|w| -(w * at).sin() / 60.0).collect();
        let waves = Waves::new(0.999, &frequencies, cosines, sines, 6.0);
        let mut below = Vec::new();
        waves.minima_below(0.0, |minimum| {
            below.push(minimum);
            0.0
        });
        assert_eq!(below.len(), 1);
        assert!((below[0].at - at).abs() < 1e-8 && (below[0].value + 0.001).abs() < 1e-14);
    }

    #[test]
    fn the_middle_of_an_even_sum_counts() {
        let frequencies = [1.0, 3.0];
        let waves = Waves::even(0.0, &frequencies, vec![1.0, -0.9], 1.0);
        assert_eq!(least(&waves).unwrap().at, 0.0);
        let waves = Waves::even(0.0, &frequencies, vec![1.0, 0.9], 0.3);
        assert_eq!(least(&waves), None);
    }
}
