//! Rounding errors in a force that touches zero, in slow impacts, in gaps at an impact, and in bodies that move alike are not mistaken for events.

use std::f64::consts::PI;

use crate::common::{assert_all_close, assert_close, model, of_kind, parse, run, run_with};
use saltation_motion::{Ended, Event, EventKind, FlowChoice, Settings};

/// A body on a table whose force, A - A cos(om t + s) with gravity A, falls to zero and rises again; with friction, contacts are decided together.
fn pressed(amplitude: f64, r: f64, s: f64, friction: bool) -> String {
    let slides = if friction { "\ntrack = \"y\"\nfriction = { law = \"coulomb\", mu = 0.3 }" } else { "" };
    format!(
        "format = 1\nname = \"pressed\"\n[parameters]\nA = {amplitude:?}\ns = {s:?}\nom = 2.046\n[phase.phi]\nrate = \"om\"\nperiod = \"2*pi\"\n\
         [mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"v\", \"w\"]\nM = [[1, 0], [0, 1]]\n\
         h = [\"A*cos(phi + s) - A - 0.02*v - 0.3*x\", \"0\"]\n[contacts.table]\ngap = \"x\"\nrestitution = {r:?}{slides}\n\
         [start]\nx = 0\ny = 0\nv = 0\nw = 0\nphi = 0\n"
    )
}

/// The body stays at x = 0, wherever the end time lies beside the instant at which the force touches zero.
#[test]
fn a_force_that_touches_zero_leaves_nothing() {
    for friction in [false, true] {
        for (amplitude, r, s) in
            [(0.55, 0.0, 0.0), (0.55, 0.5, 0.0), (0.3, 0.9, 0.0), (0.55, 0.0, 4.0), (1.1, 0.5, 1.7)]
        {
            let (system, values) = parse(&pressed(amplitude, r, s, friction));
            let touches = (2.0 * PI - s) / 2.046;
            for flow in [FlowChoice::Exact, FlowChoice::Taylor] {
                for offset in [0.0, 1e-15, 2e-15, 6e-12, 1e-10, 3e-9, 1e-8, 1e-7, -1e-15, -1e-12, -1e-9] {
                    let until = touches + offset;
                    let run = run_with(&system, &values, Settings { until, flow, ..Settings::default() });
                    assert_eq!(run.ended, Ended::ReachedTime, "{amplitude} {r} {s} {friction} {flow:?} {offset:e}");
                    assert!(run.state[0].abs() < 1e-20 && run.state[2].abs() < 1e-14, "{:?}", run.state);
                }
            }
        }
    }
}

/// Balls above each other with springs to the origin, or under gravity above a floor, with their contacts in an order.
fn column(masses: &[f64], k: f64, restitutions: &[f64], gaps: &[f64], floor: bool, order: &[usize]) -> String {
    let n = masses.len();
    let each = |f: &dyn Fn(usize) -> String| (0..n).map(f).collect::<Vec<_>>().join(", ");
    let mass = each(&|i| format!("{:?}", masses[i]));
    let force = |i: usize| match floor {
        true => format!("\"-{:?}\"", masses[i]),
        false => format!("\"-{:?}*{k:?}*(1 + 0.1*q{i}^2/(1 + q{i}^2))*q{i}\"", masses[i]),
    };
    let mut text = format!(
        "format = 1\nname = \"column\"\nimpacts = {{ together = \"lcp\" }}\n[mechanics]\ncoordinates = [{}]\nvelocities = [{}]\n\
         M = {{ diagonal = [{mass}] }}\nh = [{}]\n",
        each(&|i| format!("\"q{i}\"")),
        each(&|i| format!("\"v{i}\"")),
        each(&force)
    );
    for &c in order {
        let gap = match (floor, c) {
            (true, 0) => "q0".to_string(),
            (true, c) => format!("q{c} - q{}", c - 1),
            (false, c) => format!("q{} - q{c}", c + 1),
        };
        text += &format!("[contacts.c{c}]\ngap = \"{gap}\"\nrestitution = {:?}\n", restitutions[c]);
    }
    text += "[start]\n";
    // With springs the lowest ball is pulled out, and the others begin at the origin and above.
    let place = |i: usize| match (floor, i) {
        (false, 0) => -gaps[0],
        _ => gaps[usize::from(!floor)..=i].iter().sum::<f64>(),
    };
    (0..n).for_each(|i| text += &format!("q{i} = {:?}\nv{i} = 0\n", place(i)));
    text
}

