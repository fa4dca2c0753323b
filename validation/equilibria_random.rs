//! Random smooth, switching and mechanical systems, whose equilibria are solutions of linear equations or roots that are given: each of them is found,
//! nothing else is, and what is left of every rate is rounding of its terms.

use crate::common::parse;
use crate::common::rough::Dice;
use saltation_motion::{ClosedSet, Side};
use saltation_orbit::Equilibrium;
use saltation_orbit::equilibrium::{Settings, find};

/// Members of the suite; `SALTATION_MEMBERS` asks for another number.
const MEMBERS: u64 = 300;
/// Rates are sums of few terms, each of few operations.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A random number of any size and sign, zero now and then.
fn number(dice: &mut Dice) -> f64 {
    match dice.below(6) {
        0 => 0.0,
        1 => 10.0_f64.powf(dice.between(-6.0, 6.0)) * dice.of(&[-1.0, 1.0]),
        _ => dice.between(-3.0, 3.0),
    }
}

/// A matrix far from singular, of any signs.
fn matrix(dice: &mut Dice, n: usize) -> Vec<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| dice.between(-1.0, 1.0)).collect()).collect();
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] = dice.of(&[-1.0, 1.0]) * (n as f64 + dice.unit());
    }
    rows
}

/// The solution of linear equations by Gauss's method, improved once by its residual.
fn solve(a: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let eliminate = |b: &[f64]| {
        let n = b.len();
        let (mut a, mut x) = (a.to_vec(), b.to_vec());
        for k in 0..n {
            let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
            a.swap(k, pivot);
            x.swap(k, pivot);
            for i in k + 1..n {
                let factor = a[i][k] / a[k][k];
                #[allow(clippy::needless_range_loop)]
                for j in k..n {
                    a[i][j] -= factor * a[k][j];
                }
                x[i] -= factor * x[k];
            }
        }
        for k in (0..n).rev() {
            let known: f64 = (k + 1..n).map(|j| a[k][j] * x[j]).sum();
            x[k] = (x[k] - known) / a[k][k];
        }
        x
    };
    let x = eliminate(b);
    let left: Vec<f64> =
        a.iter().zip(b).map(|(row, b)| b - row.iter().zip(&x).map(|(a, x)| a * x).sum::<f64>()).collect();
    x.iter().zip(eliminate(&left)).map(|(x, d)| x + d).collect()
}

/// The rates at a state and a sigma, each with its size.
type Rates = Box<dyn Fn(&[f64], f64) -> Vec<[f64; 2]>>;

/// A system with all its equilibria.
struct Member {
    text: String,
    known: Vec<Known>,
    /// The rates at a state and a multiplier, each with the size of its terms; the multiplier is the force of a contact, or the mean of the sides of a switch.
    rates: Rates,
}

struct Known {
    closed: ClosedSet,
    state: Vec<f64>,
    multiplier: f64,
    /// The least of what has to be positive; not a number where rounding may decide.
    margin: f64,
    /// The size of the terms that the closed form of the state consists of.
    size: f64,
}

/// The largest modulus.
fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// The sum of some terms and of their sizes.
fn sum(terms: impl IntoIterator<Item = f64>) -> [f64; 2] {
    terms.into_iter().fold([0.0; 2], |[sum, size], term| [sum + term, size + term.abs()])
}

fn linear_formula(row: &[f64], names: &[String], constant: f64) -> String {
    let terms: Vec<String> = row.iter().zip(names).map(|(a, x)| format!("({a:e})*{x}")).collect();
    format!("{} + ({constant:e})", terms.join(" + "))
}

fn table(name: &str, names: &[String], values: &[f64]) -> String {
    let lines: Vec<String> = names.iter().zip(values).map(|(x, v)| format!("{x} = {v:e}\n")).collect();
    format!("[{name}]\n{}", lines.concat())
}

fn names(letter: char, n: usize) -> Vec<String> {
    (1..=n).map(|i| format!("{letter}{i}")).collect()
}

