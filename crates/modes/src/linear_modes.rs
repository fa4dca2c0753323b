//! Linear modes of the structure without contact: frequencies, shapes, and their shares in the gap.
//!
//! With K Φ = M Φ Ω², Φ' M Φ = 1 and u = u₀ + Φ η the flight is η_p'' + ω_p² η_p = 0, and the gap is
//!
//! ```text
//! g = g₀ + √G Σ q_p η_p,    G = w₁' M⁻¹ w₁,    q = Φ' w₁/√G,    Σ q_p² = 1.
//! ```
//!
//! An elastic impact with opening speed γ⁻ adds 2 q_p λ to dη_p/dt, λ = -γ⁻/√G.

use saltation_numerics::dense::Matrix;
use saltation_numerics::pencil::{self, Entry, Pencil, PencilError};

/// The linear modes that a contact moves, with their shares in it.
///
/// ```
/// use saltation_modes::LinearModes;
/// // One unit mass on a unit spring, a wall at distance 2.
/// let modes = LinearModes::new(1, &[(0, 0, 1.0)], &[(0, 0, 1.0)], &[-1.0], 2.0)?;
/// assert_eq!((modes.frequencies(), modes.gap()), (&[1.0][..], 2.0));
/// # Ok::<(), saltation_modes::StructureError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LinearModes {
    /// ω_p, growing, of the modes that the contact moves.
    frequencies: Vec<f64>,
    /// q_p of these, positive.
    shares: Vec<f64>,
    /// q_p², which add up to 1.
    squares: Vec<f64>,
    /// Φ of these, a column each, with signs such that the shares are positive.
    shapes: Matrix,
    /// All ω of the structure, growing.
    all_frequencies: Vec<f64>,
    /// Where those of the modes that the contact moves stand among them.
    numbers: Vec<usize>,
    /// √G.
    root_mobility: f64,
    /// g₀.
    gap: f64,
    /// The backward error of the linear modes.
    residual: f64,
    /// Whether they were refined.
    refined: bool,
    /// The relative error of every frequency: of the modes that the contact moves, and of all.
    uncertainties: Vec<f64>,
    all_uncertainties: Vec<f64>,
}

/// The reason for which a structure has no nonsmooth modes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StructureError {
    /// There are no degrees of freedom, or the normal has not one weight for each.
    #[error("the structure has {degrees} degrees of freedom and the normal {weights} weights")]
    Shape {
        /// Degrees of freedom.
        degrees: usize,
        /// Entries of the normal.
        weights: usize,
    },
    /// No mode moves the contact, or its normal or gap is not finite.
    #[error("the gap does not depend on any degree of freedom, or its numbers are too large")]
    NoContact,
    /// M or the eigenvalues.
    #[error(transparent)]
    Pencil(#[from] PencilError),
    /// K is not positive definite.
    #[error(
        "K is not positive definite{}: its lowest eigenvalue over M is {eigenvalue:?}",
        if *eigenvalue > 0.0 { " as far as the rounding of its entries tells" } else { "" }
    )]
    NotStiff {
        /// The lowest eigenvalue.
        eigenvalue: f64,
    },
}

/// A share q² above this is kept even if its error is large: the shares of neighbouring modes that rounding mixes add up.
const SMALLEST_SHARE: f64 = 1e-12;

/// Rounding of a frequency itself, relatively.
const FREQUENCY_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// A sum of n terms is known to this times n and their sizes.
const UNIT: f64 = 0.5 * f64::EPSILON;

/// The amplification of the entries' rounding errors in the shapes and their products with the contact.
struct Sensitivity {
    /// x_p' diag(|K| 1) x_p and x_p' diag(|M| 1) x_p of every mode: √(κ_r κ_p) is not below |x_r|' |K| |x_p|.
    stiff: Vec<f64>,
    moved: Vec<f64>,
}

impl Sensitivity {
    fn new(pencil: &Pencil, mass: &[Entry], stiffness: &[Entry]) -> Sensitivity {
        let n = pencil.eigenvalues.len();
        let sums = |entries: &[Entry]| {
            let mut sums = vec![0.0; n];
            entries.iter().for_each(|&(i, _, a)| sums[i] += a.abs());
            let square = |p: usize| pencil.vectors.column(p).iter().zip(&sums).map(|(x, s)| x * x * s).sum::<f64>();
            (0..n).map(square).collect::<Vec<f64>>()
        };
        Sensitivity { stiff: sums(stiffness), moved: sums(mass) }
    }

