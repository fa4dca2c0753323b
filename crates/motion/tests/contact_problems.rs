//! Compares the contact problem's solver with the exhaustive search on random bodies: polygons and discs with friction, cradles, columns, corners, contacts that
//! are the same twice, in any units and order.

#[path = "contact_problems/exhaustive.rs"]
mod exhaustive;

use exhaustive::{Proved, corners};
use saltation_motion::Slip;
use saltation_motion::contact::problem::{Balance, Problem, Sliding};
use saltation_numerics::dense::Matrix;

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Directions w_N and w_T of a contact, and its friction.
type Contact = (Vec<f64>, Vec<f64>, f64);

/// Contacts of bodies with these inverse masses.
struct Bodies {
    inverse: Vec<f64>,
    contacts: Vec<Contact>,
    smooth: bool,
}

/// Corners of a polygon on the ground, and on a wall or a slope: flat sides, so that forces are many.
fn polygon(dice: &mut Dice, contacts: usize) -> Bodies {
    let mass = dice.within(0.5, 3.0);
    let inertia = mass * dice.within(0.01, 0.5);
    let mu = dice.within(0.0, 1.5);
    let slope = if dice.below(2) == 0 { 0.0 } else { dice.within(-0.5, 0.5) };
    let corner = |dice: &mut Dice, angle: f64, along: f64, height: f64, mu: f64| {
        // A point at (along, -height) of the surface's frame.
        let (s, c) = angle.sin_cos();
        let _ = dice;
        (vec![-s, c, along], vec![c, s, height], mu)
    };
    let (left, right, height) = (dice.within(-1.0, 0.0), dice.within(0.0, 1.0), dice.within(0.1, 1.0));
    let mut all = vec![corner(dice, slope, left, height, mu), corner(dice, slope, right, height, mu)];
    match dice.below(3) {
        0 => all.push(corner(dice, slope, dice_between(left, right), height, mu)),
        1 => {
            let (along, side) = (dice.within(-1.0, 1.0), dice.within(0.1, 1.0));
            all.push(corner(dice, slope + std::f64::consts::FRAC_PI_2, along, side, mu));
        }
        _ => all.push(all[0].clone()),
    }
    all.truncate(contacts);
    Bodies { inverse: vec![1.0 / mass, 1.0 / mass, 1.0 / inertia], contacts: all, smooth: dice.below(4) == 0 }
}

fn dice_between(left: f64, right: f64) -> f64 {
    0.5 * (left + right)
}

/// Balls in a row: a cradle, or a column that stands on the ground.
fn row(dice: &mut Dice, contacts: usize) -> Bodies {
    let stands = dice.below(2) == 0;
    let balls = if stands { contacts } else { contacts + 1 };
    let equal = dice.below(2) == 0;
    let inverse = (0..balls).map(|_| if equal { 1.0 } else { dice.within(0.2, 5.0) }).collect();
    let contact = |k: usize| {
        let mut normal = vec![0.0; balls];
        let upper = if stands { k } else { k + 1 };
        normal[upper] = 1.0;
        if upper > 0 {
            normal[upper - 1] = -1.0;
        }
        (normal, vec![0.0; balls], 0.0)
    };
    Bodies { inverse, contacts: (0..contacts).map(contact).collect(), smooth: true }
}

/// A disc in a corner, or between two walls.
fn disc(dice: &mut Dice, contacts: usize) -> Bodies {
    let mass = dice.within(0.5, 3.0);
    let radius = dice.within(0.1, 1.0);
    let inertia = 0.5 * mass * radius * radius;
    let first = dice.within(-1.0, 1.0);
    let angles = [first, first + std::f64::consts::FRAC_PI_2, first + std::f64::consts::PI];
    let contact = |angle: &f64, mu: f64| {
        let (s, c) = angle.sin_cos();
        (vec![-s, c, 0.0], vec![c, s, radius], mu)
    };
    let all = angles.iter().take(contacts).map(|angle| contact(angle, dice.within(0.0, 1.2))).collect();
    Bodies { inverse: vec![1.0 / mass, 1.0 / mass, 1.0 / inertia], contacts: all, smooth: false }
}

