//! The fields of a motion, event-driven or by time stepping.

use crate::field::shared::{FLOW, POLICY, THREADS, TOL, section};
use crate::field::{Field, Form, Kind, Of, of};

/// `simulate`.
pub(crate) const FORM: Form = Form {
    command: "simulate",
    questions: &["simulate", "stepping"],
    method: [TOL, POLICY.of(EVENTS), THREADS.unused()],
    groups: &[
        &TIMES,
        &of(RETURNS, EVENTS),
        &[EVERY],
        &of(DERIVATIVES, EVENTS),
        &of(STEPS, EVENTS),
        &METHOD,
        &FIGURES,
        &KEPT,
    ],
};

/// What only the event-driven motion has.
const EVENTS: &[&str] = &["simulate"];

const TIMES: [Field; 1] = [Field::new("until", Kind::Number, "TIME", "End time")
    .typed(": a number or a formula of parameters")
    .otherwise("10 periods of the forcing, else 40")];

const RETURNS: [Field; 2] = [
    Field::whole("returns", 1, None, "N", "Stop after this number of returns to the section"),
    section("The section at which --returns counts"),
];

const EVERY: Field = Field::new("every", Kind::Number, "DT", "Tabulate the states at every multiple of this time");

const DERIVATIVES: [Field; 1] = [Field::new(
    "derivatives",
    Kind::Names { of: Of::Either },
    "NAME[,NAME..]",
    "Differentiate samples, events and the end by these parameters, and by the initial values of these states (`x` or `start.x`): exactly, through every event",
)];

const STEPS: [Field; 2] = [Field::new("max_step", Kind::Number, "DT", "The longest integration step"), FLOW];

const METHOD: [Field; 3] = [
    Field::new(
        "method",
        Kind::Word {
            words: &["events", "moreau"],
            otherwise: "without this flag simulation is event-driven; --method moreau --step H selects time stepping",
        },
        "NAME",
        "Method for contacts: event-driven (`events`), or time stepping with any number of contacts (`moreau`), where \
         --tol is the tolerance of the contact laws, 1e-6 by default",
    )
    .usually("events")
    .choice(),
    Field::new("step", Kind::Number, "H", "The time step of --method moreau; the error is of first order in it, of second where nothing impacts")
        .of(&["stepping"]),
    Field::new(
        "theta",
        Kind::Number,
        "NUMBER",
        "How implicit steps of --method moreau are in stiffness and damping, from 1/2 to 1: 1/2 is the midpoint rule, without losses; 1 damps \
         what is fast",
    )
    .otherwise("1/2, which has second order where the trajectory is smooth")
    .of(&["stepping"]),
];

const FIGURES: [Field; 6] = [
    Field::plot("Draw the trajectory to this file (.svg, .pdf or .png)"),
    Field::new(
        "show",
        Kind::Names { of: Of::Quantity },
        "NAME[,NAME..]",
        "Show these quantities as columns of --every and as panels of --plot: states, `gap:CONTACT`, `force:CONTACT` (also of a constraint), \
         `energy`",
    )
    .of(EVENTS),
    Field::new(
        "plane",
        Kind::Pair { of: Of::Quantity },
        "X,Y",
        "Draw two quantities over each other instead of over time: states, or contacts for their gaps. With --section \
         only where the trajectory returns to it, as points",
    )
    .output()
    .with(&["plot"]),
    Field::new(
        "sketch",
        Kind::File,
        "FILE",
        "Draw the mechanism at some times to this file (.svg, .pdf or .png), as [sketch] of the model says",
    )
    .output(),
    Field::new("sketch_times", Kind::Numbers, "T[,T..]", "The times of --sketch: numbers or formulas of parameters")
        .otherwise("five, equally spaced up to the end")
        .output()
        .with(&["sketch"]),
    Field::whole(
        "settle",
        0,
        None,
        "N",
        "Leave out this number of first returns where the returns to a section are drawn",
    )
    .of(EVENTS),
];

/// What is kept for figures, which the command knows by its other flags.
const KEPT: [Field; 3] = [
    Field::switch("all_events", "Whether all events are kept, or only the first and last thousand")
        .usually("true")
        .of(EVENTS)
        .keyword_only(),
    Field::switch("path", "Whether the path is kept for figures; without it a figure follows the trajectory again")
        .keyword_only(),
    Field::new(
        "passages",
        Kind::Pair { of: Of::Quantity },
        "X,Y",
        "Two quantities over which the returns to the section are drawn, without their first --settle",
    )
    .of(EVENTS)
    .keyword_only(),
];
