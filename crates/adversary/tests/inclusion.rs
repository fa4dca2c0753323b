//! Implicit steps of the inclusion come to closed forms.

use adversary::NAMED;
use adversary::campaign::member;
use adversary::oracles::inclusion::{Bodies, Law, Linear, Pad, Reset, Rubbing, Shape, follow};

/// Bodies without forces, with masses, at coordinates and velocities.
fn bodies(mass: &[f64], start: &[f64], until: f64) -> Bodies {
    let force = vec![Linear::zero(mass.len()); mass.len()];
    Bodies { mass: mass.to_vec(), force, start: start.to_vec(), until, ..Bodies::default() }
}

/// -force * sign(v_i - belt).
fn dry(n: usize, i: usize, force: f64) -> Law {
    let (mut of, mut push) = (Linear::zero(n), vec![0.0; n]);
    (of.v[i], push[i]) = (1.0, -force);
    Law { of, shape: Shape::Sign, push }
}

/// -force * sign(x_i).
fn valley(n: usize, i: usize, force: f64) -> Law {
    let (mut of, mut push) = (Linear::zero(n), vec![0.0; n]);
    (of.q[i], push[i]) = (1.0, -force);
    Law { of, shape: Shape::Sign, push }
}

fn pad(q: &[f64], constant: f64, restitution: f64) -> Pad {
    let gap = Linear { q: q.to_vec(), constant, ..Linear::zero(q.len()) };
    Pad { gap, restitution, friction: None }
}

#[track_caller]
fn comes_to(bodies: &Bodies, state: &[f64]) {
    let reached = follow(bodies).unwrap();
    let off = reached.state.iter().zip(state).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-4, "{:?} and not {state:?}", reached.state);
}

/// A body that dry friction holds is pushed by its neighbour: (10 - 2)/3.
#[test]
fn a_closed_contact_pushes_what_friction_holds() {
    let mut push = bodies(&[1.0, 2.0], &[0.0, 1.0, 0.0, 0.0], 2.0);
    push.force[0].constant = 10.0;
    push.laws.push(dry(2, 1, 2.0));
    push.contacts.push(pad(&[-1.0, 1.0], -1.0, 0.0));
    let (x, v) = (16.0 / 3.0, 16.0 / 3.0);
    comes_to(&push, &[x, 1.0 + x, v, v]);
    // With friction of both: (3 - 1 - 1.5)/3.
    push.force[0].constant = 3.0;
    push.laws = vec![dry(2, 0, 1.0), dry(2, 1, 1.5)];
    comes_to(&push, &[1.0 / 3.0, 4.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]);
    // All is held by more.
    push.laws[0].push[0] = -1.6;
    comes_to(&push, &[0.0, 1.0, 0.0, 0.0]);
}

/// Friction of a table spins a disc up: slip 1 - 1.9 t ends at 1/1.9; then u' = -w' and u' = -tau, w' = tau - 0.1 for
/// |tau| < 1: both shrink by 0.05.
#[test]
fn friction_spins_a_disc_up() {
    let until = 5.0;
    let mut disc = bodies(&[1.0; 3], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0], until);
    disc.force[1].constant = -1.0;
    disc.laws.push(dry(3, 2, 0.1));
    let friction = Rubbing { track: vec![1.0, 0.0, 1.0], belt: 0.0, mu: 1.0, mu_static: 1.0 };
    disc.contacts.push(Pad { friction: Some(friction), ..pad(&[0.0, 1.0, 0.0], 0.0, 0.0) });
    let slips = 1.0 / 1.9;
    let u = 1.0 - slips;
    let rolls = until - slips;
    let x = slips - 0.5 * slips * slips + u * rolls - 0.025 * rolls * rolls;
    let a = -0.45 * slips * slips - u * rolls + 0.025 * rolls * rolls;
    comes_to(&disc, &[x, 0.0, a, 0.25, 0.0, -0.25]);
}