/// A column under gravity, in which three contacts chatter within the rounding of the time, two of them at the same instants: they close together, whichever
/// comes first in the model.
#[test]
fn contacts_that_chatter_together_close_in_any_order() {
    let masses = [1.3563493795376484, 1.7703603909619354, 0.36634356913786226, 0.3, 2.018437804588807];
    let restitutions = [0.4142986687040775, 0.0, 0.2785807134054914, 0.9429204884477755, 0.021040948075315313];
    let gaps = [0.3385933354960513, 0.0, 0.15881583147188388, 0.07135633939499668, 0.390781226132705];
    let end = |order: &[usize]| {
        let (system, values) = parse(&column(&masses, 0.0, &restitutions, &gaps, true, order));
        let run = run_with(&system, &values, Settings { until: 1.92, ..Settings::default() });
        assert_eq!(run.ended, Ended::ReachedTime);
        assert_eq!(of_kind(&run, EventKind::Chatter).len(), 1, "{order:?}");
        run.state
    };
    let first = end(&[0, 1, 2, 3, 4]);
    for order in [[4, 0, 1, 3, 2], [4, 3, 2, 1, 0], [2, 4, 3, 0, 1], [3, 4, 2, 1, 0], [3, 2, 4, 1, 0]] {
        assert_all_close(&end(&order), &first, 1e-12);
    }
}

/// Five balls that move almost as one, with an impact now and then that becomes slower by a factor, though flights do not become shorter: no sequence. Before
/// and after each of them they move as one ball does.
#[test]
fn slow_impacts_far_apart_are_no_sequence() {
    let k = 28.75404410418669;
    let masses = [0.7, 0.32, 2.6330855298651414, 1.6004640158199852, 0.6354037868600276];
    let restitutions = [0.062410145783768134, 0.9719546019598155, 0.07953024536909092, 0.07552026375239185];
    let gaps = [0.4391464352440086, 0.2587237225798053, 0.0, 0.3774263227431606, 0.0];
    let (system, values) = parse(&column(&masses, k, &restitutions, &gaps, false, &[0, 1, 2, 3]));
    let whole = run_with(&system, &values, Settings { until: 3.0, ..Settings::default() });
    assert_eq!(whole.ended, Ended::ReachedTime);
    let since = 2.0396;
    let state = whole.trajectory.as_ref().map(|path| path.at(since)).unwrap_or_default();
    let (one, mut alone) = parse(&column(&masses[..1], k, &[], &[0.0], false, &[]));
    alone.start_from(&[state[0], state[5]]);
    let single = run_with(&one, &alone, Settings { until: 3.0 - since, ..Settings::default() });
    for i in 0..5 {
        assert_close(whole.state[i], single.state[0], 1e-6);
        assert_close(whole.state[5 + i], single.state[1], 1e-6);
    }
}

/// Gravity as in a model of a ball on a table that shakes, just so that it leaves it.
fn shaken(g: f64) -> String {
    format!(
        "format = 1\nname = \"shaken\"\n[parameters]\ng = {g:?}\n[phase.phi]\nrate = 1.85\nperiod = \"2*pi\"\n\
         [mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"-g - 0.1*v\"]\n\
         [contacts.table]\ngap = \"x - 0.6*cos(phi)\"\nrestitution = 0.8\n[start]\nx = 1.344\nv = 0\nphi = 0\n"
    )
}

/// Flights of a few milliseconds, whose speeds are 1e-7 of that of the table: each chattering ends by the map of first order from its last impact, and
/// is not followed to speeds that are rounding of that of the table, which never fall.
#[test]
fn chattering_slower_than_rounding_ends() {
    let (r, om, z) = (0.8, 1.85, 0.1);
    let near = (0..40).map(|k| 2.05648956 + 4.3e-10 * f64::from(k - 20));
    for g in near.chain([2.056489561780045]) {
        let (system, values) = parse(&shaken(g));
        for flow in [FlowChoice::Exact, FlowChoice::Taylor] {
            let run = run_with(&system, &values, Settings { until: 60.0, flow, ..Settings::default() });
            assert_eq!(run.ended, Ended::ReachedTime);
            assert!(run.events.len() < 3000, "{g:?} {flow:?}: {}", run.events.len());
            let ends = of_kind(&run, EventKind::Chatter);
            assert!(ends.len() > 10);
            for end in ends {
                let acceleration = -g - z * end.before[1] + 0.6 * om * om * (om * end.time).cos();
                let rest = 2.0 * r * end.speed_before / ((1.0 - r) * acceleration);
                assert_close(end.duration, rest, 1e-2 * rest + 1e-10);
                assert_close(end.after[0], 0.6 * (om * end.end()).cos(), 1e-14);
            }
        }
    }
}

