//! Evaluates V at an impact, with its derivatives by the state there and the free parameters.
//!
//! The points are those of Ghosh & Simpson, Fig. 1, the derivatives Eqs. (2.10) and (2.11) by the chain rule. Differences of
//! angles and of the phase are taken to the nearest number of turns.

use saltation_motion::extension::{Image, Slope};
use saltation_numerics::dense::Matrix;

use super::{Failure, Vivid};

/// V with all that it is made of, at a state x_1 before an impact. Every derivative is by x_1 and then the free parameters.
#[derive(Debug, Clone)]
pub struct Variation {
    /// x_0 = P_virt(x_1), on Pi.
    pub missed: Image,
    /// x_2 = Phi(x_1), on Sigma; its rate is not set.
    pub struck: Image,
    /// x_3 = P_virt(x_2), on Pi.
    pub left: Image,
    /// x_4 = P_global^p(x_3), on Pi.
    pub returned: Image,
    /// The times from x_1 to x_0, from x_2 to x_3 and from x_3 to x_4.
    pub times: [f64; 3],
    /// By how many periods every angle and the phase advance from x_0 to x_4.
    pub turns: Vec<f64>,
    /// V = x_4 - x_0 less the turns, for every state.
    pub value: Vec<f64>,
    /// Its derivative.
    pub derivative: Matrix,
    /// The gap at x_1.
    pub gap: Slope,
    /// The opening speed at x_1, negative for an impact.
    pub speed: Slope,
    /// The gradient of the opening speed at x_0: the normal of Pi.
    pub normal: Vec<f64>,
}

impl Variation {
    pub(super) fn new(states: usize, free: usize) -> Variation {
        let image = Image::new(states, free);
        let slope = Slope { value: 0.0, gradient: vec![0.0; states + free] };
        Variation {
            missed: image.clone(),
            struck: image.clone(),
            left: image.clone(),
            returned: image,
            times: [0.0; 3],
            turns: vec![0.0; states],
            value: vec![0.0; states],
            derivative: Matrix::zeros(states, states + free),
            gap: slope.clone(),
            normal: slope.gradient.clone(),
            speed: slope,
        }
    }

    /// The time of one period, from impact to impact, if V is zero.
    pub fn period(&self) -> f64 {
        self.times[1] + self.times[2] - self.times[0]
    }
}

/// The derivative of a piece behind what led to it.
fn compose(piece: &Image, before: &Matrix, end: &mut Image) {
    let states = piece.state.len();
    end.state.copy_from_slice(&piece.state);
    end.rate.copy_from_slice(&piece.rate);
    for j in 0..before.columns() {
        for i in 0..states {
            let own = if j < states { 0.0 } else { piece.derivative[(i, j)] };
            end.derivative[(i, j)] = (0..states).fold(own, |sum, l| sum + piece.derivative[(i, l)] * before[(l, j)]);
        }
    }
}

impl Vivid<'_> {
    /// V and all its parts at unknowns.
    ///
    /// # Errors
    /// If V has no value there.
    ///
    /// # Panics
    /// If there are not as many unknowns as states and free parameters.
    pub fn vary(&mut self, unknowns: &[f64]) -> Result<&Variation, Failure> {
        assert_eq!(unknowns.len(), self.sizes.len(), "one unknown per state and free parameter");
        if !unknowns.iter().all(|x| x.is_finite()) {
            return Err(Failure::NotFinite);
        }
        let states = self.states();
        let (state, free) = unknowns.split_at(states);
        self.bind(free);
        let Vivid { maps, variation, step, periods, loops, .. } = self;
        maps.surface(state);
        variation.gap.clone_from(&maps.gap);
        variation.speed.clone_from(&maps.speed);
        variation.times[0] = maps.virtual_map(state, &mut variation.missed)?;
        variation.normal.clone_from(&maps.speed.gradient);
        maps.flow.strike(maps.contact, state, &mut variation.struck);
        variation.times[1] = maps.virtual_map(&variation.struck.state, step)?;
        compose(step, &variation.struck.derivative, &mut variation.left);
        variation.times[2] = maps.global_map(&variation.left.state, *loops, step)?;
        compose(step, &variation.left.derivative, &mut variation.returned);
        let (from, to) = (&variation.missed, &variation.returned);
        for (i, period) in periods.iter().enumerate() {
            let difference = to.state[i] - from.state[i];
            let turns = if period.value > 0.0 { (difference / period.value).round() } else { 0.0 };
            variation.turns[i] = turns;
            variation.value[i] = difference - turns * period.value;
            for j in 0..unknowns.len() {
                let turned = if j < states { 0.0 } else { turns * period.tangent[j - states] };
                variation.derivative[(i, j)] = to.derivative[(i, j)] - from.derivative[(i, j)] - turned;
            }
        }
        Ok(variation)
    }

    /// V and all its parts where they were evaluated last.
    pub fn variation(&self) -> &Variation {
        &self.variation
    }
}