    /// The change of φ_p'w due to half a unit in the last place of every entry: through other modes r than those
    /// that vibrate with it, x_r'(δK - λ δM) x_p/(λ_p - λ_r) of each.
    fn of_share(&self, pencil: &Pencil, felt: &[f64], p: usize, together: std::ops::RangeInclusive<usize>) -> f64 {
        let values = &pencil.eigenvalues;
        let through = |r: usize| {
            let moved = (self.stiff[r] * self.stiff[p]).sqrt() + values[p] * (self.moved[r] * self.moved[p]).sqrt();
            felt[r].abs() * UNIT * moved / (values[p] - values[r]).abs()
        };
        (0..values.len()).filter(|r| !together.contains(r)).map(through).sum()
    }
}

impl LinearModes {
    /// The linear modes of M u'' + K u = 0 that move the gap w₁·u + g₀, for n × n matrices by their entries.
    ///
    /// # Errors
    /// If the normal has not n weights, all of them are 0, or M or K is not positive definite.
    pub fn new(
        n: usize,
        mass: &[Entry],
        stiffness: &[Entry],
        normal: &[f64],
        gap: f64,
    ) -> Result<LinearModes, StructureError> {
        if n == 0 || normal.len() != n {
            return Err(StructureError::Shape { degrees: n, weights: normal.len() });
        }
        if !gap.is_finite() || !normal.iter().all(|w| w.is_finite()) {
            return Err(StructureError::NoContact);
        }
        let pencil = pencil::symmetric(n, mass, stiffness)?;
        let (lowest, highest) = (pencil.eigenvalues[0], pencil.eigenvalues[n - 1]);
        // An eigenvalue below its error may be zero.
        let known =
            lowest > 0.0 && pencil.uncertainties[0] < 1.0 && (pencil.refined || lowest > f64::EPSILON * highest);
        if !known {
            return Err(StructureError::NotStiff { eigenvalue: lowest });
        }
        let all_uncertainties: Vec<f64> = pencil.uncertainties.iter().map(|part| 0.5 * part).collect();
        let all_frequencies: Vec<f64> = pencil.eigenvalues.iter().map(|value| value.sqrt()).collect();
        // Φ' w₁, and the vibrations that go together.
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let felt: Vec<f64> = (0..n).map(|p| dot(pencil.vectors.column(p), normal)).collect();
        // In units of the largest, so that the squares exist.
        let largest = felt.iter().fold(0.0_f64, |largest, f| largest.max(f.abs()));
        if !(largest > 0.0 && largest.is_finite()) {
            return Err(StructureError::NoContact);
        }
        let felt: Vec<f64> = felt.iter().map(|f| f / largest).collect();
        let mobility = dot(&felt, &felt);
        let sensitivity = Sensitivity::new(&pencil, mass, stiffness);
        // Products of shapes and weights, whose terms may cancel.
        let sizes = |p: usize| pencil.vectors.column(p).iter().zip(normal).map(|(x, w)| (x * w).abs()).sum::<f64>();
        let (mut frequencies, mut squares, mut shapes, mut numbers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut uncertainties = Vec::new();
        let mut p = 0;
        while p < n {
            let same = |r: &usize| {
                let known = all_uncertainties[*r] + all_uncertainties[p] + FREQUENCY_ROUNDING;
                all_frequencies[*r] - all_frequencies[p] <= known * all_frequencies[p]
            };
            let last = (p..n).take_while(same).last().unwrap_or(p);
            let square = felt[p..=last].iter().map(|f| f * f / mobility).sum::<f64>();
            let silent: f64 = (p..=last)
                .map(|r| sensitivity.of_share(&pencil, &felt, r, p..=last) + UNIT * n as f64 * sizes(r) / largest)
                .map(|share| share * share / mobility)
                .sum();
            if square > silent.min(SMALLEST_SHARE) {
                let length = (square * mobility).sqrt();
                let mut shape = vec![0.0; n];
                for (r, felt) in felt.iter().enumerate().take(last + 1).skip(p) {
                    let share = felt / length;
                    shape.iter_mut().zip(pencil.vectors.column(r)).for_each(|(s, x)| *s += share * x);
                }
                frequencies.push(all_frequencies[p]);
                uncertainties.push(all_uncertainties[p..=last].iter().fold(0.0_f64, |most, u| most.max(*u)));
                squares.push(square);
                numbers.push(p);
                shapes.extend(shape);
            }
            p = last + 1;
        }
        if squares.is_empty() {
            return Err(StructureError::NoContact);
        }
        let total: f64 = squares.iter().sum();
        squares.iter_mut().for_each(|square| *square /= total);
        let shapes = Matrix::from_columns(n, frequencies.len(), shapes).map_err(|_| StructureError::NoContact)?;
        Ok(LinearModes {
            shares: squares.iter().map(|square| square.sqrt()).collect(),
            frequencies,
            squares,
            shapes,
            all_frequencies,
            numbers,
            root_mobility: largest * mobility.sqrt(),
            gap,
            residual: pencil.residual,
            refined: pencil.refined,
            uncertainties,
            all_uncertainties,
        })
    }

    /// The number of modes that the contact moves.
    pub fn len(&self) -> usize {
        self.frequencies.len()
    }

    /// Never: a contact that no mode moves is rejected.
    pub fn is_empty(&self) -> bool {
        self.frequencies.is_empty()
    }

    /// The number of degrees of freedom of the structure.
    pub fn degrees_of_freedom(&self) -> usize {
        self.all_frequencies.len()
    }

    /// ω_p of the modes that the contact moves, growing.
    pub fn frequencies(&self) -> &[f64] {
        &self.frequencies
    }

    /// All frequencies of the structure, growing, with those that the contact does not move.
    pub fn all_frequencies(&self) -> &[f64] {
        &self.all_frequencies
    }

    /// The number, from 1, of a mode that the contact moves among all modes of the structure.
    pub fn number(&self, mode: usize) -> usize {
        self.numbers[mode] + 1
    }

    /// q_p, the shares of the modes in the contact; all positive, Σ q_p² = 1.
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// q_p².
    pub fn squares(&self) -> &[f64] {
        &self.squares
    }

    /// Φ, a column for each mode that the contact moves, Φ' M Φ = 1.
    pub fn shapes(&self) -> &Matrix {
        &self.shapes
    }

    /// √G, G = w₁' M⁻¹ w₁.
    pub fn root_mobility(&self) -> f64 {
        self.root_mobility
    }

    /// g₀, the gap at equilibrium.
    pub fn gap(&self) -> f64 {
        self.gap
    }

    /// The largest backward error of the pairs of frequency and shape.
    pub fn residual(&self) -> f64 {
        self.residual
    }

    /// Whether frequencies and shapes were refined to the last digits.
    pub fn refined(&self) -> bool {
        self.refined
    }

    /// The relative error of each frequency of the modes that the contact moves: by the rounding of the
    /// entries of M and K, to first order.
    pub fn uncertainties(&self) -> &[f64] {
        &self.uncertainties
    }

    /// The same for all frequencies of the structure.
    pub fn all_uncertainties(&self) -> &[f64] {
        &self.all_uncertainties
    }

    /// T_p = 2 π/ω_p.
    pub fn period(&self, mode: usize) -> f64 {
        2.0 * std::f64::consts::PI / self.frequencies[mode]
    }

    /// The energy of the linear mode that just touches: A²ω²/2 with √G q A = |g₀|.
    pub fn grazing_energy(&self, mode: usize) -> f64 {
        self.grazing_energy_together(&[mode])
    }

    /// The energy to which motions with one impact per period tend where these modes share a harmonic: of all
    /// combinations that just touch the one with the least energy, g₀²/(2 G Σ q²/ω²).
    pub fn grazing_energy_together(&self, modes: &[usize]) -> f64 {
        let compliance: f64 = modes.iter().map(|&p| self.squares[p] / self.frequencies[p].powi(2)).sum();
        0.5 * (self.gap / self.root_mobility).powi(2) / compliance
    }
}