/// Two bodies on equal springs move through the middle together: the force between them is zero, a difference of terms that are zero, too. The others
/// strike them; nothing is lost.
#[test]
fn bodies_that_pass_the_middle_together_take_long_steps() {
    let k = 13.5;
    let force = |q: &str| format!("-{k}*(1 + 0.1*{q}^2/(1 + {q}^2))*{q}");
    let text = format!(
        "format = 1\nname = \"column\"\nimpacts = {{ together = \"lcp\" }}\n[mechanics]\ncoordinates = [\"q0\", \"q1\", \"q2\"]\n\
         velocities = [\"v0\", \"v1\", \"v2\"]\nM = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nh = [\"{}\", \"{}\", \"{}\"]\n\
         [contacts.a]\ngap = \"q1 - q0\"\nrestitution = 1\n[contacts.b]\ngap = \"q2 - q1\"\nrestitution = 1\n\
         [start]\nq0 = -0.5\nq1 = 0\nq2 = 0\nv0 = 1\nv1 = -0.9\nv2 = -0.9\n",
        force("q0"),
        force("q1"),
        force("q2")
    );
    let (system, values) = parse(&text);
    let energy = |state: &[f64]| -> f64 {
        let potential = |q: f64| k * (0.5 * q * q + 0.05 * (q * q - (q * q).ln_1p()));
        (0..3).map(|i| 0.5 * state[3 + i] * state[3 + i] + potential(state[i])).sum()
    };
    for tolerance in [1e-9, 1e-12] {
        let run = run_with(&system, &values, Settings { until: 5.0, tolerance, ..Settings::default() });
        assert_eq!(run.ended, Ended::ReachedTime);
        let first = run.trajectory.as_ref().and_then(|path| path.pieces().next()).map(|piece| piece.length);
        assert!(first > Some(1e-3), "{first:?}");
        assert_close(energy(&run.state), energy(values.start()), 1e3 * tolerance);
    }
}

/// Pendulums of one period in a row, the first of which is pulled out: they meet in the middle, in impacts that numbers soon do not resolve, until the three
/// between which these are have come to rest on each other. The last one has been struck open before, and is not held by them: no velocity changes without an
/// impact.
#[test]
fn a_ball_that_flies_off_is_not_held_by_those_that_come_to_rest() {
    let masses = [0.89, 0.4575677639912166, 0.655, 2.99, 2.984279192162412];
    let each = |f: &dyn Fn(usize) -> String| (0..5).map(|i| format!("\"{}\"", f(i))).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "format = 1\nname = \"cradle\"\nimpacts = {{ together = \"lcp\", law = \"poisson\" }}\n[parameters]\nk = 48.0\nc = 0.01\n[mechanics]\n\
         coordinates = [{}]\nvelocities = [{}]\nM = {{ diagonal = [{}] }}\nh = [{}]\n",
        each(&|i| format!("q{i}")),
        each(&|i| format!("v{i}")),
        each(&|i| format!("{:?}", masses[i])),
        each(&|i| format!("-{:?}*k*(1 + 0*q{i}^2/(1 + q{i}^2))*q{i} - c*v{i}", masses[i])),
    );
    (0..4).for_each(|i| text += &format!("[contacts.c{i}]\ngap = \"q{} - q{i}\"\nrestitution = 0.3\n", i + 1));
    text += "[start]\nq0 = -1\nv0 = 0\n";
    (1..5).for_each(|i| text += &format!("q{i} = 0\nv{i} = 0\n"));
    let (system, values) = parse(&text);
    let run = run_with(&system, &values, Settings { until: 0.75, ..Settings::default() });
    assert_eq!(run.ended, Ended::ReachedTime);
    let resting: Vec<_> =
        run.events.iter().filter(|event| event.time > 0.68 && event.kind == EventKind::Stick).collect();
    assert!(resting.len() > 2, "{resting:?}");
    for pair in run.events.windows(2).filter(|pair| pair[0].time == pair[1].time && pair[1].kind == EventKind::Stick) {
        (5..10).for_each(|v| assert_close(pair[0].after[v], pair[1].before[v], 1e-9));
    }
}

