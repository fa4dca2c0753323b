//! The report of a time-stepping simulation: the request, statistics of the steps, and how it ended.

use crate::simulation::report::state_lines;
use crate::simulation::sample_table;
use crate::stepping::Stepped;
use crate::text::number;
use saltation_motion::stepping::THETA;

/// The whole report.
pub(super) fn lines(stepped: &Stepped) -> Vec<String> {
    let mut lines = header(stepped);
    lines.push(String::new());
    if let Some(samples) = &stepped.samples {
        lines.extend(sample_table::lines(samples, stepped.end.time));
        lines.push(String::new());
    }
    lines.extend(solved(stepped));
    lines.push(String::new());
    lines.push(format!("end    t = {}, {}", number::exact(stepped.end.time), stepped.end.mode));
    lines.extend(state_lines(&stepped.end.state));
    let seconds = number::short(stepped.wall_time.as_secs_f64(), 3);
    lines.push(format!("ended  {} ({seconds} s of computing)", stepped.message));
    lines
}

/// The request.
fn header(stepped: &Stepped) -> Vec<String> {
    let (system, settings) = (&stepped.system, &stepped.settings);
    let mut lines = vec![system.headline()];
    let changed = system.changed();
    if !changed.is_empty() {
        lines.push(format!("with   {}", changed.join(", ")));
    }
    let why = stepped.default_end.as_ref().map(|why| format!(": {why}, as --until is not given"));
    lines.push(format!("until  t = {}{}", number::short(settings.until, 10), why.unwrap_or_default()));
    let theta = if settings.theta == THETA {
        String::new()
    } else {
        format!(", theta = {}", number::short(settings.theta, 10))
    };
    lines.push(format!("step   {:e} (Moreau{theta}), contact laws to {:e}", settings.step, settings.tolerance));
    lines
}

/// Statistics of the steps and of the contact solver.
fn solved(stepped: &Stepped) -> Vec<String> {
    let solver = &stepped.solver;
    let steps = number::count(solver.steps, "step");
    if solver.steps_with_contact == 0 {
        return vec![format!("{steps} without any contact")];
    }
    let mean = solver.iterations as f64 / solver.steps_with_contact as f64;
    vec![
        format!(
            "{steps}, {} of them with contact, at most {} at once",
            solver.steps_with_contact,
            number::count(solver.most_contacts as u64, "contact")
        ),
        format!(
            "{} sweeps over the contacts per step with contact, at most {}; residual of the contact laws {}",
            number::short(mean, 3),
            solver.most_iterations,
            number::short(solver.residual, 3)
        ),
        format!("deepest penetration {}", number::short(solver.penetration, 4)),
    ]
}

/// A warning where the impulses do not satisfy the tolerance.
pub(super) fn stalled(stepped: &Stepped) -> Option<String> {
    let (solver, settings) = (&stepped.solver, &stepped.settings);
    (solver.capped > 0).then(|| {
        format!(
            "in {} of {} steps the impulses did not converge to {:e}: after {} sweeps the residual of the contact laws is {}",
            solver.capped,
            solver.steps,
            settings.tolerance,
            settings.most_sweeps,
            number::short(solver.residual, 3)
        )
    })
}

/// Why the trajectory ended early.
pub(super) fn ended_short(stepped: &Stepped) -> Vec<String> {
    vec![
        format!("the trajectory ended early at t = {}: {}", number::exact(stepped.end.time), stepped.message),
        format!("mode  {}", stepped.end.mode),
    ]
}
