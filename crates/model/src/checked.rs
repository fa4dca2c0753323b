//! The numbers of a run with all checks of a start: admissible, with laws of contact that hold there, and with the symmetry if it does.

use crate::check;
use crate::constraint_meaning;
use crate::dry_meaning;
use crate::matrices::{MOST_MOVED, MOST_TERMS};
use crate::mistake::{Mistake, Mistakes};
use crate::model::Model;
use crate::point::Point;
use crate::settings::Overrides;
use crate::symmetry::SymmetryMap;
use crate::symmetry_check;
use crate::values::{FEW_SAMPLES, Values};

impl Model {
    /// The numbers of a run, checked: every value finite and within its bounds, the start admissible, restitutions
    /// between 0 and 1 and coefficients of friction not negative there, periods positive.
    ///
    /// A symmetry that does not hold is a mistake of the file itself. With other parameters it may be lost: the
    /// numbers then have none, and [`Model::check`] warns of it.
    ///
    /// # Errors
    /// Mistakes in the settings, shown in their own text, or else mistakes of the file at these numbers, or a structure that is too large
    /// to be simulated.
    pub fn values(&self, settings: &Overrides) -> Result<Values, Mistakes> {
        self.numbers_with(settings)?.checked()
    }
}

impl Values {
    /// The same numbers with all checks of [`Model::values`].
    ///
    /// # Errors
    /// Mistakes of the file at these numbers, or a structure that is too large to be simulated.
    pub fn checked(mut self) -> Result<Values, Mistakes> {
        let model = self.model();
        if let Some(matrices) = model.body.matrices().filter(|matrices| !matrices.is_moved()) {
            let degrees = matrices.degrees();
            let message = if degrees > MOST_MOVED {
                format!(
                    "a structure with {degrees} degrees of freedom has modes, but is not simulated: for that it may have {MOST_MOVED}"
                )
            } else {
                format!(
                    "the accelerations of the structure have {} terms, so that it has modes, but is not simulated: for that they may have {MOST_TERMS}",
                    matrices.terms()
                )
            };
            let help = "ask `saltation modes` or `saltation check` about it, or use fewer elements";
            return Err(model.mistakes(vec![model.mistake_at("matrices.M", message).help(help)]));
        }
        self.move_onto_constraints()?;
        let model = self.model();
        let mistakes = check::mistakes(model, self.numbers(), FEW_SAMPLES);
        if !mistakes.is_empty() {
            return Err(model.mistakes(mistakes));
        }
        let symmetry = self.symmetry_here()?;
        self.set_symmetry(symmetry);
        Ok(self)
    }

    /// Mistakes in the static limits of dry friction: those that are below its force at the start.
    pub fn weak_static_limits(&self) -> Vec<Mistake> {
        dry_meaning::at_start(self.model(), &Point::start(self.numbers()))
    }

    /// Moves the start onto the constraints of the model.
    ///
    /// # Errors
    /// A start that is far from them, and constraints that contradict each other or are singular there.
    pub(crate) fn move_onto_constraints(&mut self) -> Result<(), Mistakes> {
        let model = self.model();
        if model.constraints.is_empty() {
            return Ok(());
        }
        let start = Point::start(self.numbers());
        let undefined = check::undefined(model, &start, constraint_meaning::formulas(model));
        if !undefined.is_empty() {
            return Err(model.mistakes(undefined));
        }
        let moved = constraint_meaning::start(model, self.numbers());
        let moved = moved.map_err(|mistake| model.mistakes(vec![mistake]))?;
        self.move_start(&moved);
        Ok(())
    }

    /// The same for a motion that begins at a state which a computation has found, with one entry per state: the start of the model need not
    /// be admissible at these parameters. The symmetry is looked for near the state.
    ///
    /// # Errors
    /// A symmetry that does not hold in the file as it stands.
    ///
    /// # Panics
    /// If the state has another length.
    pub fn found_at(&self, state: &[f64]) -> Result<Values, Mistakes> {
        let mut values = self.with_start(state);
        let symmetry = values.symmetry_here()?;
        values.set_symmetry(symmetry);
        Ok(values)
    }

    /// The symmetry at these numbers. With other parameters it may be lost; in the file itself that is a mistake.
    fn symmetry_here(&self) -> Result<Option<SymmetryMap>, Mistakes> {
        let model = self.model();
        match symmetry_check::map(model, self.numbers(), FEW_SAMPLES) {
            Ok(map) => Ok(map),
            Err(mistakes) if !self.is_changed() => Err(model.mistakes(mistakes)),
            Err(_) => Ok(None),
        }
    }
}
