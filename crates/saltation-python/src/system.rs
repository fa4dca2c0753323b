//! A system as Python holds it: shared, immutable, with names, numbers and the text of its model.

use crate::errors::{raised, refused};
use crate::guard::guarded;
use crate::plain::plain;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use saltation::layers::model::{Model, Overrides};
use saltation::registry::{Plain, Wrong, read_value};
use saltation::{self as library, Error};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Names with formulas, in their order.
type Formulas = Vec<(String, String)>;

/// A model with numbers.
#[pyclass(frozen, module = "saltation._saltation")]
pub(crate) struct System {
    pub(crate) inner: library::System,
}

fn mapped(py: Python<'_>, named: &library::Named) -> PyResult<Py<PyDict>> {
    let map = PyDict::new(py);
    named.iter().try_for_each(|(name, value)| map.set_item(name, value))?;
    Ok(map.unbind())
}

impl System {
    /// The same system with other numbers, one after the other.
    fn changed(
        &self,
        py: Python<'_>,
        names: &Bound<'_, PyDict>,
        number: fn(&library::System, &str, f64) -> Result<library::System, Error>,
        formula: fn(&library::System, &str, &str) -> Result<library::System, Error>,
    ) -> PyResult<System> {
        let mut inner = self.inner.clone();
        for (name, value) in names.iter() {
            let name: String = name.extract()?;
            let changed = match plain(&value)? {
                Plain::Number(value) => guarded(py, || number(&inner, &name, value))?,
                Plain::Whole(value) => guarded(py, || number(&inner, &name, value as f64))?,
                Plain::Text(text) => guarded(py, || formula(&inner, &name, &text))?,
                other => {
                    let message = format!("a number is needed, not {}", other.describe());
                    let help = "give a number, or a formula of parameters such as \"2*pi\"".to_string();
                    return Err(refused(py, &Wrong { field: name, message, help }));
                }
            };
            inner = changed.map_err(|error| raised(py, &error))?;
        }
        Ok(System { inner })
    }
}

#[pymethods]
impl System {
    /// A model of the gallery.
    #[staticmethod]
    fn gallery(py: Python<'_>, name: &str) -> PyResult<System> {
        let inner = guarded(py, || library::System::gallery(name))?.map_err(|error| raised(py, &error))?;
        Ok(System { inner })
    }

    /// A model file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<System> {
        let inner = guarded(py, || library::System::read(path))?.map_err(|error| raised(py, &error))?;
        Ok(System { inner })
    }

    /// A model as a text; `file` is its name in messages.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str, file: &str) -> PyResult<System> {
        let inner = guarded(py, || library::System::parse(text, file))?.map_err(|error| raised(py, &error))?;
        Ok(System { inner })
    }

    /// A system from its text or path, with settings and start values as formulas.
    #[staticmethod]
    fn restore(
        py: Python<'_>,
        text: &str,
        file: &str,
        path: Option<PathBuf>,
        set: Formulas,
        start: Formulas,
    ) -> PyResult<System> {
        let inner = guarded(py, || -> Result<library::System, Error> {
            let model = match path {
                Some(path) => Model::read(path)?,
                None => Model::parse(text, file)?,
            };
            Ok(library::System::with_settings(model, Overrides { set, start })?)
        })?;
        Ok(System { inner: inner.map_err(|error| raised(py, &error))? })
    }

    /// The text, the name of the file, the settings and the start values as formulas, and the matrix files beside it.
    fn parts(&self) -> (String, String, Formulas, Formulas, Vec<String>) {
        let model = self.inner.model();
        let Overrides { set, start } = self.inner.all_settings();
        let files = model.files.iter().map(|(name, _)| name.clone()).collect();
        (model.text.clone(), model.file.clone(), set, start, files)
    }

    /// Other parameters.
    fn with_(&self, py: Python<'_>, names: &Bound<'_, PyDict>) -> PyResult<System> {
        self.changed(py, names, library::System::with, library::System::with_formula)
    }

    /// Other start values.
    fn start(&self, py: Python<'_>, names: &Bound<'_, PyDict>) -> PyResult<System> {
        self.changed(py, names, library::System::from_state, library::System::from_formula)
    }

    /// The value of a formula of parameters.
    fn evaluate(&self, py: Python<'_>, formula: &str) -> PyResult<f64> {
        let value = read_value("formula", Plain::Text(formula.to_string()), &self.inner);
        value.map_err(|wrong| refused(py, &wrong))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.inner.model().name
    }

    #[getter]
    fn title(&self) -> Option<&str> {
        self.inner.model().title.as_deref()
    }

    #[getter]
    fn states(&self) -> Vec<String> {
        self.inner.state_names().to_vec()
    }

    #[getter]
    fn contacts(&self) -> Vec<String> {
        self.inner.model().contacts.iter().map(|contact| contact.name.clone()).collect()
    }

    #[getter]
    fn parameters(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        mapped(py, &self.inner.parameters())
    }

    #[getter]
    fn start_state(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        mapped(py, &self.inner.start())
    }

    /// Units by the names of states and parameters; that of time under the empty name.
    #[getter]
    fn units(&self) -> BTreeMap<String, String> {
        let model = self.inner.model();
        let states = model.states.iter().map(|state| (&state.name, &state.unit));
        let parameters = model.parameters.iter().map(|parameter| (&parameter.name, &parameter.unit));
        let named = states.chain(parameters).filter_map(|(name, unit)| Some((name.clone(), unit.clone()?)));
        named.chain(model.time_unit.clone().map(|unit| (String::new(), unit))).collect()
    }

    #[getter]
    fn source(&self) -> &str {
        &self.inner.model().text
    }

    #[getter]
    fn file(&self) -> &str {
        &self.inner.model().file
    }

    #[getter]
    fn fingerprint(&self) -> String {
        self.inner.model().fingerprint()
    }

    /// Whether both have the same model and the same numbers.
    fn same(&self, other: &System) -> bool {
        let (a, b) = (&self.inner, &other.inner);
        a.model().fingerprint() == b.model().fingerprint() && a.parameters() == b.parameters() && a.start() == b.start()
    }
}