/// Balls that have come to rest on each other on a floor stay there, in any units: what rounding leaves of their motion has times of its own, some 1e-30 here, and
/// these are no times of the trajectory.
#[test]
fn what_rounding_leaves_of_a_body_at_rest_has_no_time() {
    for (length, mass, gaps) in [
        (3.7e4, 3.7e4, [3.7e4, 3.7e4, 17.3]),
        (1.0, 1.0, [1.0, 1.0, 1.0]),
        (3.7e4, 17.3, [0.061, 17.3, 2.3e-5]),
        (2.3e-5, 0.061, [3.7e4, 1.0, 17.3]),
        (17.3, 3.7e4, [17.3, 3.7e4, 0.061]),
    ] {
        let [inertia, force]: [f64; 2] = [mass * length * length, mass * length];
        let heights = [0.0, 0.7669645802896046, 0.7669645802896046 + 0.49900020813034235];
        let mut text = "format = 1\nname = \"column\"\nimpacts = { together = \"lcp\" }\n[parameters]\nm = 1.4413213047774822\ng = 9.81\n\
                        [definitions]\n"
            .to_string();
        (0..3).for_each(|i| text += &format!("q{i} = \"({length:?})*Q{i}\"\n"));
        text += "[mechanics]\ncoordinates = [\"Q0\", \"Q1\", \"Q2\"]\nvelocities = [\"V0\", \"V1\", \"V2\"]\n";
        text += &format!("M = {{ diagonal = [{}] }}\n", vec![format!("\"({inertia:?})*(m)\""); 3].join(", "));
        text += &format!("h = [{}]\n", vec![format!("\"({force:?})*(-m*g)\""); 3].join(", "));
        for (i, gap) in gaps.into_iter().enumerate() {
            let below = if i > 0 { format!(" - q{}", i - 1) } else { String::new() };
            text += &format!("[contacts.c{i}]\ngap = \"({gap:?})*(q{i}{below})\"\nrestitution = 0\n");
        }
        text += "[start]\n";
        for (i, height) in heights.into_iter().enumerate() {
            text += &format!("Q{i} = \"({:?})*({height:?})\"\nV{i} = 0\n", 1.0 / length);
        }
        let (system, values) = parse(&text);
        let run = run_with(&system, &values, Settings { until: 1.5, ..Settings::default() });
        assert_eq!(run.ended, Ended::ReachedTime, "{length:e} {mass:e} {gaps:?}");
        assert_eq!(run.closed.iter().count(), 3);
        assert!(run.state.iter().all(|x| (length * x).abs() < 1e-14), "{:?}", run.state);
    }
}

/// A disc that rests on one wall, is struck loose by the other, and comes to rest on that one, ever lower: the times of these turns are a geometric sequence, and at
/// the end of it the disc rests on both walls. What is left of its spin then would stop on a path far below rounding of the gaps.
#[test]
fn a_disc_that_turns_from_wall_to_wall_ever_lower_comes_to_rest() {
    let (system, values) = model("disc-climbs-out-of-corner");
    let run = run_with(&system, &values, Settings { until: 3.0, ..Settings::default() });
    assert_eq!(run.ended, Ended::ReachedTime);
    assert_eq!(run.closed.iter().count(), 2);
    assert!(run.state[3..].iter().all(|v| v.abs() < 1e-14), "{:?}", run.state);
    let turns: Vec<f64> =
        of_kind(&run, EventKind::Release).iter().filter(|turn| turn.contact == Some(0)).map(|turn| turn.time).collect();
    let [first, second, third] = [turns[5], turns[6], turns[7]];
    let ratio = (third - second) / (second - first);
    let end = third + (third - second) * ratio / (1.0 - ratio);
    // The last turns are no higher than 2e-15, the rounding of the gaps. Each takes some roots of its height, and so do all that would follow.
    assert_close(run.events.last().unwrap().time, end, 5.0 * 2e-15_f64.sqrt());
}