/// The problem of speeds or accelerations of bodies, in units of its own for every contact.
fn problem(dice: &mut Dice, bodies: &Bodies) -> Problem {
    let n = bodies.contacts.len();
    let dofs = bodies.inverse.len();
    let units: Vec<f64> =
        (0..n).map(|_| if dice.below(3) == 0 { 10f64.powf(dice.within(-4.0, 4.0)) } else { 1.0 }).collect();
    let row = |r: usize, k: usize| match r < n {
        true => bodies.contacts[r].0[k] * units[r],
        false => bodies.contacts[r - n].1[k] * units[r - n],
    };
    // Speeds of fall, of rest with gravity, or simple numbers that make borders.
    let pace: Vec<f64> = match dice.below(3) {
        0 => (0..dofs).map(|_| dice.within(-2.0, 2.0)).collect(),
        1 => (0..dofs).map(|k| if k == 1 { -9.81 } else { 0.0 }).collect(),
        _ => (0..dofs).map(|_| dice.below(3) as f64 - 1.0).collect(),
    };
    let slips = |dice: &mut Dice| if dice.below(2) == 0 { Slip::Forward } else { Slip::Backward };
    let known = dice.below(4) == 0;
    let sliding = (0..n).map(|_| match (bodies.smooth, known) {
        (true, _) => Sliding::Smooth,
        (_, true) => Sliding::Along(slips(dice)),
        _ => Sliding::Sticking,
    });
    let sliding = sliding.collect();
    Problem {
        delassus: Matrix::from_fn(2 * n, 2 * n, |i, j| {
            (0..dofs).map(|k| row(i, k) * bodies.inverse[k] * row(j, k)).sum()
        }),
        free: (0..2 * n).map(|r| (0..dofs).map(|k| row(r, k) * pace[k]).sum()).collect(),
        scale: (0..2 * n).map(|r| (0..dofs).map(|k| (row(r, k) * pace[k]).abs()).fold(0.0, f64::max)).collect(),
        friction: bodies.contacts.iter().map(|contact| contact.2).collect(),
        given: vec![0.0; n],
        sliding,
        opposite: vec![None; n],
    }
}

/// The same problem with its contacts in another order.
fn permuted(problem: &Problem, order: &[usize]) -> Problem {
    let n = order.len();
    let at = |r: usize| if r < n { order[r] } else { n + order[r - n] };
    let rows = |x: &[f64]| (0..2 * n).map(|r| x[at(r)]).collect();
    Problem {
        delassus: Matrix::from_fn(2 * n, 2 * n, |i, j| problem.delassus[(at(i), at(j))]),
        free: rows(&problem.free),
        scale: rows(&problem.scale),
        friction: order.iter().map(|&i| problem.friction[i]).collect(),
        given: vec![0.0; n],
        sliding: order.iter().map(|&i| problem.sliding[i]).collect(),
        opposite: vec![None; n],
    }
}

/// How far accelerations are apart, over the size of their terms; those along the surface count where there is friction.
fn distance(problem: &Problem, a: (&[f64], &[f64]), b: &Proved) -> f64 {
    let n = problem.contacts();
    let size = |r: usize| {
        let forces = (0..2 * n).map(|j| (problem.delassus[(r, j)] * b.forces[j]).abs());
        forces.fold(problem.scale[r].max(f64::MIN_POSITIVE), f64::max)
    };
    let own = |r: usize| if r < n { a.0[r] } else { a.1[r - n] };
    let counts = |r: &usize| *r < n || problem.sliding[*r - n] != Sliding::Smooth;
    (0..2 * n).filter(counts).map(|r| (own(r) - b.accelerations[r]).abs() / size(r)).fold(0.0, f64::max)
}

/// By how much a solution violates the laws, relative to its terms.
fn violation(problem: &Problem, balance: &Balance) -> f64 {
    let n = problem.contacts();
    let mut worst = 0.0_f64;
    for i in 0..n {
        let (force, pull) = (balance.normal[i], balance.tangential[i]);
        let size = |r: usize| {
            let forces = balance.normal.iter().chain(&balance.tangential).enumerate();
            let terms = forces.map(|(j, f)| (problem.delassus[(r, j)] * f).abs());
            terms.fold(problem.scale[r].max(f64::MIN_POSITIVE), f64::max)
        };
        let opens = balance.opening[i] / size(i);
        let largest = balance.normal.iter().fold(f64::MIN_POSITIVE, |m, f| m.max(f.abs()));
        let load = force / largest;
        worst = worst.max(-opens).max(-load).max(opens.min(load));
        if problem.sliding[i] == Sliding::Sticking {
            let slides = balance.slipping[i] / size(n + i);
            let reach = largest * problem.friction[i].max(1.0);
            let (low, high) =
                ((problem.friction[i] * force + pull) / reach, (problem.friction[i] * force - pull) / reach);
            worst = worst.max(-low).max(-high).max(slides.min(low)).max((-slides).min(high));
        }
    }
    worst
}

