//! A linear form with the flow to which it was bound last, so that motions with the same values of the parameters bind it once, wherever they begin.

use std::ops::{Deref, Range};
use std::sync::{Arc, Mutex};

use saltation_expr::Tape;

use super::exact::{Exact, Field, Grid, Unsuited};
use super::form::LinearForm;
use super::watched::{QuietField, Watch};

/// What the values of the parameters have led to.
#[derive(Debug)]
struct Last {
    parameters: Vec<f64>,
    field: Arc<Field<f64>>,
    quiet: Option<Arc<QuietField>>,
}

/// A linear form and its last field.
#[derive(Debug)]
pub(crate) struct KeptForm {
    form: LinearForm,
    last: Mutex<Option<Last>>,
}

impl Deref for KeptForm {
    type Target = LinearForm;

    fn deref(&self) -> &LinearForm {
        &self.form
    }
}

impl KeptForm {
    pub(crate) fn new(form: LinearForm) -> KeptForm {
        KeptForm { form, last: Mutex::new(None) }
    }

    /// [`Exact::bind`] for plain numbers. What depends on the values of the parameters alone is shared if they are those of the last time; the phases of
    /// the grid are new, and the numbers are the same either way. Another thread that binds at the same moment is not waited for.
    ///
    /// # Errors
    /// Why the mode does not flow this way.
    pub(crate) fn bind_exact(
        &self,
        (tape, slots, parameters): (&Tape, &[f64], &[f64]),
        grid: Option<Grid<f64>>,
        sections: Range<usize>,
    ) -> Result<Exact<f64>, Unsuited> {
        let same = |known: &[f64]| known.iter().zip(parameters).all(|(a, b)| a.to_bits() == b.to_bits());
        let Ok(mut last) = self.last.try_lock() else {
            return Exact::bind(&self.form, (tape, slots, parameters), grid, sections);
        };
        if let Some(last) = last.as_ref().filter(|last| same(&last.parameters)) {
            return Ok(Exact::on_grid(Arc::clone(&last.field), grid.map(|grid| grid.origin)));
        }
        let exact = Exact::bind(&self.form, (tape, slots, parameters), grid, sections)?;
        let (parameters, field) = (parameters.to_vec(), Arc::clone(exact.field()));
        *last = Some(Last { parameters, field, quiet: None });
        Ok(exact)
    }

    /// What is watched on the cells of a flow, shared if the last flow of the same values watched the same.
    pub(crate) fn watched(&self, exact: &Exact<f64>, watch: Watch) -> Arc<QuietField> {
        let Ok(mut last) = self.last.try_lock() else { return Arc::new(QuietField::new(exact, watch)) };
        let mut last = last.as_mut().filter(|last| Arc::ptr_eq(&last.field, exact.field()));
        let known = last.as_ref().and_then(|last| last.quiet.as_ref()).filter(|quiet| quiet.watches(&watch));
        let field = known.map_or_else(|| Arc::new(QuietField::new(exact, watch)), Arc::clone);
        if let Some(last) = &mut last {
            last.quiet = Some(Arc::clone(&field));
        }
        field
    }
}