/// A disc in a wedge whose elastic wall it leaves by 3e-8: it would fall back from 1e-15, for ever. Such a contact lasts.
#[test]
fn rebounds_no_higher_than_rounding_of_their_gap_are_lasting_contact() {
    let (system, values) = parse(
        "format = 1\nname = \"wedge\"\nimpacts = { together = \"lcp\", law = \"newton\" }\n\
         [parameters]\nR = 0.34666538014537396\nm = 1.816466015219717\na = 0.785\n\
         [phase.phi]\nrate = 3.2088354563043713\nperiod = \"2*pi\"\n\
         [mechanics]\ncoordinates = [\"q0\", \"q1\", \"q2\"]\nvelocities = [\"v0\", \"v1\", \"v2\"]\n\
         M = { diagonal = [\"m\", \"m\", 0.19691547015647243] }\n\
         h = [\"1.4082785748373154*cos(phi)\", \"-m + 1.5087780139314249*sin(phi)\", \"0.09656116327696518*cos(phi)\"]\n\
         [contacts.c0]\ngap = \"q1*cos(a) + q0*sin(a) - R\"\nrestitution = 0\n\
         [contacts.c1]\ngap = \"q1*cos(a) - q0*sin(a) - R\"\nrestitution = 1\ntrack = \"q0*cos(a) + q1*sin(a) + R*q2\"\n\
         friction = { law = \"coulomb\", mu = 1.1380711515629771 }\n\
         [start]\nq0 = 0\nq1 = \"R/cos(a)\"\nq2 = 0\nv0 = 0\nv1 = 0\nv2 = 0\nphi = 0\n",
    );
    let run = run_with(&system, &values, Settings { until: 0.5, ..Settings::default() });
    assert_eq!(run.ended, Ended::ReachedTime);
    assert!(of_kind(&run, EventKind::Impact).iter().any(|impact| impact.speed_after > 1e-8));
    assert_eq!(run.closed.iter().count(), 2);
    assert_all_close(&run.state[..2], &values.start()[..2], 1e-14);
    assert!(run.state[3..6].iter().all(|v| v.abs() < 1e-14), "{:?}", run.state);
}

/// A flat body under forces that oscillate, on feet at `sides`, each with a coefficient of friction or without friction.
fn flat(numbers: [f64; 9], poisson: bool, feet: &[(f64, Option<f64>)]) -> String {
    let [w, m, a, b, c, h, e, u, g] = numbers;
    let law = if poisson { "poisson" } else { "newton" };
    let mut text = format!(
        "format = 1\nname = \"flat\"\nimpacts = {{ together = \"lcp\", law = \"{law}\" }}\n[phase.phi]\nrate = {w:?}\nperiod = \"2*pi\"\n\
         [mechanics]\ncoordinates = [\"q0\", \"q1\", \"q2\"]\nvelocities = [\"v0\", \"v1\", \"v2\"]\nM = {{ diagonal = [{m:?}, {m:?}, 0.05] }}\n\
         h = [\"{b:?}*cos(phi)\", \"-{m:?}*{g:?} + {a:?}*sin(phi)\", \"{c:?}*sin(2*phi)\"]\n"
    );
    for (k, (side, mu)) in feet.iter().enumerate() {
        text += &format!("[contacts.c{k}]\ngap = \"q1 + ({side:?})*sin(q2) - {h:?}*cos(q2)\"\nrestitution = {e:?}\n");
        if let Some(mu) = mu {
            let track = format!("q0 + ({side:?})*cos(q2) + {h:?}*sin(q2)");
            text += &format!("track = \"{track}\"\nfriction = {{ law = \"coulomb\", mu = {mu:?} }}\n");
        }
    }
    text + &format!("[start]\nq0 = 0\nq1 = {h:?}\nq2 = 0\nv0 = {u:?}\nv1 = 0\nv2 = 0\nphi = 0\n")
}

/// A body that stands on one of three feet in line falls on the other two at one instant. Which of them is found first, 1e-16 before the other, decides nothing, and
/// so the trajectory does not depend on the length of steps.
#[test]
fn feet_in_line_land_together() {
    let numbers = [4.0, 1.0, 1.616534897069516, 0.5971771938240964, 0.2, 0.405, 0.0, -0.008371935506798156, 1.0];
    let feet = [0.20861502531010204, -0.3777028608354692, -0.5329672784956528].map(|side| (side, Some(0.868)));
    let (system, values) = parse(&flat(numbers, true, &feet));
    let until = 0.984;
    let whole = run_with(&system, &values, Settings { until, ..Settings::default() });
    assert_eq!(whole.ended, Ended::ReachedTime);
    for part in [0.0029790463704682407, 0.00297904637, 0.001, 0.0123, 0.1] {
        let other = run_with(&system, &values, Settings { until, longest_step: part * until, ..Settings::default() });
        assert_all_close(&other.state, &whole.state, 1e-12);
    }
}