/// How many problems were compared, how many had several solutions, forces of many, or none.
#[derive(Debug, Default)]
struct Tally {
    all: usize,
    several: usize,
    redundant: usize,
    none: usize,
}

fn compare(dice: &mut Dice, most: usize, tally: &mut Tally) {
    let contacts = 1 + dice.below(most);
    let bodies = match dice.below(3) {
        0 => polygon(dice, contacts),
        1 => row(dice, contacts),
        _ => disc(dice, contacts),
    };
    let problem = problem(dice, &bodies);
    let n = problem.contacts();
    let (found, complete) = problem.solutions();
    let proved = corners(&problem);
    let story = || format!("{problem:?}\nfound {found:?}\nproved {proved:?}");
    assert!(complete, "{}", story());
    assert_eq!(found.is_empty(), proved.is_empty(), "{}", story());
    for balance in &found {
        assert!(violation(&problem, balance) < 1e-8, "{}\n{}", violation(&problem, balance), story());
    }
    // Of a continuum of motions the solver gives some only; that there are several is what both must know.
    let several = |corner: &Proved| distance(&problem, (&found[0].opening, &found[0].slipping), corner) >= 1e-7;
    assert_eq!(found.len() > 1, proved.iter().any(several), "{}", story());
    for corner in proved.iter().filter(|_| found.len() == 1) {
        let nearest =
            found.iter().map(|f| distance(&problem, (&f.opening, &f.slipping), corner)).fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-7, "{nearest:e}\n{}", story());
    }
    // Another order of the contacts changes neither accelerations nor forces.
    let mut order: Vec<usize> = (0..n).collect();
    (1..n).for_each(|i| order.swap(i, dice.below(i + 1)));
    let (other, _) = permuted(&problem, &order).solutions();
    assert_eq!(found.len().min(2), other.len().min(2), "{}\n{other:?}", story());
    for balance in found.iter().filter(|_| found.len() == 1) {
        let largest =
            (0..n).map(|i| problem.delassus[(i, i)].sqrt() * balance.normal[i].abs()).fold(f64::MIN_POSITIVE, f64::max);
        let apart = |own: &Balance| {
            let force = |k: usize| {
                let (unit, i) = (problem.delassus[(order[k], order[k])].sqrt(), order[k]);
                let normal = (own.normal[k] - balance.normal[i]).abs() * unit;
                let rubbed =
                    (own.tangential[k] - balance.tangential[i]).abs() * problem.delassus[(n + i, n + i)].sqrt();
                normal.max(rubbed)
            };
            (0..n).map(force).fold(0.0, f64::max) / largest
        };
        let nearest = other.iter().map(apart).fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-6, "{nearest:e} {order:?}\n{}\n{other:?}", story());
    }
    tally.all += 1;
    tally.several += usize::from(found.len() > 1);
    tally.redundant += usize::from(found.iter().any(|balance| balance.underdetermined));
    tally.none += usize::from(found.is_empty());
}

#[test]
fn random_contact_problems_agree_with_the_exhaustive_search() {
    let mut tally = Tally::default();
    let mut dice = Dice(7);
    (0..1500).for_each(|_| compare(&mut dice, 2, &mut tally));
    (0..100).for_each(|_| compare(&mut dice, 3, &mut tally));
    assert!(tally.redundant > 50, "{tally:?}");
}

#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_contact_problems_agree_with_the_exhaustive_search() {
    let mut tally = Tally::default();
    let mut dice = Dice(2026);
    (0..90_000).for_each(|_| compare(&mut dice, 2, &mut tally));
    (0..10_000).for_each(|_| compare(&mut dice, 3, &mut tally));
    println!("{tally:?}");
}