/// A body with dry friction is at rest on its stop.
#[test]
fn a_plastic_stop_ends_a_motion_with_dry_friction() {
    let mut stop = bodies(&[1.0], &[0.1, -1.0], 1.0);
    stop.force[0].constant = -0.5;
    stop.laws.push(dry(1, 0, 1.0));
    stop.contacts.push(pad(&[1.0], 0.0, 0.0));
    comes_to(&stop, &[0.0, 0.0]);
}

/// x'' = -k sign x - f sign v comes to rest at T = sqrt(2 x0/(k - f)) + v0 (1/(k + f) + 1/sqrt(k^2 - f^2))/(1 - rho),
/// v0 = sqrt(2 (k - f) x0), rho = sqrt((k - f)/(k + f)).
#[test]
fn a_valley_ends_in_rest() {
    let (k, f) = (10.0_f64, 3.0_f64);
    let v0 = (2.0 * (k - f)).sqrt();
    let (first, half) = ((2.0 / (k - f)).sqrt(), v0 / (k + f) + v0 / (k * k - f * f).sqrt());
    let rho = ((k - f) / (k + f)).sqrt();
    let rest = first + half / (1.0 - rho);
    assert!((rest - 3.0891825136707).abs() < 1e-12);
    let mut one = bodies(&[1.0], &[1.0, 0.0], 4.0);
    one.laws = vec![valley(1, 0, k), dry(1, 0, f)];
    comes_to(&one, &[0.0, 0.0]);
    // Where it turns for the first time.
    one.until = first + v0 / (k + f);
    comes_to(&one, &[-(k - f) / (k + f), 0.0]);
    // From rest at the bottom it stays there, with and without friction.
    one.start = vec![0.0, 0.0];
    one.until = 2.0;
    comes_to(&one, &[0.0, 0.0]);
    one.laws.pop();
    comes_to(&one, &[0.0, 0.0]);
}

/// Two bodies meet and move on together; an elastic impact exchanges speeds; a row of three passes the speed by one
/// problem.
#[test]
fn impacts_in_closed_form() {
    let mut two = bodies(&[1.0, 3.0], &[0.0, 1.5, 2.0, 0.0], 1.0);
    two.contacts.push(pad(&[-1.0, 1.0], -1.0, 0.0));
    comes_to(&two, &[0.875, 1.875, 0.5, 0.5]);
    two.mass[1] = 1.0;
    two.contacts[0].restitution = 1.0;
    comes_to(&two, &[0.5, 3.0, 0.0, 2.0]);
    let mut row = bodies(&[1.0; 3], &[0.0, 1.5, 2.5, 2.0, 0.0, 0.0], 1.0);
    row.contacts = vec![pad(&[-1.0, 1.0, 0.0], -1.0, 0.0), pad(&[0.0, -1.0, 1.0], -1.0, 0.0)];
    let v = 2.0 / 3.0;
    comes_to(&row, &[0.5 + 0.75 * v, 1.5 + 0.75 * v, 2.5 + 0.75 * v, v, v, v]);
}

/// A ball with restitution 1/2 is at rest after infinitely many impacts.
#[test]
fn chattering_ends() {
    let mut ball = bodies(&[1.0], &[1.0, 0.0], 3.0);
    ball.force[0].constant = -2.0;
    ball.contacts.push(pad(&[1.0], 0.0, 0.5));
    comes_to(&ball, &[0.0, 0.0]);
    // In the first flight after t = 1 with the speed 1.
    ball.until = 1.4;
    comes_to(&ball, &[0.4 - 0.16, 0.2]);
}

