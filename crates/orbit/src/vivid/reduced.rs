//! V and its derivatives in coordinates on the surfaces themselves, and the multipliers.
//!
//! On Sigma and on Pi one state each is a function of the others: the one that changes g, or v, most. For an oscillator with one
//! wall the coordinates on Sigma are velocity and phase and those on Pi displacement and phase, as in Ghosh & Simpson.

use saltation_numerics::dense;
use saltation_numerics::dense::{Complex, Elimination, Failure as Singularity, Matrix};

use super::{Vivid, largest};

/// V as a map of n - 1 coordinates on Sigma and the free parameters to n - 1 coordinates on Pi.
#[derive(Debug, Clone, PartialEq)]
pub struct Reduced {
    /// Which states are the coordinates on Sigma.
    pub on_surface: Vec<usize>,
    /// Which states are the coordinates on Pi.
    pub on_section: Vec<usize>,
    /// V.
    pub value: Vec<f64>,
    /// DV and its derivatives by the free parameters, (n - 1) x (n - 1 + f).
    pub derivative: Matrix,
    /// D(P_global^p o P_virt o Phi), (n - 1) x (n - 1).
    pub returned: Matrix,
    /// DP_virt, likewise.
    pub missed: Matrix,
    /// The opening speed at the impact.
    pub speed: f64,
    sizes: Vec<f64>,
    forced: bool,
}

impl Vivid<'_> {
    /// V on the surfaces where it was evaluated last.
    pub fn reduced(&self) -> Reduced {
        let (states, free, variation) = (self.states(), self.free(), &self.variation);
        let slopes = &variation.gap.gradient;
        let (own, left) = (largest(&slopes[..states], &self.sizes), self.left_out());
        let others = |left: usize| (0..states).filter(|&i| i != left).collect::<Vec<usize>>();
        let (on_surface, on_section) = (others(own), others(left));
        let unknowns: Vec<usize> = on_surface.iter().copied().chain(states..states + free).collect();
        // The state that is no coordinate moves along to keep g = 0.
        let restricted = |full: &Matrix, columns: usize| {
            Matrix::from_fn(states - 1, columns, |i, j| {
                let (row, column) = (on_section[i], unknowns[j]);
                full[(row, column)] - full[(row, own)] * slopes[column] / slopes[own]
            })
        };
        Reduced {
            value: on_section.iter().map(|&i| variation.value[i]).collect(),
            derivative: restricted(&variation.derivative, states - 1 + free),
            returned: restricted(&variation.returned.derivative, states - 1),
            missed: restricted(&variation.missed.derivative, states - 1),
            speed: variation.speed.value,
            sizes: on_section.iter().map(|&i| self.sizes[i]).collect(),
            forced: self.system().model().phase.is_some(),
            on_surface,
            on_section,
        }
    }
}

impl Reduced {
    /// D(P_global^p o P_virt o Phi) - sigma DP_virt: its determinant vanishes where sigma is a multiplier, and is smooth through
    /// impact speed zero.
    pub fn pencil(&self, sigma: f64) -> Matrix {
        let n = self.value.len();
        Matrix::from_fn(n, n, |i, j| self.returned[(i, j)] - sigma * self.missed[(i, j)])
    }

    /// DQ, Eq. (2.12): the derivative of the return map on Pi.
    ///
    /// # Errors
    /// At an impact of speed zero, where it has none.
    pub fn return_derivative(&self) -> Result<Matrix, Singularity> {
        if self.speed == 0.0 {
            return Err(Singularity::Singular);
        }
        let n = self.value.len();
        let mut elimination = Elimination::default();
        elimination.factor(&self.missed)?;
        let mut rows = Matrix::zeros(n, n);
        for i in 0..n {
            let row = rows.column_mut(i);
            (0..n).for_each(|j| row[j] = self.returned[(i, j)]);
            elimination.solve_transposed_in_place(row)?;
        }
        Ok(rows.transpose())
    }

    /// The multipliers of an orbit, largest modulus first; those of states other than the phase, with the trivial one of
    /// autonomous models.
    ///
    /// # Errors
    /// At an impact of speed zero, where they do not exist.
    pub fn multipliers(&self) -> Result<Vec<Complex>, Singularity> {
        let derivative = self.return_derivative()?;
        let n = self.value.len();
        let scaled = Matrix::from_fn(n, n, |i, j| derivative[(i, j)] * self.sizes[j] / self.sizes[i]);
        let mut values = scaled.eigenvalues()?;
        if !self.forced {
            let place = values.iter().position(|m| dense::modulus(m) < 1.0).unwrap_or(values.len());
            values.insert(place, Complex::new(1.0, 0.0));
        }
        Ok(values)
    }
}
