//! The contact problems of a system at any of its states.
//!
//! At a border (a force that has just become zero, a stick at the edge of its cone) the automaton decides which modes obey all laws from there on.

use saltation_model::{ImpactLaw, Together};
use saltation_numerics::dense::Matrix;
use saltation_numerics::number::Number;
use saltation_numerics::rounded::Rounded;

use super::analysis::{Analysis, ClosedContact, Collisions, Impact, NoProblem, Solution, Status, Touching};
use crate::contact::bordering::{bordering, mode_of};
use crate::contact::group::Group;
use crate::contact::law::BoundLaw;
use crate::contact::problem::{Balance, Does, Problem, Sliding};
use crate::contact::solved::Solved;
use crate::instant::knowledge::{EVALUATED, ROUNDING, SAME};
use crate::mode::expansion::Expansion;
use crate::mode::{ClosedSet, Slip};
use crate::settings::Settings;
use crate::system::System;
use crate::transition::automaton::Automaton;
use crate::transition::border::Border;
use crate::transition::collide::best;
use crate::transition::consistent::ConsistentMode;

/// The contact problems of a system at any of its states.
///
/// ```
/// use saltation_motion::problems::{Contacts, Status};
/// use saltation_motion::System;
/// # let text = saltation_model::gallery::find("painleve-rod").unwrap();
/// # let model = saltation_model::Model::parse(text, "painleve-rod").unwrap();
/// let system = System::new(&model);
/// let set = [("angle", "pi/3"), ("slip", "1")].map(|(name, value)| (name.to_string(), value.to_string())).to_vec();
/// let values = model.values(&saltation_model::Overrides { set, start: vec![] }).unwrap();
/// let mut contacts = Contacts::new(&system, values.parameters()).unwrap();
/// let analysis = contacts.at(values.start());
/// assert_eq!(analysis.status, Status::Inconsistent);
/// // Friction above (1 + 3 cos^2)/(3 sin cos) leaves no force; an impact without collision stops the tip.
/// assert!((analysis.contacts[0].critical_friction.unwrap() - 7.0 / (3.0 * 3f64.sqrt())).abs() < 1e-15);
/// assert!((analysis.impacts[0].tangential[0] + 0.4375).abs() < 1e-15);
/// ```
#[derive(Debug, Clone)]
pub struct Contacts<'s> {
    pub(super) system: &'s System,
    parameters: Vec<f64>,
    tolerance: f64,
    pub(super) group: Group,
    pub(super) laws: Vec<BoundLaw>,
    /// Flight, with the sizes of all terms.
    flight: Expansion<Rounded>,
    /// The rate of every state in flight.
    rates: Vec<f64>,
    /// The size of the terms of every velocity's rate in flight.
    pace: Vec<f64>,
}

impl<'s> Contacts<'s> {
    /// The contact problems of a system at values of its parameters.
    ///
    /// # Errors
    /// If it has none: it is a flow, or none of its contacts has friction or takes part in joint impacts.
    pub fn new(system: &'s System, parameters: &[f64]) -> Result<Contacts<'s>, NoProblem> {
        if system.contact_names.is_empty() {
            return Err(NoProblem::NoContacts);
        }
        if system.model().body.mechanics().is_none() {
            return Err(NoProblem::Flow);
        }
        if !system.coupled {
            return Err(NoProblem::Smooth);
        }
        let flight = &system.modes[0].tape;
        Ok(Contacts {
            system,
            parameters: parameters.to_vec(),
            tolerance: Settings::default().tolerance,
            group: Group::new(system, parameters),
            laws: system.laws.iter().map(|law| BoundLaw::new(law, parameters)).collect(),
            flight: Expansion::new(flight, &parameters.iter().map(|&p| Rounded::new(p)).collect::<Vec<_>>()),
            rates: vec![0.0; system.names.len()],
            pace: vec![0.0; system.velocities().len()],
        })
    }

    /// Sets the tolerance of the motions that decide at borders; 1e-12 unless said.
    pub fn with_tolerance(self, tolerance: f64) -> Contacts<'s> {
        Contacts { tolerance, ..self }
    }

