//! Equivalent formulations of a body: other coordinates, other units, another order of its contacts, additional distant contacts, and parts of its mass that constraints carry along.
//!
//! With q = A Q and t = s T the equation M dv/dt = h is (A' M A) dV/dT = s^2 A' h, and both sides may be multiplied by any
//! unit of mass. The old names stay as definitions, so that no formula has to be rewritten.

use crate::body::{Body, Contact, Friction};
use crate::dice::Dice;
use crate::elements::Element;

/// A change of the words.
#[derive(Debug, Clone)]
pub struct Change {
    /// A in q = A Q, by rows.
    pub matrix: Vec<Vec<f64>>,
    /// s in t = s T.
    pub time: f64,
    /// The factor of M and h.
    pub mass: f64,
    /// The factor of every gap and track.
    pub gaps: Vec<f64>,
    /// The old position of every contact.
    pub order: Vec<usize>,
    /// How many contacts are added that never close.
    pub far: usize,
    /// Parts of the mass that become bodies of their own, which constraints carry along.
    pub riders: Vec<Rider>,
    /// Elements that change nothing.
    pub elements: Vec<Element>,
}

/// A part m of the mass with a coordinate z of its own, which a constraint keeps at a q_i + b sin q_j: what is left of the body has M - m J' J with the slopes J of that, and the force
/// h - m J' b sin(q_j) v_j^2, so that both together move as before.
#[derive(Debug, Clone)]
pub struct Rider {
    /// m.
    pub mass: f64,
    /// i and a.
    pub line: (usize, f64),
    /// j and b.
    pub bow: (usize, f64),
    /// Whether a second constraint says the same.
    pub again: bool,
    /// Whether the constraint is one with friction whose coefficient is zero; beside several contacts a few end by name, see the known limits.
    pub guided: bool,
}

impl Change {
    /// No change.
    pub fn none(body: &Body) -> Change {
        let (n, k) = (body.degrees(), body.contacts.len());
        let unit = |i: usize| (0..n).map(|j| f64::from(i == j)).collect();
        let matrix = (0..n).map(unit).collect();
        Change {
            matrix,
            time: 1.0,
            mass: 1.0,
            gaps: vec![1.0; k],
            order: (0..k).collect(),
            far: 0,
            riders: Vec::new(),
            elements: Vec::new(),
        }
    }

    /// Elements that change nothing.
    pub fn elements(body: &Body, path: (&[f64], &[f64], f64), dice: &mut Dice) -> Change {
        Change { elements: Element::some(body, path, dice), ..Change::none(body) }
    }

    /// Parts of the mass as riders; `masses` is M at the start.
    pub fn riders(body: &Body, masses: &[Vec<f64>], dice: &mut Dice) -> Change {
        let n = body.degrees();
        let mobility = inverse(masses);
        let mut share = 0.3;
        let draw = |_| {
            let (line, bow) = ((dice.below(n), dice.between(0.5, 1.5)), (dice.below(n), dice.between(-0.3, 0.3)));
            let mut slopes = vec![0.0; n];
            slopes[line.0] += line.1;
            slopes[bow.0] += bow.1.abs();
            let moved: f64 = (0..n)
                .flat_map(|i| (0..n).map(move |j| (i, j)))
                .map(|(i, j)| slopes[i] * mobility[i][j] * slopes[j])
                .sum();
            share *= 0.5;
            let mass = share * dice.between(0.2, 1.0) / moved.abs();
            Rider { mass, line, bow, again: dice.below(3) == 0, guided: dice.below(3) == 0 && body.contacts.len() < 2 }
        };
        let riders = (0..1 + usize::from(n > 1)).map(draw).collect();
        Change { riders, ..Change::none(body) }
    }

    /// Other coordinates: A = 1 + a random matrix small enough to be inverted.
    pub fn coordinates(body: &Body, dice: &mut Dice) -> Change {
        let mut change = Change::none(body);
        let n = body.degrees() as f64;
        for row in &mut change.matrix {
            row.iter_mut().for_each(|x| *x += dice.between(-0.7, 0.7) / n);
        }
        change
    }

