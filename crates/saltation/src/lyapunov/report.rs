//! The report of a computation of Lyapunov exponents: the exponents with their standard errors, and the kind of motion.

use crate::lyapunov::Measured;
use crate::text::columns::{self, Row, Side};
use crate::text::number::{self, short};
use saltation_motion::System;
use saltation_numerics::elementary;
use saltation_orbit::Failure;

/// Perturbations that grow by less than e to this say nothing of how the motion does: no bounded motion is e to half of it larger than both its start and one.
const GROWS: f64 = 90.0;
/// An exponent within this number of standard errors of zero is not distinguished from zero: the usual 3 sigma.
const ZERO_WITHIN_ERRORS: f64 = 3.0;
/// The same holds for an exponent under which perturbations have changed by less than this power of e over the whole time, because the first
/// direction and the last return change the growth by a factor of order 1.
const SMALLEST_LOG_GROWTH: f64 = 5.0;
/// Larger distances from zero, in standard errors, are reported as larger than this.
const MOST_REPORTED_ERRORS: f64 = 1000.0;

/// The whole report.
pub(crate) fn lines(measured: &Measured) -> Vec<String> {
    let (system, request) = (&measured.system, &measured.request);
    let mut lines = vec![system.headline()];
    let changed = system.changed();
    if !changed.is_empty() {
        lines.push(format!("with     {}", changed.join(", ")));
    }
    let settled = number::count(request.settle, "return");
    let asked = number::count(request.returns, "return");
    lines.push(format!("along    {asked} to {}, after a transient of {settled}", measured.section));
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
    let spectrum = spectrum(measured);
    let drifting = of_drift(measured, &spectrum);
    for (k, &(exponent, error)) in spectrum.iter().enumerate() {
        let error = if error.is_finite() { format!("± {}", short(error, 2)) } else { String::new() };
        let remark = match exponent == f64::NEG_INFINITY {
            true => "perturbations vanish in persistent contact",
            false if drifting.contains(&k) => "zero: a shift of a state on which nothing depends",
            false => "",
        };
        rows.push(Row::Cells(vec![aligned(exponent), error, remark.to_string()]));
    }
    let head = [("exponents", Side::Left), ("standard error", Side::Left), ("", Side::Left)];
    let mut lines = columns::lines(&head, &rows);
    lines.push(format!("  sum  {}", aligned(measured.sum)));
    lines
}

/// The kind of motion.
pub(crate) fn verdict(measured: &Measured) -> String {
    if let Some(size) = runs_away(measured) {
        return format!(
            "not bounded: the trajectory grows as fast as its perturbations, to states of size {}; exponents say nothing of chaos there",
            short(size, 2)
        );
    }
    let forced = measured.system.model().phase.is_some();
    let mut spectrum = spectrum(measured);
    let drifting = of_drift(measured, &spectrum);
    let mut place = 0..;
    spectrum.retain(|_| place.next().is_none_or(|k| !drifting.contains(&k)));
    judge(&spectrum, measured.time, !forced)
}

/// The largest state at the end of a motion that has grown, in orders of magnitude, by more than half of what its perturbations have; none of another.
fn runs_away(measured: &Measured) -> Option<f64> {
    let growth = measured.exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max) * measured.time;
    let size = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0_f64, |size, x| size.max(x.abs()));
    let end = size(&mut measured.state.as_ref()?.iter().map(|(_, x)| x));
    let start = size(&mut measured.system.values().ok()?.start().iter().copied()).max(1.0);
    let grown = elementary::ln(end / start);
    (growth > GROWS && grown > 0.5 * growth).then_some(end)
}

/// The exponents with their standard errors.
fn spectrum(measured: &Measured) -> Vec<(f64, f64)> {
    measured.exponents.iter().copied().zip(measured.standard_errors.iter().copied()).collect()
}

/// Which exponents are the zeros of states on which nothing depends: shifts of them neither grow nor decay, and say nothing about the motion.
fn of_drift(measured: &Measured, spectrum: &[(f64, f64)]) -> Vec<usize> {
    let mut zeros: Vec<usize> =
        (0..spectrum.len()).filter(|&k| spectrum[k].0.abs() <= doubt(&spectrum[k], measured.time)).collect();
    zeros.sort_by(|&a, &b| spectrum[a].0.abs().total_cmp(&spectrum[b].0.abs()));
    zeros.truncate(measured.system.model().neutral_states().len());
    zeros
}

/// Exponents with standard errors, computed over a time, that are smaller than this may be zero.
fn doubt(&(_, error): &(f64, f64), time: f64) -> f64 {
    (ZERO_WITHIN_ERRORS * error).max(SMALLEST_LOG_GROWTH / time)
}