    /// The system.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// Gives the parameters other values.
    pub fn set_parameters(&mut self, parameters: &[f64]) {
        self.parameters.clear();
        self.parameters.extend_from_slice(parameters);
        self.group.bind(self.system, parameters);
        for (bound, law) in self.laws.iter_mut().zip(&self.system.laws) {
            bound.bind(law, parameters);
        }
        let sized: Vec<Rounded> = parameters.iter().map(|&p| Rounded::new(p)).collect();
        self.flight.bind(&sized);
    }

    /// Which contacts touch at a state. Gaps and speeds that are rounding of the terms they consist of are zero.
    pub fn touching(&mut self, state: &[f64]) -> Touching {
        self.fly(state);
        let mut found = Touching::default();
        for (contact, (bound, law)) in self.laws.iter_mut().zip(&self.system.laws).enumerate() {
            let (gap, speed) = bound.surface(law, state);
            let gradient = bound.gradient();
            let size: f64 = gradient.iter().zip(state).map(|(g, x)| (g * x).abs()).sum();
            let terms = gradient.iter().zip(&self.rates).map(|(g, rate)| g * rate);
            let (sum, sizes) = terms.fold((0.0, 0.0), |(sum, sizes), term: f64| (sum + term, sizes + term.abs()));
            let pace = sizes + (speed - sum).abs();
            if gap < -ROUNDING * size {
                found.inside = found.inside.with(contact);
            } else if gap <= EVALUATED * size && speed < -EVALUATED * pace {
                found.striking = found.striking.with(contact);
            } else if gap <= EVALUATED * size && speed <= EVALUATED * pace {
                found.closed = found.closed.with(contact);
            } else if gap <= EVALUATED * size {
                found.opening = found.opening.with(contact);
            }
        }
        found.closed = self.slips(found.closed, state);
        found
    }

    /// g_N and g_N' of every contact at a state.
    pub fn gaps(&mut self, state: &[f64]) -> Vec<(f64, f64)> {
        let laws = self.laws.iter_mut().zip(&self.system.laws);
        laws.map(|(bound, law)| bound.surface(law, state)).collect()
    }

    /// Closed contacts with the slip that they have at a state, which has to lie on their surfaces.
    pub fn slips(&mut self, closed: ClosedSet, state: &[f64]) -> ClosedSet {
        let system = self.system;
        let fastest = system.velocities().iter().map(|&v| state[v].abs()).fold(0.0, f64::max);
        closed.iter().fold(ClosedSet::NONE, |set, contact| {
            self.group.look(system, contact, state);
            let touch = &self.group.touches[contact];
            let terms = touch.tangent().iter().zip(system.velocities()).map(|(w, &v)| (w * state[v]).abs());
            let size = terms.fold(fastest, f64::max);
            match system.has_friction(contact) && touch.slip().abs() > ROUNDING * size {
                true => set.with_slip(contact, Slip::of(touch.slip())),
                false => set.with(contact),
            }
        })
    }

    /// Everything about the contact problem at a state.
    pub fn at(&mut self, state: &[f64]) -> Analysis {
        let touching = self.touching(state);
        let closed = touching.closed;
        let contacts: Vec<ClosedContact> = closed.iter().map(|contact| self.contact(contact, closed, state)).collect();
        let (solutions, complete) = self.solutions(closed, state);
        let impacts = self.free_impacts(closed, state);
        let striking: Vec<usize> = touching.striking.iter().collect();
        let others = touching.opening.iter().fold(closed, ClosedSet::with);
        let collisions = (!striking.is_empty()).then(|| self.collisions(&striking, others, state));
        let status = Status::of(solutions.len());
        let inside = touching.inside.iter().collect();
        Analysis { contacts, closed, striking, inside, solutions, complete, status, impacts, collisions }
    }

