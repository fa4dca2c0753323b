//! The standard works, timed on this machine: the question `bench`. Each is run several times, and the median time is compared with other programs.
//!
//! | module | works |
//! |---|---|
//! | `diagram` | W1: bifurcation diagram of an impact oscillator |
//! | `pendulum` | W2, W3: double pendulum with chattering, and without a wall |
//! | `flights` | W4: flights whose maximum lies within 1e-6 of a wall |
//! | `loops` | W5: branch of periodic orbits through a graze |
//! | `structures` | W6: nonsmooth modes of structures |
//! | `heaps` | W7: many contacts by time stepping |

pub mod answer;
mod diagram;
mod flights;
pub mod heaps;
mod loops;
mod oscillator;
mod pendulum;
pub mod request;
mod run;
mod structures;
mod works;

pub use answer::Line;
pub use request::{MOST_REPEATS, Request};
pub use run::Check;
pub use works::{WORKS, Work};

use crate::error::{Error, accepted};
use crate::progress::Progress;
use run::Measured;
use works::Case;

impl Request {
    /// Runs the works one after another on the calling thread. `tell` takes the line of each case as it is finished.
    ///
    /// ```
    /// use saltation::bench::{Check, Request};
    /// let request = Request { works: vec!["W4".to_string()], repeats: Some(1) };
    /// let lines = request.run_with(&mut (), &mut |_| ())?;
    /// // A new motion for every flight, and one motion that begins anew; no flight has a wrong number of impacts.
    /// assert_eq!((lines[0].case.as_deref(), lines[1].case.as_deref()), (Some("new"), Some("restart")));
    /// assert!(lines.iter().all(|line| line.check == Check::Count(0)));
    /// # Ok::<(), saltation::Error>(())
    /// ```
    ///
    /// # Errors
    /// An unknown work, or a number of repeats out of its bounds; an interruption, as [`Error::Ended`], after which the lines told stand.
    pub fn run_with(&self, progress: &mut dyn Progress, tell: &mut dyn FnMut(&Line)) -> Result<Vec<Line>, Error> {
        accepted(self.refusals())?;
        let cases = self.cases();
        let mut lines = Vec::with_capacity(cases.len());
        for (position, case) in cases.iter().enumerate() {
            let repeats = self.repeats.unwrap_or(case.repeats);
            let measured = measure(case, repeats, &mut |made| {
                let share = (position as f64 + made as f64 / repeats as f64) / cases.len() as f64;
                progress.see(Some(share), &|| format!("{case}: run {} of {repeats}", made + 1))
            })?;
            let line = Line::new(case, &measured);
            tell(&line);
            lines.push(line);
        }
        Ok(lines)
    }
}

/// All runs of a case, as long as `goes_on`, called with the number of runs made, returns true.
fn measure(case: &Case, repeats: u64, goes_on: &mut dyn FnMut(u64) -> bool) -> Result<Vec<Measured>, Error> {
    let mut run = (case.prepare)()?;
    let mut measured = Vec::new();
    for made in 0..repeats {
        if !goes_on(made) {
            let line = format!("interrupted in {case} after {made} of {repeats} runs");
            return Err(Error::Ended { word: "interrupted".to_string(), lines: vec![line] });
        }
        measured.push(run()?);
    }
    Ok(measured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interruption_says_where_and_leaves_the_lines_told() {
        let request = Request { works: vec!["W3".to_string()], repeats: Some(2) };
        let mut looks = 0;
        let mut told = Vec::new();
        let ended = request.run_with(
            &mut |_: Option<f64>, _: &str| {
                looks += 1;
                looks < 4
            },
            &mut |line| told.push(line.case.clone()),
        );
        assert_eq!(ended.unwrap_err().to_string(), "interrupted in W3 1e-12 after 1 of 2 runs");
        assert_eq!(told, [Some("1e-9".to_string())]);
    }
}
