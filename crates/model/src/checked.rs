//! The numbers of a run with all checks of a start: admissible, with laws of contact that hold there, and with the symmetry if it does.

use crate::check;
use crate::matrices::MOST_MOVED;
use crate::mistake::Mistakes;
use crate::model::Model;
use crate::symmetry::SymmetryMap;
use crate::symmetry_check;
use crate::values::{FEW_SAMPLES, Overrides, Values};

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
        let mut values = self.numbers(settings)?;
        if let Some(matrices) = self.body.matrices().filter(|matrices| !matrices.is_moved()) {
            let message = format!(
                "a structure with {} degrees of freedom has modes, but is not simulated: for that it may have {MOST_MOVED}",
                matrices.degrees()
            );
            let help = "ask `saltation modes` or `saltation check` about it, or use fewer elements";
            return Err(self.mistakes(vec![self.mistake_at("matrices.M", message).help(help)]));
        }
        let mistakes = check::mistakes(self, &values, FEW_SAMPLES);
        if !mistakes.is_empty() {
            return Err(self.mistakes(mistakes));
        }
        values.symmetry = self.symmetry_of(&values, !settings.set.is_empty())?;
        Ok(values)
    }

    /// The symmetry at some numbers. With other parameters it may be lost; in the file itself that is a mistake.
    pub(crate) fn symmetry_of(&self, values: &Values, is_set: bool) -> Result<Option<SymmetryMap>, Mistakes> {
        match symmetry_check::map(self, values, FEW_SAMPLES) {
            Ok(map) => Ok(map),
            Err(mistakes) if !is_set => Err(self.mistakes(mistakes)),
            Err(_) => Ok(None),
        }
    }
}
