//! Random bodies with friction: formulas for the program and the same formulas for the checks, from the same numbers.

use std::fmt::Write;

/// Numbers that look random (Vigna's SplitMix64).
pub(crate) struct Dice(pub u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between 0 and 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn of(&mut self, list: &[f64]) -> f64 {
        list[self.below(list.len())]
    }

    /// Whether something of this probability happens.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }
}

/// constant + sum slopes q + bend sin(q_bent).
#[derive(Debug, Clone)]
pub(crate) struct Surface {
    pub constant: f64,
    pub slopes: Vec<f64>,
    pub bent: usize,
    pub bend: f64,
}

impl Surface {
    pub(crate) fn value(&self, q: &[f64]) -> f64 {
        let linear: f64 = self.slopes.iter().zip(q).map(|(a, x)| a * x).sum();
        self.constant + linear + self.bend * q[self.bent].sin()
    }

    pub(crate) fn gradient(&self, q: &[f64]) -> Vec<f64> {
        let mut row = self.slopes.clone();
        row[self.bent] += self.bend * q[self.bent].cos();
        row
    }

    fn text(&self) -> String {
        let mut text = format!("L*({:e}", self.constant);
        for (i, a) in self.slopes.iter().enumerate() {
            write!(text, " + ({a:e})*q{i}/L").unwrap();
        }
        if self.bend != 0.0 {
            write!(text, " + ({:e})*sin(q{}/L)", self.bend, self.bent).unwrap();
        }
        text.push(')');
        text
    }
}

#[derive(Debug, Clone)]
pub(crate) struct RoughContact {
    pub gap: Surface,
    pub track: Surface,
    pub belt: f64,
    /// The amplitude of the belt's speed, which goes with cos(phi).
    pub shake: f64,
    pub restitution: f64,
    pub mu: f64,
    /// At great speed, and the speed of slip at which it is halfway between.
    pub falling: Option<(f64, f64)>,
    pub has_friction: bool,
}

impl RoughContact {
    pub(crate) fn slip(&self, q: &[f64], v: &[f64], phi: f64) -> f64 {
        let along: f64 = self.track.gradient(q).iter().zip(v).map(|(b, v)| b * v).sum();
        along - self.belt - self.shake * phi.cos()
    }

    pub(crate) fn friction(&self, slip: f64) -> f64 {
        match self.falling {
            Some((least, speed)) => least + (self.mu - least) / (1.0 + (slip / speed).powi(2)),
            None => self.mu,
        }
    }
}

/// M q'' = h with M constant but for one entry, h = f - K q - C q' + F cos(phi) + s sin(q_0).
#[derive(Debug, Clone)]
pub(crate) struct RoughBody {
    pub n: usize,
    pub mass: Vec<Vec<f64>>,
    pub swing: f64,
    pub constant: Vec<f64>,
    pub stiffness: Vec<Vec<f64>>,
    pub damping: Vec<Vec<f64>>,
    pub load: Vec<f64>,
    pub sine: Vec<f64>,
    pub omega: f64,
    pub contacts: Vec<RoughContact>,
    pub poisson: bool,
    pub start: (Vec<f64>, Vec<f64>),
}

impl RoughBody {
    pub(crate) fn mass(&self, q: &[f64]) -> Vec<Vec<f64>> {
        let mut mass = self.mass.clone();
        mass[0][0] += self.swing * q[self.n - 1].cos();
        mass
    }

    pub(crate) fn force(&self, q: &[f64], v: &[f64], phi: f64) -> Vec<f64> {
        (0..self.n)
            .map(|i| {
                let mut h = self.constant[i] + self.load[i] * phi.cos() + self.sine[i] * q[0].sin();
                for j in 0..self.n {
                    h -= self.stiffness[i][j] * q[j] + self.damping[i][j] * v[j];
                }
                h
            })
            .collect()
    }