    /// What is known of one contact at a state on its surface; `closed` has its slip.
    pub fn contact(&mut self, contact: usize, closed: ClosedSet, state: &[f64]) -> ClosedContact {
        self.group.look(self.system, contact, state);
        let touch = &self.group.touches[contact];
        let d_nn = f64::dot(touch.normal(), touch.normal_response());
        let d_nt = f64::dot(touch.normal(), touch.tangential_response());
        let d_tt = f64::dot(touch.tangent(), touch.tangential_response());
        let slip = closed.slip(contact);
        let friction = if slip.is_some() { touch.friction() } else { touch.holding() };
        let against = slip.map_or(d_nt.abs(), |slip| slip.sign() * d_nt);
        ClosedContact {
            contact,
            slip,
            slip_speed: touch.slip(),
            friction,
            d_nn,
            d_nt,
            d_tt,
            a: d_nn - friction * against,
            b: touch.acceleration(),
            slip_acceleration: touch.slip_acceleration(),
            critical_friction: (against > 0.0).then(|| d_nn / against),
        }
    }

    /// The status at a state on the surfaces of closed contacts with this slip, and the mode if there is only one.
    pub fn status(&mut self, closed: ClosedSet, state: &[f64]) -> (Status, ClosedSet) {
        if closed.is_empty() {
            return (Status::Unique, closed);
        }
        let contacts: Vec<usize> = closed.iter().collect();
        let (problem, found, _) = self.balances(closed, &contacts, state);
        if found.iter().any(|balance| balance.borderline.contains(&true)) {
            let modes = self.continuations(closed, &problem, &found, &contacts, state);
            return (Status::of(modes.len()), modes.first().map_or(closed, |&(mode, _)| mode));
        }
        let mode = found.first().map_or(closed, |balance| mode_of(&contacts, &balance.does));
        (Status::of(found.len()), mode)
    }

    /// All solutions of the problem of the accelerations, and whether all were looked for.
    fn solutions(&mut self, closed: ClosedSet, state: &[f64]) -> (Vec<Solution>, bool) {
        if closed.is_empty() {
            let (none, rates) = (Vec::new, self.rates.clone());
            let (normal, tangential, opening, slipping) = (none(), none(), none(), none());
            let mode = closed;
            let (underdetermined, borderline) = (false, false);
            let flight = Solution { mode, normal, tangential, opening, slipping, rates, underdetermined, borderline };
            return (vec![flight], true);
        }
        let contacts: Vec<usize> = closed.iter().collect();
        let (problem, found, complete) = self.balances(closed, &contacts, state);
        let is_border = |balance: &Balance| balance.borderline.contains(&true);
        let certain = || found.iter().enumerate().map(|(k, balance)| (mode_of(&contacts, &balance.does), k)).collect();
        let modes = match found.iter().any(is_border) {
            true => self.continuations(closed, &problem, &found, &contacts, state),
            false => certain(),
        };
        let solution = |(mode, k): (ClosedSet, usize)| {
            let balance = found[k].clone();
            let mut rates = self.rates.clone();
            self.push(&contacts, &balance, &mut rates);
            let borderline = is_border(&balance);
            let Balance { normal, tangential, mut opening, mut slipping, underdetermined, .. } = balance;
            for (k, &contact) in contacts.iter().enumerate().filter(|(_, contact)| mode.contains(**contact)) {
                opening[k] = 0.0;
                if self.system.has_friction(contact) && mode.slip(contact).is_none() {
                    slipping[k] = 0.0;
                }
            }
            Solution { mode, normal, tangential, opening, slipping, rates, underdetermined, borderline }
        };
        (modes.into_iter().map(solution).collect(), complete)
    }