/// x' = the product of a - x over simple roots a, times a factor that has none.
fn roots(dice: &mut Dice) -> Member {
    let mut roots: Vec<f64> = Vec::new();
    for _ in 0..1 + dice.below(3) {
        let root = number(dice);
        if roots.iter().all(|r| (r - root).abs() > 0.1) {
            roots.push(root);
        }
    }
    let factor = ["1", "exp(-x^2)", "1/(1 + x^2)", "(2 + cos(x))"][dice.below(4)];
    let product: Vec<String> = roots.iter().map(|r| format!("(({r:e}) - x)")).collect();
    let start = if dice.below(3) == 0 { roots[0] + dice.between(-1.0, 1.0) } else { number(dice) };
    let text = format!("[flow]\nx = \"{}*{factor}\"\n{}", product.join("*"), table("start", &["x".into()], &[start]));
    let known = roots.iter().map(|&r| Known {
        closed: ClosedSet::NONE,
        state: vec![r],
        multiplier: 0.0,
        margin: 1.0,
        size: r.abs(),
    });
    let own = roots.clone();
    let rates = move |state: &[f64], _: f64| {
        let x = state[0];
        // Beside a root the others are constant.
        let nearest = own.iter().copied().min_by(|a, b| (a - x).abs().total_cmp(&(b - x).abs())).unwrap();
        vec![[nearest - x, nearest.abs() + x.abs()]]
    };
    Member { text, known: known.collect(), rates: Box::new(rates) }
}

/// x' = A x + b + s sign(n.x - d).
fn switching(dice: &mut Dice) -> Member {
    let n = 1 + dice.below(3);
    let (a, x) = (matrix(dice, n), names('x', n));
    let mut vector = |n: usize| -> Vec<f64> { (0..n).map(|_| number(dice)).collect() };
    let (b, s, mut normal, start) = (vector(n), vector(n), vector(n), vector(n));
    normal[0] = 1.0;
    let d = number(dice);
    let smooth = dice.below(3) == 0;
    let s: Vec<f64> = if smooth { vec![0.0; n] } else { s };
    let rows: Vec<String> = (0..n)
        .map(|i| {
            let jump = match s[i] {
                0.0 => String::new(),
                s => format!(" + ({s:e})*sign({})", linear_formula(&normal, &x, -d)),
            };
            format!("{} = \"{}{jump}\"\n", x[i], linear_formula(&a[i], &x, b[i]))
        })
        .collect();
    let text = format!("[flow]\n{}{}", rows.concat(), table("start", &x, &start));
    let mut known = Vec::new();
    if s.iter().all(|s| *s == 0.0) {
        let state = solve(&a, &b.iter().map(|b| -b).collect::<Vec<f64>>());
        let size = largest(&state);
        known.push(Known { closed: ClosedSet::NONE, state, multiplier: 0.0, margin: 1.0, size });
    } else {
        for (side, sign) in [(Side::Positive, 1.0), (Side::Negative, -1.0)] {
            let state = solve(&a, &b.iter().zip(&s).map(|(b, s)| -b - sign * s).collect::<Vec<f64>>());
            let [value, size] = sum(normal.iter().zip(&state).map(|(n, x)| n * x).chain([-d]));
            let closed = ClosedSet::NONE.with_side(0, side);
            let (margin, size) = (sign * value / size, largest(&state));
            known.push(Known { closed, state, multiplier: sign, margin, size });
        }
        // A x + b + s m = 0 with n.x = d: one linear equation for m.
        let (from_b, from_s) = (solve(&a, &b), solve(&a, &s));
        let dot = |x: &[f64]| sum(normal.iter().zip(x).map(|(n, x)| n * x));
        let ([constant, _], [slope, size]) = (dot(&from_b), dot(&from_s));
        let [push, pushes] = dot(&s);
        // Where the rate of n.x does not jump at all, sliding is of second order.
        if slope.abs() > 1e-3 * size && (push.abs() > 1e-3 * pushes || pushes == 0.0) {
            let m = (-d - constant) / slope;
            let state = from_b.iter().zip(&from_s).map(|(b, s)| -b - s * m).collect();
            let closed = ClosedSet::NONE.with_side(0, Side::Sliding);
            // The multiplier comes from the jump of the rates, a difference of all their terms.
            let size = (1.0 + m.abs()) * (largest(&from_b) + m.abs().max(1.0) * largest(&from_s));
            // Where the jump hardly points across the surface rounding has its say.
            let across = push.abs() > 1e-5 * largest(&normal) * largest(&s);
            let margin = if across { 1.0 - m.abs() } else { f64::NAN };
            known.push(Known { closed, state, multiplier: f64::NAN, margin, size });
        }
    }
    let rates = move |state: &[f64], m: f64| {
        let strongest = (0..n).max_by(|&i, &j| s[i].abs().total_cmp(&s[j].abs())).unwrap();
        let still = |i: usize| -sum(a[i].iter().zip(state).map(|(a, x)| a * x).chain([b[i]]))[0] / s[i];
        let (m, many) = if m.is_nan() { (still(strongest), 1.0 + still(strongest).abs()) } else { (m, 1.0) };
        let own = |i: usize| {
            let [rate, size] = sum(a[i].iter().zip(state).map(|(a, x)| a * x).chain([b[i], s[i] * m, s[i], -s[i]]));
            [rate, many * size]
        };
        (0..n).map(own).collect()
    };
    Member { text, known, rates: Box::new(rates) }
}