    /// The model in units of which the natural ones of length, time and mass are so many.
    pub(crate) fn text(&self, length: f64, time: f64, mass: f64) -> String {
        let n = self.n;
        let mut text =
            format!("format = 1\nname = \"rough\"\n[parameters]\nL = {length:e}\nT = {time:e}\nm = {mass:e}\n");
        let forced = self.omega > 0.0;
        if forced {
            writeln!(text, "[phase.phi]\nrate = \"{:e}/T\"\nperiod = \"2*pi\"", self.omega).unwrap();
        }
        let names = |letter: &str| (0..n).map(|i| format!("\"{letter}{i}\"")).collect::<Vec<_>>().join(", ");
        writeln!(text, "[mechanics]\ncoordinates = [{}]\nvelocities = [{}]", names("q"), names("v")).unwrap();
        let row = |i: usize| {
            let entry = |j: usize| match (i, j) {
                (0, 0) => format!("\"m*({:e} + ({:e})*cos(q{}/L))\"", self.mass[0][0], self.swing, n - 1),
                _ => format!("\"m*({:e})\"", self.mass[i][j]),
            };
            format!("[{}]", (0..n).map(entry).collect::<Vec<_>>().join(", "))
        };
        writeln!(text, "M = [{}]", (0..n).map(row).collect::<Vec<_>>().join(", ")).unwrap();
        let force = |i: usize| {
            let mut h = format!("\"m*L/T^2*({:e}", self.constant[i]);
            if forced {
                write!(h, " + ({:e})*cos(phi)", self.load[i]).unwrap();
            }
            if self.sine[i] != 0.0 {
                write!(h, " + ({:e})*sin(q0/L)", self.sine[i]).unwrap();
            }
            for j in 0..n {
                write!(h, " - ({:e})*q{j}/L - ({:e})*v{j}*T/L", self.stiffness[i][j], self.damping[i][j]).unwrap();
            }
            h + ")\""
        };
        writeln!(text, "h = [{}]", (0..n).map(force).collect::<Vec<_>>().join(", ")).unwrap();
        for (k, contact) in self.contacts.iter().enumerate() {
            writeln!(
                text,
                "[contacts.c{k}]\ngap = \"{}\"\nrestitution = {:e}",
                contact.gap.text(),
                contact.restitution
            )
            .unwrap();
            if !contact.has_friction {
                continue;
            }
            writeln!(text, "track = \"{}\"", contact.track.text()).unwrap();
            let belt = match forced {
                true => format!("L/T*({:e} + ({:e})*cos(phi))", contact.belt, contact.shake),
                false => format!("L/T*({:e})", contact.belt),
            };
            writeln!(text, "belt = \"{belt}\"").unwrap();
            let mu = match contact.falling {
                None => format!("{:e}", contact.mu),
                Some((least, speed)) => {
                    let mut slip = format!("(0 - ({belt})*T/L");
                    for (j, b) in contact.track.slopes.iter().enumerate() {
                        write!(slip, " + ({b:e})*v{j}*T/L").unwrap();
                    }
                    if contact.track.bend != 0.0 {
                        let (b, j) = (contact.track.bend, contact.track.bent);
                        write!(slip, " + ({b:e})*cos(q{j}/L)*v{j}*T/L").unwrap();
                    }
                    slip.push(')');
                    format!("{least:e} + ({:e})/(1 + ({slip}/({speed:e}))^2)", contact.mu - least)
                }
            };
            writeln!(text, "friction = {{ law = \"coulomb\", mu = \"{mu}\" }}").unwrap();
        }
        if self.contacts.len() > 1 {
            let law = if self.poisson { "poisson" } else { "newton" };
            writeln!(text, "[impacts]\ntogether = \"lcp\"\nlaw = \"{law}\"").unwrap();
        }
        text.push_str("[start]\n");
        for i in 0..n {
            writeln!(text, "q{i} = {:e}\nv{i} = {:e}", self.start.0[i] * length, self.start.1[i] * length / time)
                .unwrap();
        }
        if forced {
            text.push_str("phi = 0\n");
        }
        text
    }
}

/// What a random body may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wild {
    /// The most contacts.
    pub contacts: usize,
    /// Whether friction may be 0, huge, or falling, and restitution tiny or one.
    pub extremes: bool,
}