/// Two feet of three in line that chatter against each other: the third, between them, has a gap of 1e-14, and strikes with none of them. In any order of contacts all
/// three come to rest, and the body stops sliding at the same time.
#[test]
fn a_foot_between_two_that_chatter_does_not_strike_with_them() {
    let numbers = [1.19, 1.44, 1.75, 0.0, 0.221, 0.477, 0.5, 0.0, 1.0];
    let feet = [(0.6770050644638486, Some(0.755)), (-0.47681228934230013, None), (-0.5973906907025167, Some(0.755))];
    let stops: Vec<f64> = [[0, 1, 2], [1, 0, 2], [2, 1, 0]]
        .into_iter()
        .map(|order| {
            let (system, values) = parse(&flat(numbers, false, &order.map(|k| feet[k])));
            let run = run_with(&system, &values, Settings { until: 4.8, ..Settings::default() });
            assert_eq!(run.ended, Ended::ReachedTime);
            assert_eq!(run.closed.iter().count(), 3);
            let between = order.iter().position(|&k| k == 1);
            let struck = of_kind(&run, EventKind::Impact).into_iter().filter(|impact| impact.time > 4.0);
            assert!(struck.filter(|impact| impact.contact == between).all(|impact| impact.speed_before > -1e-6));
            run.state[0]
        })
        .collect();
    stops.iter().for_each(|&stop| assert_close(stop, stops[0], 1e-10));
}

/// Two feet of three in line chatter against each other until flights are 1e-14 high, and the body comes to rest on all three. The gap of the one between them is a combination of theirs:
/// it never strikes before all speeds are rounding, in any order of contacts and by any steps.
#[test]
fn a_foot_between_two_that_chatter_is_known_as_well_as_they_are() {
    let numbers = [
        2.073155820273195,
        1.624844414523265,
        2.1851555102142464,
        0.024008286786401545,
        0.18377690794926396,
        0.43299613053138275,
        0.5,
        -0.8013182698468866,
        1.0,
    ];
    let feet =
        [0.5169281364518884, -0.6621995995429406, -0.08652152504227906].map(|side| (side, Some(0.9772606242254538)));
    for (order, part) in
        [[0, 1, 2], [2, 0, 1], [1, 2, 0]].into_iter().flat_map(|order| [1.0, 0.01, 0.003].map(|part| (order, part)))
    {
        let (system, values) = parse(&flat(numbers, false, &order.map(|k| feet[k])));
        let until = 2.85;
        let run = run_with(&system, &values, Settings { until, longest_step: part * until, ..Settings::default() });
        assert_eq!(run.ended, Ended::ReachedTime);
        let between = order.iter().position(|&k| k == 2);
        let late: Vec<_> = of_kind(&run, EventKind::Impact).into_iter().filter(|impact| impact.time > 2.8).collect();
        let strikes = |impact: &&Event| impact.contact == between && impact.speed_before < -1e-12;
        assert!(late.len() > 40 && !late.iter().any(strikes), "{order:?} {part}");
        let last = late.last().map(|impact| impact.time).unwrap_or_default();
        assert_close(last, 2.81019809575, 1e-10);
        assert_eq!(run.closed.iter().count(), 3, "{order:?} {part}");
        assert!(run.state[3..6].iter().all(|v| v.abs() < 1e-14), "{order:?} {part}: {:?}", run.state);
    }
}

