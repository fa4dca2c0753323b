//! What do other programs read of a contact problem? The keys of `contact`, and tables.

use crate::answer_folder::AnswerFolder;
use crate::contact::Answer;
use crate::json::{Object, State};
use crate::number::exact;
use saltation_motion::Slip;
use saltation_motion::friction::analysis::Impact;
use saltation_motion::friction::{CriticalCurve, Region, Solution};
use serde_json::{Value, json};
use std::io;

/// The answer.
pub fn answer(answer: Answer) -> Value {
    let Answer { input, naming, analysis, request, .. } = answer;
    let closed: Vec<usize> = analysis.contacts.iter().map(|known| known.contact).collect();
    let contacts = analysis.contacts.iter().map(|known| {
        json!({
            "contact": answer.contact(known.contact),
            "slip": known.slip.map(Slip::sign),
            "slip_speed": known.slip_speed,
            "A": known.a,
            "b": known.b,
            "mu": known.friction,
            "mu_critical": known.critical_friction,
            "d_NN": known.d_nn,
            "d_NT": known.d_nt,
            "d_TT": known.d_tt,
            "slip_acceleration": known.slip_acceleration,
        })
    });
    let names = |list: &[usize]| list.iter().map(|&c| answer.contact(c).to_string()).collect::<Vec<String>>();
    let impacts = |contacts: &[usize], list: &[Impact]| {
        list.iter().map(|one| impact(answer, contacts, one)).collect::<Vec<Value>>()
    };
    json!({
        "solutions": analysis.solutions.iter().map(|one| solution(answer, &closed, one)).collect::<Vec<Value>>(),
        "status": analysis.status.name(),
        "complete": analysis.complete,
        "state": State(naming, &input.values.start),
        "contacts": contacts.collect::<Vec<Value>>(),
        "impacts": impacts(&closed, &analysis.impacts),
        "closing": names(&analysis.striking),
        "collisions": analysis.collisions.as_ref().map(|found| impacts(&found.contacts, &found.solutions)),
        "critical": request.critical.as_ref().map(|axis| {
            let found = answer.critical.flatten();
            json!({
                "name": axis.name,
                "range": [axis.low, axis.high],
                "mu": found.map(|found| found.friction),
                "at": found.map(|found| found.at),
                "at_end": found.map(|found| found.at_end),
                "contact": found.map(|found| answer.contact(found.contact)),
            })
        }),
        "map": map(answer),
        "shares": answer.map.map(|map| json!(Object(map.shares().into_iter().map(|(region, share)| (region.name(), share))))),
        "model": input.model.name,
        "parameters": Object(input.parameters()),
    })
}

/// Numbers by the names of contacts.
fn by_name(answer: Answer, contacts: &[usize], numbers: &[f64]) -> Value {
    json!(Object(contacts.iter().map(|&contact| answer.contact(contact)).zip(numbers)))
}

/// The numbers of velocities by their names.
fn of_velocities(answer: Answer, numbers: &[f64]) -> Value {
    let model = &answer.input.model;
    let velocities = model.body.mechanics().map_or(&[][..], |body| &body.velocities);
    json!(Object(velocities.iter().map(|&v| (model.states[v].name.as_str(), numbers[v]))))
}

fn solution(answer: Answer, contacts: &[usize], solution: &Solution) -> Value {
    json!({
        "mode": answer.naming.mode(solution.mode),
        "normal_force": by_name(answer, contacts, &solution.normal),
        "tangential_force": by_name(answer, contacts, &solution.tangential),
        "accelerations": of_velocities(answer, &solution.rates),
        "opening_accelerations": by_name(answer, contacts, &solution.opening),
        "slip_accelerations": by_name(answer, contacts, &solution.slipping),
        "rates": State(answer.naming, &solution.rates),
        "one_of_many": solution.one_of_many,
        "borderline": solution.borderline,
    })
}

fn impact(answer: Answer, contacts: &[usize], impact: &Impact) -> Value {
    json!({
        "normal_impulse": by_name(answer, contacts, &impact.normal),
        "tangential_impulse": by_name(answer, contacts, &impact.tangential),
        "velocities": of_velocities(answer, &impact.after),
        "opening_speeds": by_name(answer, contacts, &impact.opening),
        "slip_speeds": by_name(answer, contacts, &impact.slipping),
        "energy": impact.energy,
        "one_of_many": impact.one_of_many,
    })
}

fn map(answer: Answer) -> Value {
    let (Some(map), Some(axes)) = (answer.map, &answer.request.map) else { return Value::Null };
    let status: Vec<Vec<&str>> =
        map.regions.chunks(map.values[0].len()).map(|row| row.iter().map(|region| region.name()).collect()).collect();
    let curves = map.curves.iter().map(|found| {
        json!({
            "contact": answer.contact(found.contact),
            "quantity": found.quantity.name(),
            "closed": found.curve.closed,
            "points": found.curve.points,
        })
    });
    json!({
        "names": [axes[0].name, axes[1].name],
        "values": map.values,
        "complete": map.complete,
        "status": status,
        "curves": curves.collect::<Vec<Value>>(),
    })
}

/// Writes the tables of a map.
pub fn tables(answer: Answer, folder: &mut AnswerFolder) -> io::Result<()> {
    let (Some(map), Some(axes)) = (answer.map, &answer.request.map) else { return Ok(()) };
    let mut head = vec![axes[0].name.clone(), axes[1].name.clone(), "status".to_string()];
    for &contact in &map.contacts {
        let name = answer.contact(contact);
        head.extend([format!("A_{name}"), format!("b_{name}")]);
    }
    let across = map.values[0].len();
    let row = |(place, region): (usize, &Region)| {
        let mut row = vec![exact(map.values[0][place % across]), exact(map.values[1][place / across])];
        row.push(region.name().to_string());
        for k in 0..map.contacts.len() {
            row.extend(
                [map.a[k][place], map.b[k][place]].map(|x| if x.is_finite() { exact(x) } else { String::new() }),
            );
        }
        row
    };
    let rows: Vec<Vec<String>> = map.regions.iter().enumerate().map(row).collect();
    folder.table("contact_map.csv", &head, &rows)?;
    let head = ["curve", "contact", "quantity", &axes[0].name, &axes[1].name].map(str::to_string);
    let points = |(k, found): (usize, &CriticalCurve)| {
        let closing = found.curve.closed.then(|| found.curve.points[0]);
        let all: Vec<(f64, f64)> = found.curve.points.iter().copied().chain(closing).collect();
        let name = answer.contact(found.contact).to_string();
        let quantity = found.quantity.name().to_string();
        all.into_iter().map(move |(x, y)| vec![k.to_string(), name.clone(), quantity.clone(), exact(x), exact(y)])
    };
    let rows: Vec<Vec<String>> = map.curves.iter().enumerate().flat_map(points).collect();
    folder.table("curves.csv", &head, &rows)
}