/// Masses on springs of any sign, one of them with a wall: x'' = A x - c v + b.
fn mechanical(dice: &mut Dice) -> Member {
    let n = 1 + dice.below(3);
    let (a, x, v) = (matrix(dice, n), names('x', n), names('v', n));
    let mut vector = |n: usize| -> Vec<f64> { (0..n).map(|_| number(dice)).collect() };
    let (b, mut start) = (vector(n), vector(n));
    let (wall, c) = (number(dice), dice.between(0.0, 0.5));
    start[0] = start[0].max(wall);
    let quoted = |list: &[String]| list.iter().map(|x| format!("\"{x}\"")).collect::<Vec<String>>().join(", ");
    let forces: Vec<String> = (0..n).map(|i| format!("{} - {c:e}*{}", linear_formula(&a[i], &x, b[i]), v[i])).collect();
    let mass: Vec<String> = (0..n)
        .map(|i| format!("[{}]", (0..n).map(|j| if i == j { "1" } else { "0" }).collect::<Vec<_>>().join(", ")))
        .collect();
    let text = format!(
        "[mechanics]\ncoordinates = [{}]\nvelocities = [{}]\nM = [{}]\nh = [{}]\n\
         [contacts.wall]\ngap = \"x1 - ({wall:e})\"\nrestitution = 0\n{}{}",
        quoted(&x),
        quoted(&v),
        mass.join(", "),
        quoted(&forces),
        table("start", &x, &start),
        v.iter().map(|v| format!("{v} = 0\n")).collect::<String>(),
    );
    let still = |x: Vec<f64>| x.into_iter().chain(std::iter::repeat_n(0.0, n)).collect::<Vec<f64>>();
    let free = solve(&a, &b.iter().map(|b| -b).collect::<Vec<f64>>());
    let margin = (free[0] - wall) / (free[0].abs() + wall.abs());
    let size = largest(&free);
    let mut known = vec![Known { closed: ClosedSet::NONE, state: still(free), multiplier: 0.0, margin, size }];
    // x1 is the wall, the others follow from their rows, and the force from the first one.
    let rows: Vec<Vec<f64>> = a[1..].iter().map(|row| row[1..].to_vec()).collect();
    let right: Vec<f64> = (1..n).map(|i| -b[i] - a[i][0] * wall).collect();
    let others = solve(&rows, &right);
    let pressed: Vec<f64> = std::iter::once(wall).chain(others).collect();
    let [force, size] = sum(a[0].iter().zip(&pressed).map(|(a, x)| -a * x).chain([-b[0]]));
    let closed = ClosedSet::NONE.with(0);
    let (margin, size) = (force / size, largest(&pressed).max(largest(&b)));
    known.push(Known { closed, state: still(pressed), multiplier: force, margin, size });
    let rates = move |state: &[f64], force: f64| {
        let push = |i: usize| if i == 0 { force } else { 0.0 };
        let row = |i: usize| sum(a[i].iter().zip(state).map(|(a, x)| a * x).chain([b[i], push(i), -c * state[n + i]]));
        (0..n).map(|i| [state[n + i], 0.0]).chain((0..n).map(row)).collect()
    };
    Member { text, known, rates: Box::new(rates) }
}