/// A row of pendulums in which two balls have just been left by each other with no speed, 1e-27 apart, when an impact of two others follows, and then one of theirs.
/// That impact changes nothing between them, in any coordinates q_i = Q_i + s Q_(i-1), so that the last one has the same outcome.
#[test]
fn an_impact_elsewhere_leaves_what_is_known_of_a_contact() {
    let (masses, restitutions, places) =
        ([2.0, 0.5, 0.54, 0.3, 0.33], [0.8, 1.0, 0.06, 0.0], [-1.0, 0.65, 0.65, 0.93, 0.93]);
    let ends: Vec<Vec<f64>> = [0.0, 0.1, 0.3, -0.2, 0.7]
        .into_iter()
        .map(|s: f64| {
            let each = |f: &dyn Fn(usize) -> String| (0..5).map(f).collect::<Vec<_>>().join(", ");
            let mass = |i: usize, j: usize| match i.abs_diff(j) {
                0 => masses[i] + masses.get(i + 1).map_or(0.0, |m| s * s * m),
                1 => s * masses[i.max(j)],
                _ => 0.0,
            };
            let force = |i: usize| format!("-{:?}*1.4*(1 + 0.1*q{i}^2/(1 + q{i}^2))*q{i} - 0.01*v{i}", masses[i]);
            let turned =
                |i: usize| format!("\"{} + {s:?}*({})\"", force(i), if i < 4 { force(i + 1) } else { "0".into() });
            let mut text =
                "format = 1\nname = \"cradle\"\nimpacts = { together = \"lcp\" }\n[definitions]\n".to_string();
            for letter in ["q", "v"] {
                let old = |i: usize| {
                    if i > 0 { format!(" + {s:?}*{}{}", letter.to_uppercase(), i - 1) } else { String::new() }
                };
                (0..5).for_each(|i| text += &format!("{letter}{i} = \"{}{i}{}\"\n", letter.to_uppercase(), old(i)));
            }
            text += &format!("[mechanics]\ncoordinates = [{}]\n", each(&|i| format!("\"Q{i}\"")));
            text += &format!("velocities = [{}]\n", each(&|i| format!("\"V{i}\"")));
            text += &format!("M = [{}]\n", each(&|i| format!("[{}]", each(&|j| format!("{:?}", mass(i, j))))));
            text += &format!("h = [{}]\n", each(&turned));
            for (i, e) in restitutions.into_iter().enumerate() {
                text += &format!("[contacts.c{i}]\ngap = \"q{} - q{i}\"\nrestitution = {e:?}\n", i + 1);
            }
            text += "[start]\n";
            let mut place = 0.0;
            for (i, q) in places.into_iter().enumerate() {
                place = q - s * place;
                text += &format!("Q{i} = {place:?}\nV{i} = 0\n");
            }
            let (system, values) = parse(&text);
            let run = run_with(&system, &values, Settings { until: 1.5, ..Settings::default() });
            assert_eq!(run.ended, Ended::ReachedTime, "{s}");
            (0..5).map(|i| run.state[i] + if i > 0 { s * run.state[i - 1] } else { 0.0 }).collect()
        })
        .collect();
    ends.iter().for_each(|end| assert_all_close(end, &ends[0], 1e-11));
}

/// Balls that meet at nearly one instant, in impacts of three contacts that follow each other ever faster, while all of them move 10^10 times as fast as they do towards each
/// other at last. At any tolerance they come to rest on each other, and the impact of a fifth one finds no gap between them.
#[test]
fn slow_impacts_of_fast_balls_end_at_any_tolerance() {
    let (masses, restitutions, places) = ([1.6, 0.4, 1.1, 1.4, 1.0], [0.6, 0.1, 0.25, 1.0], [0.0, 1.0, 2.0, 2.0, 2.0]);
    let each = |f: &dyn Fn(usize) -> String| (0..5).map(f).collect::<Vec<_>>().join(", ");
    let mut text =
        "format = 1\nname = \"balls\"\nimpacts = { together = \"lcp\", law = \"poisson\" }\n[mechanics]\n".to_string();
    text += &format!("coordinates = [{}]\n", each(&|i| format!("\"q{i}\"")));
    text += &format!("velocities = [{}]\n", each(&|i| format!("\"v{i}\"")));
    text += &format!("M = {{ diagonal = [{}] }}\n", each(&|i| format!("{:?}", masses[i])));
    text += &format!("h = [{}]\n", each(&|i| format!("\"-{:?}*9*(1 + 0.1*q{i}^2/(1 + q{i}^2))*q{i}\"", masses[i])));
    for (i, e) in restitutions.into_iter().enumerate() {
        text += &format!("[contacts.c{i}]\ngap = \"q{} - q{i}\"\nrestitution = {e:?}\n", i + 1);
    }
    text += "[start]\n";
    (0..5).for_each(|i| text += &format!("q{i} = {:?}\nv{i} = 0\n", places[i]));
    let (system, values) = parse(&text);
    for tolerance in [1e-12, 1e-14, 1e-16] {
        let run = run_with(&system, &values, Settings { until: 0.6, tolerance, ..Settings::default() });
        assert_eq!(run.ended, Ended::ReachedTime);
        assert!(run.closed.iter().eq([0, 1, 2]), "{tolerance:e}: {:?}", run.closed);
        let momentum = |state: &[f64]| (0..4).map(|i| masses[i] * state[5 + i]).sum::<f64>();
        let sticks = of_kind(&run, EventKind::Stick);
        let rest = sticks.iter().rfind(|stick| stick.contact < Some(3)).unwrap();
        // Impacts among the four conserve their momentum, so that it gives their common velocity.
        let mass = masses[..4].iter().sum::<f64>();
        (0..4).for_each(|i| assert_close(rest.after[5 + i], momentum(&rest.before) / mass, 1e-12));
        (1..4).for_each(|i| assert_close(run.state[i], run.state[0], 1e-14));
    }
}

