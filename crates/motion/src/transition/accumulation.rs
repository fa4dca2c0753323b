//! Events that accumulate at a time: jumps whose intervals shrink by a factor end the motion where infinitely many of them have happened.

/// The times of events since the motion began, the latest last.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tempo {
    times: Vec<f64>,
}

/// Patterns of so many events may repeat.
const LONGEST_PATTERN: usize = 6;
/// Four rounds of the longest pattern are kept.
const KEPT: usize = 4 * LONGEST_PATTERN + 1;
/// What is left of a sequence is taken at once where it is this small beside the time since the motion began.
const LEFT: f64 = 1e-9;
/// Extrapolations that agree to so many units in the last place know the end.
const UNITS: f64 = 16.0;

impl Tempo {
    /// A new motion begins.
    pub(crate) fn restart(&mut self) {
        self.times.clear();
    }

    /// Counts an event; the time at which infinitely many follow, if that is known.
    pub(crate) fn count(&mut self, time: f64) -> Option<f64> {
        if self.times.last() == Some(&time) {
            return None;
        }
        if self.times.len() == KEPT {
            self.times.remove(0);
        }
        self.times.push(time);
        let known = |end: &Extrapolated| end.agrees(UNITS * f64::EPSILON) && end.left <= LEFT * end.time.abs();
        self.ends().find(known).map(|end| end.time)
    }

    /// The time at which infinitely many events follow, where the next one is not told from others at its instant: of states that are accelerated the square of what is left of the time is left.
    pub(crate) fn nears(&self) -> Option<f64> {
        let near = |end: &Extrapolated| end.agrees(LEFT) && end.left <= LEFT.sqrt() * end.time.abs();
        self.ends().find(near).map(|end| end.time)
    }

    /// The ends of sequences of which every one, two, .. events are one round.
    fn ends(&self) -> impl Iterator<Item = Extrapolated> + '_ {
        (1..=LONGEST_PATTERN).filter_map(|pattern| self.end(pattern))
    }

    /// The end of a sequence of which every `pattern` events are one round: Aitken's extrapolation of three rounds, twice.
    fn end(&self, pattern: usize) -> Option<Extrapolated> {
        let last = self.times.len().checked_sub(1)?;
        let at = |rounds: usize| last.checked_sub(rounds * pattern).map(|k| self.times[k]);
        let [t0, t1, t2, t3] = [at(0)?, at(1)?, at(2)?, at(3)?];
        let extrapolated = |a: f64, b: f64, c: f64| {
            let (late, early) = (a - b, b - c);
            (late > 0.0 && late < early).then(|| a + late * late / (early - late))
        };
        let (time, before) = (extrapolated(t0, t1, t2)?, extrapolated(t1, t2, t3)?);
        Some(Extrapolated { time, before, left: time - t0 })
    }
}

/// The end of a sequence, the same a round before, and how much later than the last event it is.
struct Extrapolated {
    time: f64,
    before: f64,
    left: f64,
}

impl Extrapolated {
    /// Whether both rounds say the same, to within a part of the time.
    fn agrees(&self, part: f64) -> bool {
        (self.time - self.before).abs() <= part * self.time.abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tanks that are filled in turn: switches at 4, 12, 16, 18, ... end at 20.
    #[test]
    fn geometric_sequences_end() {
        let mut tempo = Tempo::default();
        let mut end = None;
        let (mut time, mut step) = (4.0, 8.0);
        for _ in 0..60 {
            end = end.or(tempo.count(time));
            (time, step) = (time + step, 0.5 * step);
        }
        assert!((end.unwrap() - 20.0).abs() < 1e-13);
        // Rounds of two different events.
        let mut tempo = Tempo::default();
        let (mut time, mut step, mut end) = (0.0, 1.0, None);
        for k in 0..200 {
            end = end.or(tempo.count(time));
            time += step * if k % 2 == 0 { 1.0 } else { 0.25 };
            step *= if k % 2 == 0 { 1.0 } else { 0.6 };
        }
        assert!((end.unwrap() - 1.25 / 0.4).abs() < 1e-13);
    }

    /// Four events at 4, 12, 16, 18 point to 20, and are far from it.
    #[test]
    fn a_sequence_is_near_its_end_where_nothing_tells_events_apart() {
        let mut tempo = Tempo::default();
        let (mut time, mut step) = (4.0, 8.0);
        for k in 0..20 {
            tempo.count(time);
            assert_eq!(tempo.nears().is_some(), 20.0 - time <= 20.0 * LEFT.sqrt(), "{k}");
            (time, step) = (time + step, 0.5 * step);
        }
        assert!(tempo.nears().is_some_and(|end| (end - 20.0).abs() < 1e-12));
    }

    #[test]
    fn regular_sequences_do_not() {
        let mut tempo = Tempo::default();
        assert!((0..1000).all(|k| tempo.count(k as f64).is_none()));
        let mut tempo = Tempo::default();
        // Slower and slower, without end.
        assert!((1..1000).all(|k| tempo.count((k as f64).ln()).is_none()));
    }
}