/// Static friction holds what kinetic friction does not: 1.2 breaks loose at sin t = 1.5/2.
#[test]
fn static_friction_breaks_loose() {
    let mut block = bodies(&[1.0, 1.0], &[0.0; 4], 1.5);
    block.force[0].wave[0] = 2.0;
    block.force[1].constant = -1.0;
    block.rate = 1.0;
    let friction = Rubbing { track: vec![1.0, 0.0], belt: 0.0, mu: 1.0, mu_static: 1.5 };
    block.contacts.push(Pad { friction: Some(friction), ..pad(&[0.0, 1.0], 0.0, 0.0) });
    let loose = 0.75_f64.asin();
    let v = 2.0 * (loose.cos() - 1.5_f64.cos()) - (1.5 - loose);
    let x = 2.0 * (loose.cos() * (1.5 - loose) - 1.5_f64.sin() + loose.sin()) - 0.5 * (1.5 - loose).powi(2);
    comes_to(&block, &[x, 0.0, v, 0.0]);
}

/// A body crosses x = 1/2 and turns back at half its speed.
#[test]
fn an_event_happens_once() {
    let mut one = bodies(&[1.0], &[0.0, 1.0], 1.0);
    let of = |q: f64, v: f64, constant: f64| Linear { q: vec![q], v: vec![v], constant, wave: [0.0; 2] };
    let jump = vec![(1, of(0.0, -0.5, 0.0))];
    one.events.push(Reset { when: of(1.0, 0.0, -0.5), direction: 0, condition: None, jump });
    comes_to(&one, &[0.25, -0.5]);
}

/// Turned back at half its speed and pressed forwards again, x'' = 10 - 3 sign v, a body passes x = 1/4 after
/// infinitely many events, each cycle sqrt(7/13)/2 as long as
/// the one before.
#[test]
fn events_accumulate() {
    let until = 1.013;
    let mut one = bodies(&[1.0], &[0.0, 0.0], until);
    one.force[0].constant = 10.0;
    one.laws.push(dry(1, 0, 3.0));
    let of = |q: f64, v: f64, constant: f64| Linear { q: vec![q], v: vec![v], constant, wave: [0.0; 2] };
    let jump = vec![(1, of(0.0, -0.5, 0.0))];
    one.events.push(Reset { when: of(1.0, 0.0, -0.25), direction: 0, condition: None, jump });
    let first = (0.5_f64 / 7.0).sqrt();
    let down = 0.5 * 7.0 * first / 13.0;
    let cycle = down * (1.0 + (13.0_f64 / 7.0).sqrt());
    let rest = until - first - cycle / (1.0 - 0.5 * (7.0_f64 / 13.0).sqrt());
    let reached = follow(&one).unwrap();
    let off = (reached.state[0] - 0.25 - 3.5 * rest * rest).abs().max((reached.state[1] - 7.0 * rest).abs());
    assert!(off < 1e-3, "{:?} and not {rest}", reached.state);
}

/// A coupled pair between two stops, one of which is reached with dry friction: the motion goes on, and shorter steps
/// do not change it.
#[test]
fn a_pair_between_two_stops_converges() {
    let mut two = bodies(&[1.0, 1.0], &[0.0; 4], 3.0);
    two.rate = std::f64::consts::TAU;
    two.force[0] = Linear { q: vec![-20.0, 20.0], wave: [8.0, 0.0], ..Linear::zero(2) };
    two.force[1] = Linear { q: vec![20.0, -20.0], ..Linear::zero(2) };
    two.laws = vec![dry(2, 0, 4.0), dry(2, 1, 2.0)];
    two.contacts = vec![pad(&[0.0, -1.0], 0.1, 0.0), pad(&[0.0, 1.0], 0.1, 0.0)];
    let reached = follow(&two).unwrap();
    assert!(reached.spread < 1e-3, "{}", reached.spread);
}

/// Motions of the library agree with the inclusion on members of the family.
#[test]
fn members_of_the_inclusion_agree() {
    let instants = NAMED.iter().find(|family| family.name == "instants").unwrap();
    for index in 0..120 {
        let outcome = member(instants, 5, index, 10);
        assert!(outcome.disagreements.is_empty(), "{index}: {outcome:?}");
    }
}