/// A random body, with the contacts that touch at the start among others.
pub(crate) fn body(dice: &mut Dice, wild: Wild) -> RoughBody {
    let n = 2 + dice.below(3);
    let count = 1 + dice.below(wild.contacts);
    let lower: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            (0..n)
                .map(|j| match i.cmp(&j) {
                    std::cmp::Ordering::Equal => dice.between(0.5, 1.5),
                    std::cmp::Ordering::Greater => dice.between(-0.8, 0.8),
                    std::cmp::Ordering::Less => 0.0,
                })
                .collect()
        })
        .collect();
    let mass: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            (0..n)
                .map(|j| (0..n).map(|k| lower[i][k] * lower[j][k]).sum::<f64>() + if i == j { 0.2 } else { 0.0 })
                .collect()
        })
        .collect();
    let vector = |dice: &mut Dice, size: f64| (0..n).map(|_| dice.between(-size, size)).collect::<Vec<f64>>();
    let square = |dice: &mut Dice, size: f64, diagonal: f64| -> Vec<Vec<f64>> {
        (0..n)
            .map(|i| {
                (0..n)
                    .map(|j| dice.between(-size, size) + if i == j { dice.between(0.0, diagonal) } else { 0.0 })
                    .collect()
            })
            .collect()
    };
    let forced = dice.chance(0.4);
    let q = vector(dice, 1.0);
    let mut v = if dice.chance(0.3) { vec![0.0; n] } else { vector(dice, 1.5) };
    let mut contacts = Vec::new();
    for _ in 0..count {
        let bent = dice.below(n);
        let mut gap = Surface { constant: 0.0, slopes: vector(dice, 1.0), bent, bend: 0.0 };
        let bent = dice.below(n);
        let mut track = Surface { constant: 0.0, slopes: vector(dice, 1.0), bent, bend: 0.0 };
        if dice.chance(0.5) {
            gap.bend = dice.between(-0.3, 0.3);
            track.bend = dice.between(-0.3, 0.3);
        }
        let touches = dice.chance(0.6);
        gap.constant = -gap.value(&q) + if touches { 0.0 } else { dice.between(0.01, 0.6) };
        let mut contact = RoughContact {
            gap,
            track,
            belt: if dice.chance(0.5) { dice.between(-1.0, 1.0) } else { 0.0 },
            shake: if forced && dice.chance(0.4) { dice.between(-0.5, 0.5) } else { 0.0 },
            restitution: if dice.chance(0.4) { 0.0 } else { dice.between(0.1, 0.8) },
            mu: dice.between(0.05, 1.5),
            falling: None,
            has_friction: dice.chance(0.9),
        };
        if wild.extremes {
            if dice.chance(0.3) {
                contact.mu = dice.of(&[0.0, 1e-6, 3.0, 30.0, 1e3]);
            } else if dice.chance(0.3) {
                contact.falling = Some((contact.mu * dice.between(0.2, 0.9), dice.between(0.05, 0.5)));
            }
            if dice.chance(0.2) {
                contact.restitution = dice.of(&[1e-9, 1e-3, 0.95, 1.0]);
            }
        }
        if touches && dice.chance(0.6) {
            // The contact is closed: no opening speed, and perhaps no slip.
            let row = contact.gap.gradient(&q);
            let size: f64 = row.iter().map(|a| a * a).sum();
            let opening: f64 = row.iter().zip(&v).map(|(a, v)| a * v).sum();
            v.iter_mut().zip(&row).for_each(|(v, a)| *v -= opening / size * a);
        }
        contacts.push(contact);
    }
    RoughBody {
        n,
        mass,
        swing: if dice.chance(0.5) { 0.0 } else { dice.between(0.0, 0.15) },
        constant: vector(dice, 2.0),
        stiffness: square(dice, 0.3, 4.0),
        damping: square(dice, 0.05, 0.4),
        load: if forced { vector(dice, 2.0) } else { vec![0.0; n] },
        sine: if dice.chance(0.5) { vec![0.0; n] } else { vector(dice, 0.5) },
        omega: if forced { dice.between(0.5, 4.0) } else { 0.0 },
        contacts,
        poisson: dice.chance(0.5),
        start: (q, v),
    }
}

/// The solution of a small linear system of equations by elimination, or the least squares one; `None` if it is nearly singular.
pub(crate) fn least_squares(columns: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let k = columns.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    // Gram-Schmidt twice is enough.
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut upper = vec![vec![0.0; k]; k];
    for (j, column) in columns.iter().enumerate() {
        let mut rest = column.clone();
        for _ in 0..2 {
            for (i, b) in basis.iter().enumerate() {
                let share = dot(&rest, b);
                upper[i][j] += share;
                rest.iter_mut().zip(b).for_each(|(x, b)| *x -= share * b);
            }
        }
        let length = dot(&rest, &rest).sqrt();
        if length < 1e-3 * dot(column, column).sqrt() {
            return None;
        }
        upper[j][j] = length;
        basis.push(rest.iter().map(|x| x / length).collect());
    }
    let mut solution = vec![0.0; k];
    for i in (0..k).rev() {
        let known: f64 = (i + 1..k).map(|j| upper[i][j] * solution[j]).sum();
        solution[i] = (dot(&basis[i], right) - known) / upper[i][i];
    }
    Some(solution)
}
