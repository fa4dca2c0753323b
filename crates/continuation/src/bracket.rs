//! Chooses the next trial in a bracket of a sign change.
//!
//! Chandrupatla's method: inverse quadratic interpolation through the last three values where these are monotone enough, and
//! the middle elsewhere (T. R. Chandrupatla, Advances in Engineering Software 28, 1997).

/// A place, the value there, and what else is known there.
#[derive(Clone, Debug)]
pub(crate) struct End<T> {
    pub(crate) at: f64,
    pub(crate) value: f64,
    pub(crate) what: T,
}

/// Place and value of an end that was replaced.
#[derive(Clone, Copy, Debug)]
struct Replaced {
    at: f64,
    value: f64,
}

/// Two ends with values of different signs, and place and value of the end that was replaced last.
#[derive(Clone, Debug)]
pub(crate) struct Bracket<T> {
    newest: End<T>,
    other: End<T>,
    replaced: Option<Replaced>,
}

impl<T> Bracket<T> {
    /// Two ends with values of different signs.
    pub(crate) fn new(other: End<T>, newest: End<T>) -> Self {
        Self { newest, other, replaced: None }
    }

    /// Takes a value from inside.
    pub(crate) fn take(&mut self, end: End<T>) {
        let last = std::mem::replace(&mut self.newest, end);
        let replaced = if self.newest.value.signum() == last.value.signum() {
            last
        } else {
            std::mem::replace(&mut self.other, last)
        };
        self.replaced = Some(Replaced { at: replaced.at, value: replaced.value });
    }

    /// The distance of the ends.
    pub(crate) fn width(&self) -> f64 {
        (self.newest.at - self.other.at).abs()
    }

    /// The end with the smaller value.
    pub(crate) fn better(&self) -> &End<T> {
        if self.newest.value.abs() < self.other.value.abs() { &self.newest } else { &self.other }
    }

    /// Where to try next, no nearer to an end than `width`.
    pub(crate) fn next(&self, width: f64) -> f64 {
        let (a, fa) = (self.newest.at, self.newest.value);
        let (b, fb) = (self.other.at, self.other.value);
        let mut part = 0.5;
        if let Some(Replaced { at: c, value: fc }) = self.replaced {
            let (xi, phi) = ((a - b) / (c - b), (fa - fb) / (fc - fb));
            if phi * phi < xi && (1.0 - phi).powi(2) < 1.0 - xi {
                part = fa / (fb - fa) * (fc / (fb - fc)) + (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb));
            }
        }
        let least = (width / (b - a).abs()).min(0.5);
        a + part.clamp(least, 1.0 - least) * (b - a)
    }

    /// Both ends, the one further left first.
    pub(crate) fn ends(self) -> (End<T>, End<T>) {
        if self.newest.at < self.other.at { (self.newest, self.other) } else { (self.other, self.newest) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(f: impl Fn(f64) -> f64) -> (f64, usize) {
        let end = |at| End { at, value: f(at), what: () };
        let mut bracket = Bracket::new(end(0.0), end(1.0));
        let mut trials = 0;
        while bracket.width() > 2e-13 && trials < 100 {
            bracket.take(end(bracket.next(1e-13)));
            trials += 1;
        }
        (bracket.better().at, trials)
    }

    #[test]
    fn roots_are_found_in_few_trials() {
        for (f, root_at) in [
            (&(|x: f64| x - 0.3) as &dyn Fn(f64) -> f64, 0.3),
            (&|x: f64| x.exp() - 1.5, 1.5f64.ln()),
            (&|x: f64| x.powi(3) - 0.001, 0.1),
            (&|x: f64| (x - 0.7).cbrt(), 0.7),
        ] {
            let (at, trials) = root(f);
            assert!((at - root_at).abs() < 3e-13, "{at} {root_at}");
            assert!(trials < 50, "{trials}");
        }
        assert!(root(|x: f64| x.exp() - 1.5).1 <= 10);
    }
}
