//! The standard works, timed on this machine. Each is run several times, and the median time is compared with other programs.
//!
//! | module | works |
//! |---|---|
//! | `diagram` | W1: bifurcation diagram of an impact oscillator |
//! | `pendulum` | W2, W3: double pendulum with chattering, and without a wall |
//! | `flights` | W4: flights whose maximum lies within 1e-6 of a wall |
//! | `loops` | W5: branch of periodic orbits through a graze |
//! | `structures` | W6: nonsmooth modes of structures |
//! | `heaps` | W7: many contacts by time stepping, of the models in `texts` |
//! | `sweeps` | W8, W9: sweeps of a relief valve and of a Duffing oscillator |
//! | `fits` | W10: fits of ten parameters to 100 impacts |
//!
//! What takes time is computed by functions of the libraries; here they are only called.

mod diagram;
mod fits;
mod flights;
mod heaps;
mod line;
mod loops;
mod oscillator;
mod pendulum;
mod run;
mod structures;
mod sweeps;
mod texts;
mod works;

pub(crate) use line::Line;
pub(crate) use works::unknown;

use run::Measured;
use saltation::{Error, Progress};
use works::Case;

/// The largest number of runs of a case: their times are kept until the last of them.
pub(crate) const MOST_REPEATS: u64 = 1_000_000;

/// Runs works, known by their names, or all if there are none, one after another on the calling thread: each case `repeats` times, or as often as takes about a
/// second. `tell` takes the line of each case as it is finished.
///
/// # Errors
/// An interruption, as [`Error::Ended`], after which the lines told stand.
pub(crate) fn run(
    works: &[String],
    repeats: Option<u64>,
    progress: &mut dyn Progress,
    tell: &mut dyn FnMut(&Line),
) -> Result<(), Error> {
    let cases = works::cases(works);
    for (position, case) in cases.iter().enumerate() {
        let repeats = repeats.unwrap_or(case.repeats);
        let measured = measure(case, repeats, &mut |made| {
            let share = (position as f64 + made as f64 / repeats as f64) / cases.len() as f64;
            progress.see(Some(share), &|| format!("{case}: run {} of {repeats}", made + 1))
        })?;
        tell(&Line::new(case, &measured));
    }
    Ok(())
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
        let mut looks = 0;
        let mut told = Vec::new();
        let ended = run(
            &["W3".to_string()],
            Some(2),
            &mut |_: Option<f64>, _: &str| {
                looks += 1;
                looks < 4
            },
            &mut |line| told.push(line.case),
        );
        assert_eq!(ended.unwrap_err().to_string(), "interrupted in W3 1e-12 after 1 of 2 runs");
        assert_eq!(told, [Some("1e-9")]);
    }
}