/// Classifies a motion by exponents with standard errors, computed over a time. An autonomous motion has one exponent that is
/// zero: that of the direction of the flow.
fn judge(spectrum: &[(f64, f64)], time: f64, autonomous: bool) -> String {
    let doubt = |one: &(f64, f64)| doubt(one, time);
    let mut others = spectrum.to_vec();
    others.retain(|(exponent, _)| !exponent.is_nan());
    let own = others.iter().enumerate().min_by(|a, b| a.1.0.abs().total_cmp(&b.1.0.abs()));
    if let (true, Some((own, _))) = (autonomous, own) {
        others.remove(own);
    }
    let Some(largest) = others.iter().max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return "there are no perturbations to classify the trajectory by".to_string();
    };
    let (exponent, error) = *largest;
    let clear = match exponent.abs() / error {
        errors if !exponent.is_finite() || errors.is_nan() => String::new(),
        errors if errors > MOST_REPORTED_ERRORS => format!(" by more than {MOST_REPORTED_ERRORS} standard errors"),
        errors => format!(" by {} standard errors", short(errors, 2)),
    };
    let which = if autonomous { "largest exponent besides the zero along the flow" } else { "largest exponent" };
    if exponent > doubt(largest) {
        format!("chaotic: the {which} is positive{clear}")
    } else if exponent < -doubt(largest) {
        format!("not chaotic: the {which} is negative{clear}, so that perturbations decay")
    } else if ZERO_WITHIN_ERRORS * error >= SMALLEST_LOG_GROWTH / time {
        format!("quasi-periodic or at a bifurcation: the {which} is zero within {ZERO_WITHIN_ERRORS} standard errors")
    } else {
        format!(
            "quasi-periodic or at a bifurcation, or not measured for long enough: with the {which} perturbations grow or decay \
             only by the factor {} over the whole time",
            short(elementary::exp(exponent * time), 3)
        )
    }
}

/// The reason for which a computation ended, in words.
pub(crate) fn failure(reason: &Failure, system: &System, section: usize) -> String {
    let name = system.section_names().nth(section).unwrap_or_default();
    match reason {
        Failure::Start(error) => error.to_string(),
        Failure::Ended { ended, time } => format!("the trajectory ended at t = {time:.6}: {}", ended.describe(system)),
        Failure::NoReturn { time, steps } => {
            format!("the trajectory did not return to the section {name} until t = {time:.4e}, in {steps} steps")
        }
        Failure::Grazed { contact, time } => {
            let surface = contact.map_or("the surface of a switch", |contact| &system.contact_names()[contact]);
            format!("the trajectory grazed {surface} at about t = {time:.6}, where its derivative does not exist")
        }
        Failure::NoDerivative { time } => {
            format!("the derivatives of the trajectory are not finite up to t = {time:.6} after its last return")
        }
        Failure::Jumped { .. } => "an impact or an event jumps at the section".to_string(),
        Failure::Interrupted => "the run was interrupted".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::judge;

    #[test]
    fn classification_uses_errors_and_the_zero_along_the_flow() {
        let none = f64::NEG_INFINITY;
        for (spectrum, autonomous, beginning) in [
            (&[(0.1, 0.001), (-0.5, 0.001)][..], false, "chaotic: the largest exponent is positive by 100 standard"),
            (&[(-0.1, 0.0), (-0.5, 0.0)], false, "not chaotic: the largest exponent is negative by more than 1000"),
            (&[(0.01, 0.02), (-0.5, 0.02)], false, "quasi-periodic or at a bifurcation: the"),
            (&[(1e-7, 1e-9), (-0.5, 1e-9)], false, "quasi-periodic or at a bifurcation, or not measured"),
            (&[(1e-9, 1e-12), (-0.3, 1e-9)], true, "not chaotic: the largest exponent besides"),
            (&[(0.2, 0.01), (1e-6, 1e-6), (-2.0, 0.01)], true, "chaotic: the largest exponent besides"),
            (&[(1e-6, 1e-6), (none, f64::NAN), (none, f64::NAN)], true, "not chaotic"),
            (&[(none, f64::NAN)], false, "not chaotic: the largest exponent is negative, so"),
            (&[(0.1, f64::NAN)], false, "chaotic"),
            (&[(0.0, 0.0)], true, "there are no perturbations"),
        ] {
            let verdict = judge(spectrum, 1000.0, autonomous);
            assert!(verdict.starts_with(beginning), "{spectrum:?}: {verdict}");
        }
    }

    /// exp(t/2) grows without bound, slowly or beyond all numbers; a positive exponent says nothing of chaos. Duffing's chaotic oscillator (Ueda 1979) stays bounded from rest at zero.
    #[test]
    fn what_runs_away_is_not_chaotic() {
        let ueda = "format = 1\nname = \"ueda\"\n[phase.s]\nrate = 1\nperiod = \"2*pi\"\n[flow]\nx = \"v\"\nv = \"-0.05*v - x^3 + 7.5*cos(s)\"\n[start]\nx = 0\nv = 0\ns = 0\n";
        let measured = crate::System::parse(ueda, "ueda.toml").unwrap().lyapunov().run().unwrap();
        assert!(measured.verdict().starts_with("chaotic"), "{}", measured.verdict());
        for rate in [0.5, 0.01] {
            let text = format!(
                "format = 1\nname = \"grow\"\n[phase.s]\nrate = 1\nperiod = 1\n[flow]\nx = \"{rate}*x + sin(2*pi*s)\"\n[start]\nx = 0.3\ns = 0\n"
            );
            let measured = crate::System::parse(&text, "grow.toml").unwrap().lyapunov().run().unwrap();
            assert!(measured.verdict().starts_with("not bounded"), "{}", measured.verdict());
        }
    }
}