    /// The problem of the accelerations with its solutions.
    fn balances(&mut self, closed: ClosedSet, contacts: &[usize], state: &[f64]) -> (Problem, Vec<Balance>, bool) {
        self.fly(state);
        for &contact in contacts {
            self.group.look(self.system, contact, state);
        }
        let mut problem = self.group.problem(self.system, contacts, &self.pace);
        for (k, &contact) in contacts.iter().enumerate() {
            let touch = &self.group.touches[contact];
            problem.free[k] = touch.acceleration();
            problem.free[contacts.len() + k] = touch.slip_acceleration();
            match closed.slip(contact) {
                Some(slip) => problem.sliding[k] = Sliding::Along(slip),
                None => problem.friction[k] = touch.holding(),
            }
        }
        let (mut found, complete) = problem.solutions();
        for balance in found.iter_mut().filter(|balance| balance.underdetermined && balance.borderline.contains(&true))
        {
            if let Some(inside) = least_forces(&problem, balance) {
                *balance = inside;
            }
        }
        (problem, found, complete)
    }

    /// Adds what the forces or impulses of contacts do to every velocity.
    fn push(&self, contacts: &[usize], balance: &Balance, rates: &mut [f64]) {
        for (place, &v) in self.system.velocities().iter().enumerate() {
            let mut rate = Rounded::new(rates[v]);
            for (k, &contact) in contacts.iter().enumerate() {
                let touch = &self.group.touches[contact];
                let [normal, tangential] = [balance.normal[k], balance.tangential[k]].map(Rounded::new);
                rate += normal * Rounded::new(touch.normal_response()[place])
                    + tangential * Rounded::new(touch.tangential_response()[place]);
            }
            // What is left of terms that cancel is rounding.
            rates[v] = if rate.exceeds(f64::EPSILON) { rate.value } else { 0.0 };
        }
    }

    /// The modes in which a motion can continue from a state, each with the solution that it belongs to.
    fn continuations(
        &self,
        closed: ClosedSet,
        problem: &Problem,
        found: &[Balance],
        contacts: &[usize],
        state: &[f64],
    ) -> Vec<(ClosedSet, usize)> {
        let values = self.system.model().numbers_at(&self.parameters, state).without_sections();
        let settings = Settings { tolerance: self.tolerance, ..Settings::default() };
        let mut automaton = Automaton::new(self.system, &values, settings);
        let mut state = state.to_vec();
        automaton.project_onto(closed, &mut state);
        automaton.now.state = state;
        let consistent = automaton.consistent_modes(closed, &[], &Border::default());
        // A mode in which contacts share their forces otherwise has the same accelerations.
        let moves_alike = |balance: &Balance, rates: &[f64]| {
            let mut moved = self.rates.clone();
            self.push(contacts, balance, &mut moved);
            self.system.velocities().iter().enumerate().all(|(place, &v)| {
                let forces = contacts.iter().enumerate().map(|(k, &contact)| {
                    let touch = &self.group.touches[contact];
                    (touch.normal_response()[place] * balance.normal[k]).abs()
                        + (touch.tangential_response()[place] * balance.tangential[k]).abs()
                });
                let terms = forces.fold(self.pace[place], f64::max);
                (moved[v] - rates[v]).abs() <= SAME * terms
            })
        };
        let mut belongs = |next: &ConsistentMode| {
            let own = found.iter().position(|balance| mode_of(contacts, &balance.does) == next.mode);
            own.or_else(|| found.iter().position(|balance| bordering(problem, balance, contacts).contains(&next.mode)))
                .or_else(|| {
                    let rates = automaton.rates_in(next);
                    found.iter().position(|balance| moves_alike(balance, &rates))
                })
        };
        consistent.iter().filter_map(|next| Some((next.mode, belongs(next)?))).collect()
    }

    /// The problem of the speeds after an impact.
    fn speed_problem(&mut self, contacts: &[usize], state: &[f64]) -> Problem {
        for &contact in contacts {
            self.group.look(self.system, contact, state);
        }
        let speeds: Vec<f64> = self.system.velocities().iter().map(|&v| state[v]).collect();
        let mut problem = self.group.problem(self.system, contacts, &speeds);
        for (k, &contact) in contacts.iter().enumerate() {
            problem.free[contacts.len() + k] = self.group.touches[contact].slip();
        }
        problem
    }

