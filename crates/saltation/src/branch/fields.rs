//! The fields of a branch of orbits or of equilibria, and of the search for the one at which it begins.

use crate::field::shared::{AT_LEAST, FLOW, POLICY, SEARCH, STEPS, THREADS, TOL};
use crate::field::{Field, Form, Kind, Of, of};

/// `continue`.
pub(crate) const FORM: Form = Form {
    command: "continue",
    questions: &["continue", "continue_equilibrium"],
    method: [
        TOL.of(&["orbit", "equilibrium", "continue", "continue_equilibrium"])
            .here("Local error of one step relative to the size of the state; by default that of the orbit or the equilibrium"),
        POLICY.of(&["orbit"]),
        THREADS.unused(),
    ],
    groups: &[&ORIGIN, &of(SEARCH, &["orbit"]), &OWN, &STEPS, &[AT_LEAST], &FIGURE],
};

const ORIGIN: [Field; 4] = [
    Field::new(
        "from",
        Kind::File,
        "FILE",
        "Begin at a known orbit, with its parameters: the output of orbit --json, or orbit.json of --out; with \
         --equilibrium the output of equilibrium --json, or its run.json",
    )
    .choice()
    .flag_only()
    .without(&["guess"]),
    Field::switch("equilibrium", "Follow an equilibrium instead of an orbit: the one that is found from the start")
        .choice()
        .flag_only()
        .without(&["section", "settle", "period", "guess", "method"]),
    Field::new(
        "mode",
        Kind::Name { of: Of::Mode },
        "MODE",
        "Closed contacts at the equilibrium: `flight`, or e.g. `stick:wall`",
    )
    .otherwise("those of the first one found")
    .of(&["equilibrium"])
    .with(&["equilibrium"])
    .without(&["from"]),
    Field::whole("at", 0, Some(u32::MAX as u64), "INDEX", "Position of the equilibrium")
        .typed(" in the file --from, counted from 0")
        .usually("0")
        .of(&["continue_equilibrium"])
        .with(&["equilibrium", "from"]),
];

const OWN: [Field; 6] = [
    FLOW.of(&["orbit", "continue", "continue_equilibrium"])
        .here("Method between events, `exact` or `taylor`; of a branch of orbits by default that of the orbit"),
    Field::new("along", Kind::Name { of: Of::Parameter }, "NAME", "The parameter that varies"),
    Field::new("range", Kind::Range { count: Some("at_least") }, "LO:HI[:N]", "Range of the parameter")
        .typed("; with N, the smallest number of points in the range"),
    Field::switch("switch", "Follow the branches that bifurcate, too; from equilibria their limit cycles"),
    Field::new(
        "switch_at",
        Kind::Positions,
        "[BRANCH:]INDEX",
        "Follow the branches that begin at this special point, counted from 0; that of another branch as BRANCH:INDEX",
    )
    .typed(" (repeatable)")
    .repeated()
    .of(&["continue"]),
    Field::new(
        "method",
        Kind::Word {
            words: &["signature", "vivid"],
            otherwise: "by default the equations of the signature are followed, through grazes too",
        },
        "METHOD",
        "Equations that are followed: those of the `signature`, or the `vivid` function",
    )
    .usually("signature")
    .of(&["continue"]),
];

const FIGURE: [Field; 2] = [
    Field::plot("Draw the branch to this file (.svg, .pdf or .png)"),
    Field::new(
        "ordinate",
        Kind::Name { of: Of::Quantity },
        "WHAT",
        "Quantity drawn over the parameter: `impact_speed`, `period`, `multiplier` (its modulus), or a state [default: \
         impact_speed where there are impacts, else the first state, or the period without forcing]; of equilibria a state",
    )
    .output()
    .with(&["plot"]),
];
