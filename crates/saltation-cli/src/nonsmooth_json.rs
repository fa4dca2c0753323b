//! What do other programs read of nonsmooth modes? The keys of `modes`, and tables.

use crate::files::{prepare, replace, replace_all};
use crate::json::Object;
use crate::nonsmooth::{Answer, Told, numbers, period, together};
use crate::number::exact;
use crate::outcome::Trouble;
use crate::output_folder::{command, model_text, unwritable};
use saltation_modes::{
    Continuum, End, Family, Interval, Limit, LinearModes, Motion, SpecialKind, Verdict, harmonics, sequence,
};
use serde_json::{Map, Value, json};
use std::f64::consts::TAU;
use std::path::Path;
use std::time::Instant;

/// The state of every motion of a family is told for structures of up to so many degrees of freedom.
const FEW: usize = 50;

/// Motions that are their own mirror image are so to this part of the period.
const SAME: f64 = 1e-7;

/// The answer.
pub fn answer(answer: Answer) -> Value {
    let Answer { input, request, modal } = answer;
    let modes = answer.modes();
    let motions: Vec<Value> = modal.motions.iter().map(|told| one(answer, told)).collect();
    let samples: Vec<Value> =
        modal.samples.iter().map(|list| list.iter().map(|told| one(answer, told)).collect()).collect();
    json!({
        "frequencies": modes.all_frequencies(),
        "modes": motions,
        "intervals": modal.intervals.iter().map(|interval| self::interval(modes, interval)).collect::<Vec<Value>>(),
        "ended": answer.ended(),
        "ipp": request.impacts,
        "periods": [request.periods.0, request.periods.1],
        "samples": samples,
        "families": modal.families.iter().map(|family| self::family(answer, family)).collect::<Vec<Value>>(),
        "continua": modal.continua.iter().map(|continuum| self::continuum(modes, continuum)).collect::<Vec<Value>>(),
        "search": modal.found.as_ref().map(|found| json!({
            "starts": found.starts,
            "seed": request.search.seed,
            "solutions": found.solutions,
            "pulling": found.pulling,
            "penetrating": found.penetrating,
            "copies": found.copies,
            "duplicates": found.duplicates,
            "admissible": found.motions.len(),
        })),
        "contact": input.model.contacts[request.structure.contact].name,
        "gap": modes.gap(),
        "mobility": modes.root_mobility().powi(2),
        "modes_in_contact": (0..modes.len()).map(|p| json!({
            "mode": modes.number(p),
            "frequency": modes.frequencies()[p],
            "period": modes.period(p),
            "share": modes.shares()[p],
            "grazing_energy": modes.grazing_energy(p),
            "uncertainty": modes.uncertainties()[p],
        })).collect::<Vec<Value>>(),
        "residual": modes.residual(),
        "uncertainties": modes.all_uncertainties(),
        "blurred": harmonics::blurred(modes, request.periods.1).map(|(distance, uncertain)| json!({
            "distance": distance,
            "uncertainty": uncertain,
        })),
        "left_out": request.structure.left_out,
        "model": input.model.name,
        "fingerprint": input.model.fingerprint(),
        "parameters": Object(input.parameters()),
    })
}

/// The state just after the impact at time 0, by the names of the model.
pub fn state(answer: Answer, motion: &Motion) -> Vec<(String, f64)> {
    let model = &answer.input.model;
    let (u, v) = motion.state(answer.modes(), 0.0);
    let Some(mechanics) = model.body.mechanics() else { return Vec::new() };
    let name = |i: usize| model.states[i].name.clone();
    let positions = mechanics.coordinates.iter().zip(u.iter().zip(&answer.request.structure.rest));
    let positions = positions.map(|(&i, (u, rest))| (name(i), u + rest));
    positions.chain(mechanics.velocities.iter().zip(&v).map(|(&i, v)| (name(i), *v))).collect()
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Admissible => "admissible",
        Verdict::Grazing => "grazing",
        Verdict::Pulls { .. } => "pulls",
        Verdict::Penetrates(_) => "penetrates",
    }
}