    fn impact(&self, contacts: &[usize], problem: &Problem, balance: Balance, state: &[f64]) -> Impact {
        let energy = 0.5 * problem.gained(&balance, &(0..contacts.len()).collect::<Vec<_>>());
        let mut after = state.to_vec();
        self.push(contacts, &balance, &mut after);
        let Balance { normal, tangential, opening, slipping, underdetermined, .. } = balance;
        Impact { normal, tangential, opening, slipping, after, energy, underdetermined }
    }

    /// All impacts without collision of closed contacts.
    fn free_impacts(&mut self, closed: ClosedSet, state: &[f64]) -> Vec<Impact> {
        let contacts: Vec<usize> = closed.iter().collect();
        let n = contacts.len();
        let problem = self.speed_problem(&contacts, state);
        let moves = |balance: &Balance| {
            (0..2 * n).any(|row| {
                let result = if row < n { balance.opening[row] } else { balance.slipping[row - n] };
                (result - problem.free[row]).abs() > MOVES * problem.scale[row]
            })
        };
        let found = if closed.is_empty() { Vec::new() } else { problem.solutions().0 };
        found.into_iter().filter(moves).map(|balance| self.impact(&contacts, &problem, balance, state)).collect()
    }

    /// The impact problem of contacts that close, while others touch.
    fn collisions(&mut self, striking: &[usize], others: ClosedSet, state: &[f64]) -> Collisions {
        let impacts = &self.system.model().impacts;
        let mut contacts = striking.to_vec();
        if impacts.together.is_law() {
            contacts.extend(others.iter());
            contacts.sort_unstable();
        }
        if impacts.together == Together::Sequence {
            let solutions = self.sequence(&contacts, state).into_iter().collect();
            return Collisions { contacts, solutions };
        }
        let mut problem = self.speed_problem(&contacts, state);
        for (k, &contact) in contacts.iter().enumerate() {
            let touch = &self.group.touches[contact];
            let newton = impacts.law == ImpactLaw::Newton && touch.speed() < 0.0;
            problem.free[k] = touch.speed() * if newton { 1.0 + touch.restitution() } else { 1.0 };
        }
        let (mut found, _) = problem.solutions();
        if impacts.law == ImpactLaw::Poisson {
            found = found.iter().flat_map(|first| self.given_back(&contacts, &problem, first)).collect();
        }
        let described = |balance: Balance| {
            let mut impact = self.impact(&contacts, &problem, balance, state);
            // With restitution the problem is that of g' + e g'(t-).
            for (k, &contact) in contacts.iter().enumerate() {
                impact.opening[k] += self.group.touches[contact].speed() - problem.free[k];
            }
            let n = contacts.len();
            let work = |k: usize| {
                let touch = &self.group.touches[contacts[k]];
                impact.normal[k] * (touch.speed() + impact.opening[k])
                    + impact.tangential[k] * (problem.free[n + k] + impact.slipping[k])
            };
            impact.energy = 0.5 * (0..n).map(work).sum::<f64>();
            impact
        };
        let solutions = found.into_iter().map(described).collect();
        Collisions { contacts, solutions }
    }

    /// What impacts one after another lead to, if each of them has a solution.
    fn sequence(&mut self, contacts: &[usize], state: &[f64]) -> Option<Impact> {
        let system = self.system;
        let mut solved = Solved::default();
        let mut solve = |problem: &Problem, contacts: &[usize]| best(&mut solved, problem, contacts);
        let before = (ClosedSet::NONE, state);
        let (collision, _) = self.group.one_after_another(system, contacts, before, &mut solve).ok()?;
        let mut after = state.to_vec();
        let speeds = |group: &mut Group, state: &[f64]| -> (Vec<f64>, Vec<f64>) {
            let of = contacts.iter().map(|&contact| {
                group.look(system, contact, state);
                (group.touches[contact].speed(), group.touches[contact].slip())
            });
            of.unzip()
        };
        let (closing, slid) = speeds(&mut self.group, state);
        self.group.collide(system, &collision, &mut after);
        let (normal, tangential): (Vec<f64>, Vec<f64>) = self.group.impulses.total.iter().copied().unzip();
        let (opening, slipping) = speeds(&mut self.group, &after);
        let along = |force: &[f64], before: &[f64], after: &[f64]| -> f64 {
            force.iter().zip(before.iter().zip(after)).map(|(force, (before, after))| force * (before + after)).sum()
        };
        let energy = 0.5 * (along(&normal, &closing, &opening) + along(&tangential, &slid, &slipping));
        Some(Impact { normal, tangential, opening, slipping, after, energy, underdetermined: false })
    }