/// Masses on springs and one that no spring holds, pressed on the last of them: x'' = A x - c v + b - lambda e, y'' = lambda - p - c w with
/// lambda = p in contact. In flight there is no equilibrium. Lengths and times in any unit.
fn pressed(dice: &mut Dice) -> Member {
    let n = 1 + dice.below(3);
    let (mut a, mut x, mut v) = (matrix(dice, n), names('x', n), names('v', n));
    let (length, time) = (dice.of(&[1.0, 1.0, 1e-9, 1e6]), dice.of(&[1.0, 1.0, 1e-6, 1e3]));
    a.iter_mut().flatten().for_each(|a| *a /= time * time);
    let acceleration = length / (time * time);
    let mut zero_or = |low: f64, high: f64| if dice.chance(0.4) { 0.0 } else { dice.between(low, high) };
    let b: Vec<f64> = (0..n).map(|_| zero_or(-3.0, 3.0) * acceleration).collect();
    let c = zero_or(0.0, 0.5) / time;
    let mut start: Vec<f64> = (0..n).map(|_| zero_or(-3.0, 3.0) * length).collect();
    start.push(start[n - 1] + zero_or(0.0, 1.0) * length);
    let (wide, other) = (dice.between(0.0, 1.0) * length, dice.between(0.1, 3.0) * acceleration);
    // Now and then the spring has nothing to do: its mass rests at zero.
    let force = if n == 1 && b[0] > 0.0 { b[0] } else { other };
    x.push("y".into());
    v.push("w".into());
    let quoted = |list: &[String]| list.iter().map(|x| format!("\"{x}\"")).collect::<Vec<String>>().join(", ");
    let mut forces: Vec<String> =
        (0..n).map(|i| format!("{} - {c:e}*{}", linear_formula(&a[i], &x, b[i]), v[i])).collect();
    forces.push(format!("-({force:e}) - {c:e}*w"));
    let text = format!(
        "[mechanics]\ncoordinates = [{}]\nvelocities = [{}]\nM = {{ diagonal = [{}] }}\nh = [{}]\n\
         [contacts.wall]\ngap = \"y - x{n} + {wide:e}\"\nrestitution = 0\n{}{}",
        quoted(&x),
        quoted(&v),
        vec!["1"; n + 1].join(", "),
        quoted(&forces),
        table("start", &x, &start),
        v.iter().map(|v| format!("{v} = 0\n")).collect::<String>(),
    );
    let right: Vec<f64> = (0..n).map(|i| if i + 1 == n { force - b[i] } else { -b[i] }).collect();
    let mut state = solve(&a, &right);
    state.push(state[n - 1] - wide);
    let size = largest(&state).max(length);
    state.extend(std::iter::repeat_n(0.0, n + 1));
    let known = vec![Known { closed: ClosedSet::NONE.with(0), state, multiplier: force, margin: 1.0, size }];
    let rates = move |state: &[f64], multiplier: f64| {
        let push = |i: usize| if i + 1 == n { -multiplier } else { 0.0 };
        let speed = |i: usize| -c * state[n + 1 + i];
        let row = |i: usize| sum(a[i].iter().zip(state).map(|(a, x)| a * x).chain([b[i], push(i), speed(i)]));
        let last = sum([multiplier, -force, speed(n)]);
        (0..=n).map(|i| [state[n + 1 + i], 0.0]).chain((0..n).map(row)).chain([last]).collect()
    };
    Member { text, known, rates: Box::new(rates) }
}