fn motion(answer: Answer, motion: &Motion, with_state: bool) -> Map<String, Value> {
    let modes = answer.modes();
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_string(), value);
    put("ipp", json!(motion.impacts()));
    put("period", json!(motion.period()));
    put("impact_times", json!(motion.impact_times));
    put("lambda", json!(motion.lambda));
    put("energy", json!(motion.energy()));
    if with_state {
        put("state", json!(Object(state(answer, motion).iter().map(|(name, value)| (name, value)))));
    }
    put("frequency", json!(TAU / motion.period()));
    put("flight_times", json!(motion.flight_times()));
    put("closing_error", json!(motion.closing_error(modes)));
    let mirror = sequence::mirror(motion, SAME);
    put("mirror", mirror.map_or(Value::Null, |mirror| json!({ "sum": mirror.sum, "axes": mirror.axes })));
    object
}

fn one(answer: Answer, told: &Told) -> Value {
    let mut object = motion(answer, &told.motion, true);
    let stability = told.stability.as_ref();
    let mut put = |key: &str, value: Value| object.insert(key.to_string(), value);
    put("admissible", json!(told.verdict.is_admissible()));
    put("verdict", json!(verdict(told.verdict)));
    put(
        "least_gap",
        json!(match told.verdict {
            Verdict::Penetrates(least) => Some((least.time, least.gap)),
            _ => told.motion.least_gap(answer.modes()).map(|least| (least.time, least.gap)),
        }),
    );
    put("spectral_radius", json!(stability.map(|stability| stability.spectral_radius)));
    put("neutral", json!(stability.map(|stability| stability.is_neutral())));
    put("pairing", json!(stability.map(|stability| stability.pairing)));
    put("family", json!(told.family));
    Value::Object(object)
}

/// An end with its numbers.
fn end(modes: &LinearModes, end: End) -> Value {
    let mut object = Map::new();
    object.insert("kind".to_string(), json!(end.name()));
    let numbers: Vec<(&str, Value)> = match end {
        End::Harmonic { mode, multiple } => {
            let resonant = together(modes, mode, multiple);
            let mut numbers = vec![("mode", json!(modes.number(mode))), ("multiple", json!(multiple))];
            if resonant.len() > 1 {
                let all = |part: &dyn Fn(&(usize, usize)) -> usize| resonant.iter().map(part).collect::<Vec<usize>>();
                numbers.push(("modes", json!(all(&|(mode, _)| modes.number(*mode)))));
                numbers.push(("multiples", json!(all(&|(_, multiple)| *multiple))));
            }
            numbers
        }
        End::ExtraContact { time } => vec![("time", json!(time))],
        End::Graze { impact } => vec![("impact", json!(impact + 1))],
        End::Copy { impacts } => vec![("impacts", json!(impacts))],
        End::ShortFlight { flight } => vec![("flight", json!(flight + 1))],
        _ => Vec::new(),
    };
    object.extend(numbers.into_iter().map(|(key, value)| (key.to_string(), value)));
    Value::Object(object)
}

/// The energy at the end of an interval: JSON has no infinity, which is null.
pub fn energy_at(modes: &LinearModes, at: f64, end: End) -> Option<f64> {
    match end {
        End::Harmonic { mode, multiple } => {
            Some(modes.grazing_energy_together(&numbers(&together(modes, mode, multiple))))
        }
        End::Infinite => None,
        End::Zero => Some(0.5 * modes.gap().powi(2) * stiffness(modes)),
        _ => Some(saltation_modes::Single::new(modes, at).energy),
    }
}

/// The stiffness G/Σ (G q²/ω²) against which a structure is pressed: held at its obstacle it has the energy g₀²/2
/// times this.
fn stiffness(modes: &LinearModes) -> f64 {
    let compliance: f64 = modes.squares().iter().zip(modes.frequencies()).map(|(q, w)| q / (w * w)).sum();
    1.0 / (compliance * modes.root_mobility().powi(2))
}

fn interval(modes: &LinearModes, interval: &Interval) -> Value {
    json!({
        "from": interval.from,
        "to": interval.to,
        "ended_by": [interval.begins.name(), interval.ends.name()],
        "begins": end(modes, interval.begins),
        "ends": end(modes, interval.ends),
        "energies": [energy_at(modes, interval.from, interval.begins), energy_at(modes, interval.to, interval.ends)],
    })
}

fn limit(modes: &LinearModes, limit: &Limit) -> Value {
    let mut object = end(modes, limit.end);
    if let Value::Object(object) = &mut object {
        object.insert("period".to_string(), json!(limit.period()));
        object.insert("impact_times".to_string(), json!(limit.impact_times));
        // JSON has no infinity: null where speeds have no bound.
        object.insert("energy".to_string(), json!(limit.energy));
    }
    object
}