/// A corner that sticks to one wall at 2e-14 from the other, a hundred times the last digit of its coordinates, strikes that one after another corner has struck it
/// loose, and not with that one: in both coordinates when it has passed this gap.
#[test]
fn a_gap_that_the_state_resolves_is_open() {
    let found = ["corner-beside-a-wall", "corner-beside-a-wall-skewed"].map(|name| {
        let (system, values) = model(name);
        let settings = Settings { until: 2.30708, ..Settings::default() };
        let run = run_with(&system, &values, settings);
        assert_eq!(run.ended, Ended::ReachedTime, "{name}");
        let impacts = of_kind(&run, EventKind::Impact);
        let struck = impacts.iter().rposition(|impact| impact.contact == Some(2)).unwrap();
        let [other, own] = [impacts[struck], impacts[struck + 1]];
        assert_eq!(own.contact, Some(1), "{name}");
        assert!(own.speed_before < -5e-5, "{name}: {}", own.speed_before);
        (own.time - other.time) * -own.speed_before
    });
    // What its formula gives at the states before, in both coordinates.
    found.iter().for_each(|&gap| assert_close(gap, 2.19e-14, 2e-15));
}

/// A rod slides on one wall of a corner and strikes the other, elastic one; friction on the first takes half a percent of its speed away with every impact. The
/// flights become too low for the gap to hold them, and still are no persistent contact: the sequence ends where its geometric series does.
#[test]
fn impacts_that_lose_little_are_followed_to_their_end() {
    let (system, values) = model("rod-in-a-corner");
    let found = run(&system, &values, 1.26);
    assert_eq!(found.ended, Ended::ReachedTime);
    let impacts: Vec<_> =
        of_kind(&found, EventKind::Impact).into_iter().filter(|impact| impact.contact == Some(2)).collect();
    let rest = of_kind(&found, EventKind::Stick).last().unwrap().time;
    // The ratio changes with the speed, so that the error of the series falls with its square.
    for (speed, error) in [(1e-5, 2e-5), (1e-6, 2e-8), (3e-7, 1e-9)] {
        let slow = impacts.iter().position(|impact| impact.time > 1.2 && impact.speed_before > -speed).unwrap();
        let [first, second] = [0, 1].map(|k| impacts[slow + k + 1].time - impacts[slow + k].time);
        let ratio = second / first;
        assert!((0.99..0.999).contains(&ratio), "{ratio}");
        assert_close(rest, impacts[slow + 2].time + second * ratio / (1.0 - ratio), error);
    }
}

/// Four balls come to rest on a floor, the lowest one before the others. It waits for what comes to rest with it, but not until its speeds underflow.
#[test]
fn a_contact_does_not_wait_for_others_until_its_speed_underflows() {
    let (system, values) = model("four-balls-on-a-floor");
    let found = run(&system, &values, 3.0);
    assert_eq!(found.ended, Ended::ReachedTime);
    assert!(found.closed.iter().eq([0, 1, 2, 3]), "{:?}", found.closed);
    let impacts = of_kind(&found, EventKind::Impact);
    let slowest = impacts.iter().map(|impact| impact.speed_before.abs()).fold(f64::INFINITY, f64::min);
    assert!(impacts.len() < 1000 && slowest > 1e-30, "{} {slowest:e}", impacts.len());
}

/// Five balls on equal springs strike each other ever faster. The last one has flights of 1e-16 between impacts of others, and then leaves: where the others come to rest
/// it is not pulled back. Impulses -sum m v of the balls below a contact only push.
#[test]
fn a_contact_that_opens_is_not_pulled_shut() {
    let (system, values) = model("five-balls-on-springs");
    let found = run(&system, &values, 0.48);
    assert_eq!(found.ended, Ended::ReachedTime);
    let masses = [1.9, 0.6, 1.7, 0.8, 0.44];
    let mut largest = 0.0_f64;
    for event in &found.events {
        let change = |i: usize| masses[i] * (event.after[5 + i] - event.before[5 + i]);
        let impulses: Vec<f64> = (0..4).map(|k| -(0..=k).map(change).sum::<f64>()).collect();
        largest = impulses.iter().copied().fold(largest, f64::max);
        assert!(impulses.iter().all(|&impulse| impulse > -1e-10), "{}: {impulses:?}", event.time);
    }
    assert!(largest > 1.0);
}
