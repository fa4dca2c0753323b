//! The blocks of a sweep or a basin in Python: computed one by one as bytes, on whatever machine, and written to the folder of the whole.

use crate::answer::plain_fields;
use crate::errors::{raised, refused};
use crate::guard::guarded;
use crate::progress::Watch;
use crate::system::System;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use saltation::registry::{self, Refused};
use saltation::tasks;
use saltation::tasks::blocks::Encoded;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The blocks of a question.
#[pyclass(frozen, module = "saltation._saltation")]
pub(crate) struct Blocks {
    inner: tasks::Blocks,
}

/// The folder of a question.
#[pyclass(frozen, module = "saltation._saltation")]
pub(crate) struct BlockStore {
    inner: Mutex<tasks::BlockStore>,
}

fn encoded(tables: Vec<Vec<u8>>) -> Encoded {
    Encoded::new(tables)
}

fn bytes<'py>(py: Python<'py>, encoded: &Encoded) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, encoded.tables().iter().map(|table| PyBytes::new(py, table)))
}

fn exception(py: Python<'_>, error: Refused) -> PyErr {
    match error {
        Refused::Wrong(wrong) => refused(py, &wrong),
        Refused::Error(error) => raised(py, &error),
    }
}

#[pymethods]
impl Blocks {
    /// The blocks of the question `sweep` or `basin`, with its fields, among them the folder.
    #[new]
    fn new(py: Python<'_>, name: &str, system: &System, fields: &Bound<'_, PyDict>) -> PyResult<Blocks> {
        let named = plain_fields(py, fields)?;
        let system = &system.inner;
        let blocks = guarded(py, || -> Result<Option<tasks::Blocks>, Refused> {
            Ok(match name {
                "sweep" => Some(registry::sweep(named, system)?.blocks()?),
                "basin" => Some(registry::basin(named, system)?.blocks()?),
                _ => None,
            })
        })?;
        let inner = blocks.map_err(|error| exception(py, error))?;
        let inner = inner.ok_or_else(|| PyValueError::new_err(format!("the question `{name}` has no blocks")))?;
        Ok(Blocks { inner })
    }

    /// The number of blocks of the whole.
    #[getter]
    fn count(&self) -> u64 {
        self.inner.count()
    }

    /// The number of tasks of a block.
    fn tasks_of(&self, py: Python<'_>, block: u64) -> PyResult<u64> {
        guarded(py, || {
            let tasks = self.inner.tasks_of(block);
            tasks.end - tasks.start
        })
    }

    /// The block at whose end a block begins.
    fn before(&self, block: u64) -> Option<u64> {
        self.inner.before(block)
    }

    /// Computes a block: its tables as bytes. Signals interrupt it where it runs in the main thread.
    #[pyo3(signature = (block, before=None))]
    fn compute<'py>(&self, py: Python<'py>, block: u64, before: Option<Vec<Vec<u8>>>) -> PyResult<Bound<'py, PyList>> {
        let before = before.map(encoded);
        let mut watch = Watch::begin(None, Default::default());
        let found = guarded(py, || self.inner.compute(block, before.as_ref(), &mut watch))?;
        match (found.map_err(|error| raised(py, &error))?, watch.stopped) {
            (Some(found), _) => bytes(py, &found),
            (None, Some(stopped)) => Err(stopped),
            (None, None) => Err(PyValueError::new_err(format!("block {block} was interrupted"))),
        }
    }

    /// The folder, begun or resumed.
    fn open(&self, py: Python<'_>) -> PyResult<BlockStore> {
        let store = guarded(py, || self.inner.open())?.map_err(|error| raised(py, &error))?;
        Ok(BlockStore { inner: Mutex::new(store) })
    }
}

impl BlockStore {
    /// One thread at a time; a store that panicked refuses what does not fit it.
    fn lock(&self) -> MutexGuard<'_, tasks::BlockStore> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl BlockStore {
    /// What is left to do: first block and end of every chain.
    fn missing(&self, py: Python<'_>) -> PyResult<Vec<(u64, u64)>> {
        guarded(py, || self.lock().missing().into_iter().map(|chain| (chain.start, chain.end)).collect())
    }

    /// The bytes of a block that is done.
    fn read<'py>(&self, py: Python<'py>, block: u64) -> PyResult<Bound<'py, PyList>> {
        let found = guarded(py, || self.lock().read(block))?.map_err(|error| raised(py, &error))?;
        bytes(py, &found)
    }

    /// Examines the bytes of a block, and writes them.
    fn write(&self, py: Python<'_>, block: u64, tables: Vec<Vec<u8>>) -> PyResult<()> {
        let tables = encoded(tables);
        guarded(py, || self.lock().write(block, &tables))?.map_err(|error| raised(py, &error))
    }
}
