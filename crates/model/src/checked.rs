//! The numbers of a run with all checks of a start: admissible, with laws of contact that hold there, and with the symmetry if it does.

use crate::check;
use crate::matrices::MOST_MOVED;
use crate::mistake::Mistakes;
use crate::model::Model;
use crate::settings::Overrides;
use crate::symmetry::SymmetryMap;
use crate::symmetry_check;
use crate::values::{FEW_SAMPLES, Symmetric, Values};

impl Model {
    /// The numbers of a run, checked: every value finite and within its bounds, the start admissible, restitutions
    /// between 0 and 1 and coefficients of friction not negative there, periods positive.
    ///
    /// A symmetry that does not hold is a mistake of the file as it stands. With parameters set it may well be lost: the
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
            let message = format!(
                "a structure with {} degrees of freedom has modes, but is not simulated: for that it may have {MOST_MOVED}",
                matrices.degrees()
            );
            let help = "ask `saltation modes` or `saltation check` about it, or use fewer elements";
            return Err(model.mistakes(vec![model.mistake_at("matrices.M", message).help(help)]));
        }
        let mistakes = check::mistakes(model, &self, FEW_SAMPLES);
        if !mistakes.is_empty() {
            return Err(model.mistakes(mistakes));
        }
        let symmetry = self.symmetry_here()?;
        self.symmetry = Symmetric::Known(symmetry);
        Ok(self)
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
        values.symmetry = Symmetric::Known(symmetry);
        Ok(values)
    }

    /// The symmetry of the file, if it has one and it holds at these parameters (checked near the start at which they were set). Numbers
    /// that were not checked, as those of [`Model::numbers`], have none.
    pub fn symmetry(&self) -> Option<&SymmetryMap> {
        match &self.symmetry {
            Symmetric::Unasked => None,
            Symmetric::Known(map) => map.as_ref(),
            Symmetric::Near(start, found) => found
                .get_or_init(|| symmetry_check::map(self.model(), &self.with_start(start), FEW_SAMPLES).ok().flatten())
                .as_ref(),
        }
    }

    /// The symmetry near the start. With parameters set it may be lost; in the file as it stands that is a mistake.
    fn symmetry_here(&self) -> Result<Option<SymmetryMap>, Mistakes> {
        let model = self.model();
        match symmetry_check::map(model, self, FEW_SAMPLES) {
            Ok(map) => Ok(map),
            Err(mistakes) if !self.is_changed() => Err(model.mistakes(mistakes)),
            Err(_) => Ok(None),
        }
    }
}