    /// Other units of length, time, mass, and of every gap.
    pub fn units(body: &Body, dice: &mut Dice) -> Change {
        let mut change = Change::none(body);
        let mut unit = || dice.of_list(&[3.7e4, 2.3e-5, 17.3, 0.061, 1.0]);
        (change.time, change.mass) = (unit(), unit());
        let length = unit();
        for (i, row) in change.matrix.iter_mut().enumerate() {
            row[i] = length;
        }
        change.gaps.fill_with(unit);
        change
    }

    /// Another order of the contacts.
    pub fn order(body: &Body, dice: &mut Dice) -> Change {
        let mut change = Change::none(body);
        for last in (1..change.order.len()).rev() {
            change.order.swap(last, dice.below(last + 1));
        }
        change
    }

    /// Contacts far away.
    pub fn far(body: &Body, dice: &mut Dice) -> Change {
        Change { far: 1 + dice.below(2), ..Change::none(body) }
    }

    /// The body in the new words.
    pub fn apply(&self, body: &Body) -> Body {
        let n = body.degrees();
        let combined = |weights: &[f64], letter: char, factor: f64| {
            let terms = weights.iter().enumerate().filter(|(_, w)| **w != 0.0);
            let terms: Vec<String> = terms.map(|(j, w)| format!("({:?})*{letter}{j}", w * factor)).collect();
            terms.join(" + ")
        };
        let mut definitions = body.definitions.clone();
        for (i, row) in self.matrix.iter().enumerate() {
            definitions.push((format!("{}{i}", body.letters[0]), combined(row, 'Q', 1.0)));
            definitions.push((format!("{}{i}", body.letters[1]), combined(row, 'V', 1.0 / self.time)));
        }
        let sum = |terms: Vec<String>| if terms.is_empty() { "0".to_string() } else { terms.join(" + ") };
        let mass = |i: usize, j: usize| {
            let pairs = (0..n).flat_map(|k| (0..n).map(move |l| (k, l)));
            let terms = pairs.filter_map(|(k, l)| {
                let weight = self.mass * self.matrix[k][i] * self.matrix[l][j];
                (weight != 0.0 && body.mass[k][l] != "0").then(|| format!("({weight:?})*({})", body.mass[k][l]))
            });
            sum(terms.collect())
        };
        let force = |i: usize| {
            let factor = self.mass * self.time * self.time;
            let terms = (0..n).filter(|&k| self.matrix[k][i] != 0.0 && body.force[k] != "0");
            sum(terms.map(|k| format!("({:?})*({})", factor * self.matrix[k][i], body.force[k])).collect())
        };
        let scaled = |contact: &Contact, factor: f64| Contact {
            gap: format!("({factor:?})*({})", contact.gap),
            restitution: contact.restitution.clone(),
            friction: contact.friction.as_ref().map(|friction| Friction {
                track: format!("({factor:?})*({})", friction.track),
                belt: format!("({:?})*({})", factor * self.time, friction.belt),
                mu: friction.mu.clone(),
            }),
        };
        let far = (0..self.far).map(|k| Contact {
            gap: format!("1e5 + ({:?})*{}{}", 1.0 - 2.0 * (k % 2) as f64, body.letters[0], k % n),
            restitution: "0.5".to_string(),
            friction: None,
        });
        let inverse = inverse(&self.matrix);
        let start = |i: usize| {
            let (row, velocity) = (&inverse[i % n], i / n);
            let factor = if velocity == 1 { self.time } else { 1.0 };
            let terms = (0..n).filter(|&k| row[k] != 0.0 && body.start[velocity * n + k] != "0");
            sum(terms.map(|k| format!("({:?})*({})", factor * row[k], body.start[velocity * n + k])).collect())
        };
        let changed = Body {
            numbers: body.numbers.clone(),
            rate: body.rate.as_ref().map(|rate| format!("({:?})*({rate})", self.time)),
            definitions,
            letters: ['Q', 'V'],
            mass: (0..n).map(|i| (0..n).map(|j| mass(i.min(j), i.max(j))).collect()).collect(),
            force: (0..n).map(force).collect(),
            contacts: self.order.iter().map(|&k| scaled(&body.contacts[k], self.gaps[k])).chain(far).collect(),
            constraints: Vec::new(),
            tables: Vec::new(),
            phases: Vec::new(),
            poisson: body.poisson,
            start: (0..2 * n).map(start).collect(),
            until: body.until / self.time,
        };
        let split = self.riders.iter().fold(changed, |body, rider| rider.split(body, n));
        self.elements.iter().fold(split, |body, element| element.add(body))
    }