fn family(answer: Answer, family: &Family) -> Value {
    let modes = answer.modes();
    let with_state = modes.degrees_of_freedom() <= FEW;
    let special = family.special.iter().map(|special| {
        let mut object = motion(answer, &special.motion, with_state);
        object.insert("kind".to_string(), json!(special.kind.name()));
        object.insert("index".to_string(), json!(special.index));
        if let SpecialKind::Resonance { mode, multiple } = special.kind {
            object.insert("mode".to_string(), json!(modes.number(mode)));
            object.insert("multiple".to_string(), json!(multiple));
        }
        Value::Object(object)
    });
    json!({
        "ended_by": [family.begins.end.name(), family.ends.end.name()],
        "begins": limit(modes, &family.begins),
        "ends": limit(modes, &family.ends),
        "points": family.motions.iter().map(|m| Value::Object(motion(answer, m, with_state))).collect::<Vec<Value>>(),
        "special": special.collect::<Vec<Value>>(),
    })
}

fn continuum(modes: &LinearModes, continuum: &Continuum) -> Value {
    let energy = |part: f64| continuum.motion(modes, part).energy();
    json!({
        "flight_times": continuum.flight_times,
        "period": period(continuum),
        "total": continuum.total,
        "lambda_1": [continuum.least, continuum.total - continuum.least],
        "bridge": continuum.bridge,
        "ended_by": continuum.ends.name(),
        "ends": end(modes, continuum.ends),
        "energies": { "middle": energy(0.5), "ends": energy(continuum.least / continuum.total) },
    })
}

/// Creates the folder, so that it is known early if it cannot be written.
pub fn create(folder: &Path) -> Result<(), Trouble> {
    prepare(folder).map_err(|error| unwritable(folder, &error))
}

/// Writes the answer, a table of motions and one of the points of families, and what is enough to ask again; the names
/// of the files.
pub fn write(folder: &Path, answer: Answer, text: &Value, began: Instant) -> Result<String, Trouble> {
    let Answer { input, modal, .. } = answer;
    let mut files = vec![("modes.json".to_string(), format!("{text}\n"))];
    let told: Vec<&Told> = modal.motions.iter().chain(modal.samples.iter().flatten()).collect();
    let motions = table(&told.iter().map(|told| (None, &told.motion, Some(*told))).collect::<Vec<_>>());
    files.push(("motions.csv".to_string(), motions));
    if !modal.families.is_empty() {
        let members = modal.families.iter().enumerate();
        let members = members.flat_map(|(i, family)| family.motions.iter().map(move |motion| (Some(i), motion, None)));
        files.push(("families.csv".to_string(), table(&members.collect::<Vec<_>>())));
    }
    let names: Vec<String> = files.iter().map(|(name, _)| name.clone()).chain(["run.json".to_string()]).collect();
    let run = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "command": command(),
        "model": model_text(&input.model),
        "parameters": Object(input.parameters()),
        "seed": answer.request.search.seed,
        "files": names,
        "wall_time": began.elapsed().as_secs_f64(),
        "ended": answer.ended(),
    });
    let written = replace_all(folder, &files).and_then(|()| replace(folder, "run.json", &format!("{run:#}\n")));
    written.map_err(|error| unwritable(folder, &error))?;
    Ok(names.iter().map(|name| folder.join(name).display().to_string()).collect::<Vec<_>>().join(", "))
}

/// A row for every motion: its family, period, energy, stability, and all times and λ.
fn table(motions: &[(Option<usize>, &Motion, Option<&Told>)]) -> String {
    let k = motions.iter().map(|(_, motion, _)| motion.impacts()).max().unwrap_or(0);
    let mut lines = vec!["family,period,energy,admissible,spectral_radius".to_string()];
    lines[0].extend((1..=k).map(|i| format!(",t{i}")).chain((1..=k).map(|i| format!(",lambda{i}"))));
    for (family, motion, told) in motions {
        let radius = told.and_then(|told| told.stability.as_ref()).map(|stability| exact(stability.spectral_radius));
        let admissible = told.is_none_or(|told| told.verdict.is_admissible());
        let mut line = format!(
            "{},{},{},{admissible},{}",
            family.map(|family| family.to_string()).unwrap_or_default(),
            exact(motion.period()),
            exact(motion.energy()),
            radius.unwrap_or_default()
        );
        for value in motion.impact_times.iter().chain(&motion.lambda) {
            line.push(',');
            line.push_str(&exact(*value));
        }
        lines.push(line);
    }
    lines.join("\n") + "\n"
}