/// Whether an equilibrium is in the mode of a known one.
fn in_mode(rest: &Equilibrium, known: &Known) -> bool {
    let (own, side) = (rest.closed.sides(), known.closed.sides());
    rest.closed.contacts() == known.closed.contacts() && (!side.knows(0) || side.of(0) == own.of(0))
}

/// How far an equilibrium is from a known one, relative to the terms of that.
fn far(rest: &Equilibrium, known: &Known) -> f64 {
    let apart = rest.state.iter().zip(&known.state).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    if apart == 0.0 { 0.0 } else { apart / known.size }
}

/// What is wrong with what is found, if anything.
fn wrong(member: &Member, found: &[Equilibrium]) -> Option<String> {
    for rest in found {
        let own = member.known.iter().filter(|known| in_mode(rest, known));
        let nearest = own.min_by(|a, b| far(rest, a).total_cmp(&far(rest, b)));
        let Some(known) = nearest else { return Some(format!("none in this mode: {rest:?}")) };
        let multiplier = rest.contact_forces.first().copied().unwrap_or(known.multiplier);
        let rates = (member.rates)(&rest.state, multiplier);
        let moving = rates.iter().any(|[rate, size]| rate.abs() > ROUNDING * size);
        if far(rest, known) > 1e-10 || moving {
            return Some(format!("no equilibrium: {:?}, rates {rates:?}, but {:?}", rest.state, known.state));
        }
        if rest.residual > ROUNDING {
            return Some(format!("a residual of {:e} at {:?}", rest.residual, rest.state));
        }
        if !rest.isolated {
            return Some(format!("not isolated: {:?}", rest.state));
        }
        if known.margin.abs() > 1e-9 && rest.admissible != (known.margin > 0.0) {
            return Some(format!("admissible is {}, the margin {}", rest.admissible, known.margin));
        }
    }
    None
}

/// Draws a member, with whether all its equilibria are to be found.
type Family = (fn(&mut Dice) -> Member, bool);

/// Examines members of some families in turn.
fn examine(families: &[Family]) {
    let members = std::env::var("SALTATION_MEMBERS").ok().and_then(|n| n.parse().ok()).unwrap_or(MEMBERS);
    let (mut answered, mut failures) = (0, Vec::new());
    for index in 0..members {
        let mut dice = Dice(index);
        dice.next();
        let (family, all) = families[(index % families.len() as u64) as usize];
        let member = family(&mut dice);
        let text = format!("format = 1\nname = \"random\"\n{}", member.text);
        let (system, values) = parse(&text);
        let search = find(&system, &values, &Settings::default()).unwrap_or_else(|forced| panic!("{forced}"));
        // Linear equations have no other solutions to lead astray; of several roots those are found that are near, and nobody looks for a multiplier far
        // beyond its bounds.
        let missing = member.known.iter().find(|known| !search.equilibria.iter().any(|rest| in_mode(rest, known)));
        let missing =
            missing.filter(|known| all && known.margin > -10.0).map(|known| format!("not found: {:?}", known.state));
        answered += search.equilibria.len();
        if let Some(why) = wrong(&member, &search.equilibria).or(missing) {
            failures.push(format!("member {index}: {why}, {:?}\n{text}", search.missed));
        }
    }
    println!("{members} systems, {answered} equilibria, {} wrong", failures.len());
    assert!(
        failures.is_empty(),
        "{} of {members} wrong\n{}",
        failures.len(),
        failures[..failures.len().min(4)].join("\n")
    );
}

#[test]
fn nothing_but_the_equilibria_is_found() {
    examine(&[(roots, false), (switching, true), (mechanical, true)]);
}

#[test]
fn masses_that_contact_alone_holds_rest_where_their_forces_balance() {
    examine(&[(pressed, true)]);
}