    /// What follows a compression by Poisson's law: e times its normal impulses are given back, and more where contacts would penetrate otherwise
    /// (Glocker 2001). The impulses are those of both phases together.
    fn given_back(&self, contacts: &[usize], problem: &Problem, first: &Balance) -> Vec<Balance> {
        let mut second = problem.clone();
        for (k, &contact) in contacts.iter().enumerate() {
            second.given[k] = self.group.touches[contact].restitution() * first.normal[k];
            second.free[k] = first.opening[k];
            second.free[contacts.len() + k] = first.slipping[k];
        }
        let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a + b).collect();
        let together = |last: Balance| Balance {
            normal: sum(&first.normal, &last.normal),
            tangential: sum(&first.tangential, &last.tangential),
            underdetermined: first.underdetermined || last.underdetermined,
            ..last
        };
        second.solutions().0.into_iter().map(together).collect()
    }

    /// The rates of all states in flight.
    fn fly(&mut self, state: &[f64]) {
        let data: Vec<Rounded> = state.iter().map(|&x| Rounded::new(x)).collect();
        self.flight.expand(&data, 1);
        for (i, rate) in self.rates.iter_mut().enumerate() {
            *rate = self.flight.state(i)[1].value;
        }
        for (pace, &v) in self.pace.iter_mut().zip(self.system.velocities()) {
            *pace = self.flight.state(v)[1].size;
        }
    }
}

/// The smallest of all forces of sticking contacts that lead to the same motion, if these are at no border: one choice of many may be at one
/// where others are not.
fn least_forces(problem: &Problem, balance: &Balance) -> Option<Balance> {
    let n = problem.contacts();
    if balance.does.iter().any(|does| matches!(does, Does::Slip(_))) {
        return None;
    }
    let active: Vec<usize> = (0..2 * n).filter(|column| balance.does[column % n] == Does::Stick).collect();
    let matrix = Matrix::from_fn(2 * n, active.len(), |row, k| problem.delassus[(row, active[k])]);
    let accelerations = balance.opening.iter().chain(&balance.slipping);
    let wanted: Vec<f64> = accelerations.zip(&problem.free).map(|(a, b)| a - b).collect();
    let mut left = wanted.clone();
    let mut least = vec![0.0; active.len()];
    // The second time for what rounding has left.
    for _ in 0..2 {
        let more = matrix.least_squares(&left, ROUNDING).ok()?.x;
        least.iter_mut().zip(&more).for_each(|(force, more)| *force += more);
        let reached = matrix.times(&least).ok()?;
        left.iter_mut().zip(wanted.iter().zip(&reached)).for_each(|(left, (wanted, reached))| *left = wanted - reached);
    }
    let mut forces = vec![0.0; 2 * n];
    active.iter().zip(&least).for_each(|(&place, force)| forces[place] = *force);
    let inside = problem.judge(forces);
    let same = inside.does == balance.does && !inside.borderline.contains(&true);
    // Every law, as the forces are no solution of the complementarity problem by construction.
    let holds = (0..n).all(|i| {
        let (normal, tangential) = (inside.normal[i], inside.tangential[i]);
        inside.does[i] == Does::Open || normal > 0.0 && tangential.abs() <= problem.friction[i] * normal
    });
    (same && holds).then_some(Balance { underdetermined: true, ..inside })
}

/// Impulses that change speeds by less, relative to the terms that these consist of, are none.
const MOVES: f64 = 1e-9;