    /// A state (Q, V, phase) of the changed body, in the old words.
    pub fn back(&self, state: &[f64]) -> Vec<f64> {
        let n = self.matrix.len();
        let image = |rows: &[f64], factor: f64| -> Vec<f64> {
            self.matrix.iter().map(|row| row.iter().zip(rows).map(|(a, x)| a * x).sum::<f64>() * factor).collect()
        };
        let whole = n + self.riders.len() + self.elements.iter().map(Element::coordinates).sum::<usize>();
        let mut old = image(&state[..n], 1.0);
        old.extend(image(&state[whole..whole + n], 1.0 / self.time));
        old.extend_from_slice(&state[2 * whole..]);
        old
    }
}

impl Rider {
    /// A body with this part of its mass as a body of its own; its first `n` coordinates are those of the whole.
    fn split(&self, mut body: Body, n: usize) -> Body {
        let Rider { mass: m, line: (i, a), bow: (j, b), again, guided } = *self;
        let (q, v) = (body.letters[0], body.letters[1]);
        let slope = |k: usize| match (k == i, k == j) {
            (true, true) => format!("({a:?} + ({b:?})*cos({q}{j}))"),
            (true, false) => format!("({a:?})"),
            (false, true) => format!("(({b:?})*cos({q}{j}))"),
            (false, false) => "0".to_string(),
        };
        for k in [i, j] {
            let factor = if i == j { -0.5 * m * b } else { -m * b };
            body.force[k] = format!("{} + ({factor:?})*{}*sin({q}{j})*{v}{j}^2", body.force[k], slope(k));
        }
        for (k, row) in body.mass.iter_mut().enumerate().take(n) {
            for (l, entry) in row.iter_mut().enumerate().take(n) {
                if [i, j].contains(&k) && [i, j].contains(&l) {
                    *entry = format!("{entry} - ({m:?})*{}*{}", slope(k.min(l)), slope(k.max(l)));
                }
            }
        }
        let at = body.degrees();
        body.mass.iter_mut().for_each(|row| row.push("0".to_string()));
        body.mass.push((0..=at).map(|k| if k == at { format!("{m:?}") } else { "0".to_string() }).collect());
        body.force.push("0".to_string());
        let place = |q: &dyn Fn(usize) -> String| format!("({a:?})*({}) + ({b:?})*sin({})", q(i), q(j));
        let keep = format!("{q}{at} - ({})", place(&|k| format!("{q}{k}")));
        let start = place(&|k| body.start[k].clone());
        let speed =
            format!("({a:?})*({}) + ({b:?})*cos({})*({})", body.start[at + i], body.start[j], body.start[at + j]);
        body.start.insert(at, start);
        body.start.push(speed);
        if again {
            body.constraints.push(format!("\"({keep})*(2 + {q}{i}^2)\""));
        }
        // Friction without a coefficient is none; where a constraint holds by another one its force is not determined.
        let friction = match guided && !again {
            true => format!("\ntrack = \"{q}{at}\"\nfriction = {{ law = \"coulomb\", mu = 0 }}"),
            false => String::new(),
        };
        body.constraints.push(format!("\"{keep}\"{friction}"));
        body
    }
}

/// The inverse of a well conditioned matrix, by Gauss-Jordan elimination with pivots.
fn inverse(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut rows: Vec<Vec<f64>> = matrix.to_vec();
    for (i, row) in rows.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(i == j)));
    }
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs())).unwrap_or(k);
        rows.swap(k, pivot);
        let first: Vec<f64> = rows[k].iter().map(|x| x / rows[k][k]).collect();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = if i == k { 0.0 } else { row[k] };
            row.iter_mut().zip(&first).for_each(|(x, f)| *x -= factor * f);
        }
        rows[k] = first;
    }
    rows.into_iter().map(|row| row[n..].to_vec()).collect()
}
