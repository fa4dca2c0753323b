//! The report of a measurement of Lyapunov exponents: the exponents with their standard errors, and what kind of motion it is.

use crate::lyapunov::Measured;
use crate::text::columns::{self, Row, Side};
use crate::text::number::{self, short};
use saltation_motion::System;
use saltation_orbit::Failure;

/// An exponent that differs from zero by less than so many standard errors may be zero.
const CLEAR: f64 = 3.0;
/// So does one under which neighbours have not even moved by this power of e, as the direction of the first neighbour and the
/// place of the last return change the growth by a factor.
const LEAST_GROWTH: f64 = 5.0;
/// More standard errors than this are only said to be more.
const VERY_CLEAR: f64 = 1000.0;

/// The whole report.
pub fn lines(measured: &Measured) -> Vec<String> {
    let (system, request) = (&measured.system, &measured.request);
    let mut lines = vec![system.headline()];
    let changed = system.changed();
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    let settled = number::count(request.settle, "return");
    let asked = number::count(request.returns, "return");
    lines.push(format!("along    {asked} to {}, settled for {settled}", measured.section));
    lines.push(format!("tol      {:e}", request.tol));
    lines.push(String::new());
    if measured.returns > 0 {
        let time = short(measured.time, 10);
        let unit = system.model().time_unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
        let (returns, impacts) = (number::count(measured.returns, "return"), number::count(measured.impacts, "impact"));
        lines.push(format!("measured over {returns} with {impacts}, a time of {time}{unit}"));
        lines.push(String::new());
        lines.extend(exponents(measured));
        lines.push(String::new());
        lines.push(verdict(measured));
    } else {
        lines.push("nothing was measured".to_string());
    }
    lines.push(format!("{} s of computing", short(measured.wall_time.as_secs_f64(), 3)));
    lines
}

fn exponents(measured: &Measured) -> Vec<String> {
    let aligned = |value: f64| {
        let text = short(value, 10);
        if text.starts_with('-') { text } else { format!(" {text}") }
    };
    let mut rows: Vec<Row> = Vec::new();
    for (&exponent, &error) in measured.exponents.iter().zip(&measured.standard_errors) {
        let error = if error.is_finite() { format!("± {}", short(error, 2)) } else { String::new() };
        let remark = if exponent == f64::NEG_INFINITY { "lasting contact takes these neighbours away" } else { "" };
        rows.push(Row::Cells(vec![aligned(exponent), error, remark.to_string()]));
    }
    let head = [("exponents", Side::Left), ("standard error", Side::Left), ("", Side::Left)];
    let mut lines = columns::lines(&head, &rows);
    lines.push(format!("  sum  {}", aligned(measured.sum)));
    lines
}

/// What kind of motion it is.
pub fn verdict(measured: &Measured) -> String {
    let forced = measured.system.model().phase.is_some();
    let errors = measured.standard_errors.iter().copied();
    let spectrum: Vec<(f64, f64)> = measured.exponents.iter().copied().zip(errors).collect();
    judge(&spectrum, measured.time, !forced)
}

/// What exponents with their standard errors, measured over a time, say about a motion. An autonomous motion has one that is
/// zero: that of its own direction.
fn judge(spectrum: &[(f64, f64)], time: f64, autonomous: bool) -> String {
    let doubt = |&(_, error): &(f64, f64)| (CLEAR * error).max(LEAST_GROWTH / time);
    let mut others = spectrum.to_vec();
    others.retain(|(exponent, _)| !exponent.is_nan());
    let own = others.iter().enumerate().min_by(|a, b| a.1.0.abs().total_cmp(&b.1.0.abs()));
    if let (true, Some((own, _))) = (autonomous, own) {
        others.remove(own);
    }
    let Some(largest) = others.iter().max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return "there are no neighbours to say anything about".to_string();
    };
    let (exponent, error) = *largest;
    let clear = match exponent.abs() / error {
        errors if !exponent.is_finite() || errors.is_nan() => String::new(),
        errors if errors > VERY_CLEAR => format!(" by more than {VERY_CLEAR} standard errors"),
        errors => format!(" by {} standard errors", short(errors, 2)),
    };
    let which = if autonomous { "largest exponent but the zero of the motion itself" } else { "largest exponent" };
    if exponent > doubt(largest) {
        format!("chaotic: the {which} is positive{clear}")
    } else if exponent < -doubt(largest) {
        format!("not chaotic: the {which} is negative{clear}, so that neighbours come together")
    } else if CLEAR * error >= LEAST_GROWTH / time {
        format!("quasi-periodic or at a bifurcation: the {which} is zero within {CLEAR} standard errors")
    } else {
        format!(
            "quasi-periodic or at a bifurcation, or not measured for long enough: with the {which} neighbours grow or shrink \
             only by the factor {} in all this time",
            short((exponent * time).exp(), 3)
        )
    }
}

/// Why a measurement ended, in words.
pub fn failure(reason: &Failure, system: &System, section: usize) -> String {
    let name = system.section_names().nth(section).unwrap_or_default();
    match reason {
        Failure::Start(error) => error.to_string(),
        Failure::Ended { ended, time } => format!("the motion ended at t = {time:.6}: {}", ended.describe(system)),
        Failure::NoReturn { time } => {
            format!("the motion did not come back to the section {name} until t = {time:.4e}")
        }
        Failure::Grazed { contact, time } => {
            let contact = &system.contact_names()[*contact];
            format!("the motion touched {contact} without speed at about t = {time:.6}, where it has no derivatives")
        }
        Failure::Jumped { .. } => "an impact jumps across the section".to_string(),
        Failure::Interrupted => "the run was interrupted".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::judge;

    #[test]
    fn verdicts_take_errors_and_the_motion_itself_into_account() {
        let none = f64::NEG_INFINITY;
        for (spectrum, autonomous, beginning) in [
            (&[(0.1, 0.001), (-0.5, 0.001)][..], false, "chaotic: the largest exponent is positive by 100 standard"),
            (&[(-0.1, 0.0), (-0.5, 0.0)], false, "not chaotic: the largest exponent is negative by more than 1000"),
            (&[(0.01, 0.02), (-0.5, 0.02)], false, "quasi-periodic or at a bifurcation: the"),
            (&[(1e-7, 1e-9), (-0.5, 1e-9)], false, "quasi-periodic or at a bifurcation, or not measured"),
            (&[(1e-9, 1e-12), (-0.3, 1e-9)], true, "not chaotic: the largest exponent but"),
            (&[(0.2, 0.01), (1e-6, 1e-6), (-2.0, 0.01)], true, "chaotic: the largest exponent but"),
            (&[(1e-6, 1e-6), (none, f64::NAN), (none, f64::NAN)], true, "not chaotic"),
            (&[(none, f64::NAN)], false, "not chaotic: the largest exponent is negative, so"),
            (&[(0.1, f64::NAN)], false, "chaotic"),
            (&[(0.0, 0.0)], true, "there are no neighbours"),
        ] {
            let verdict = judge(spectrum, 1000.0, autonomous);
            assert!(verdict.starts_with(beginning), "{spectrum:?}: {verdict}");
        }
    }
}
