//! One product, the copy of each of its cells, and the cells that share an offset.
//!
//! In: the block, the tiler, the form. Out: a [`Repeated`]. Invariant: an overlap that CuTe's answer
//! adds is a warning; one that block or tiler bring along is a note.

use super::form::Form;
use super::keys::{A, TILER};
use crate::cute::algebra::checked::Checked;
use crate::cute::algebra::contract::Breach;
use crate::cute::index::{narrow, wide};
use crate::cute::{AnyLayout, Error, Tiler};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::occupancy::{Occupancy, Values};
use crate::figure::canvas::reading::Reading;
use crate::figure::input::entry::Problem;
use crate::figure::input::key::KeyDef;
use crate::figure::input::keys::Keys;
use std::collections::HashMap;

/// One product and which copy each of its cells is in.
pub(super) struct Repeated {
    pub(super) form: Form,
    pub(super) reading: Reading,
    pub(super) copies: i64,
    /// The copy of each index.
    owners: Option<Reading>,
    pub(super) shared: Option<Shared>,
    breaches: Vec<Breach>,
}

/// Which offsets several cells have.
pub(super) struct Shared {
    pub(super) distinct: i64,
    /// Empty where none do, or there are too many to follow.
    pub(super) cells: Vec<bool>,
}

impl Repeated {
    pub(super) fn of(
        keys: &Keys<'_>,
        key: &dyn KeyDef,
        block: &AnyLayout,
        tiler: &Tiler,
        form: Form,
    ) -> Result<Self, Problem> {
        // A form that does not take such a tiler is the fault of the form.
        let refused = |error: Error| {
            let at = if matches!(error, Error::Undefined { .. }) { key } else { &TILER };
            keys.problem(at, error.into())
        };
        let Checked { value: layout, breaches } = form.checked(block, tiler).map_err(refused)?;
        let reading = Reading::of(&layout, None).map_err(|error| keys.problem(&A, error))?;
        let owners = form.copies(block.domain(), tiler).map_err(refused)?;
        let fits = owners.size() == layout.size();
        let owners = fits.then(|| Reading::plain(&owners)).transpose();
        Ok(Self {
            form,
            copies: layout.size() / block.size().max(1),
            owners: owners.map_err(|error| keys.problem(&TILER, error))?,
            shared: Shared::of(&reading),
            reading,
            breaches,
        })
    }

    /// Returns the copy that an index is in.
    pub(super) fn copy(&self, index: usize) -> Option<u32> {
        narrow(*self.owners.as_ref()?.numbers(index).first()?)
    }

    /// Returns what breaks the promise of the product, or what overlaps although nothing does.
    pub(super) fn messages(&self) -> Vec<Diagnostic> {
        if !self.breaches.is_empty() {
            return self.breaches.iter().cloned().map(Diagnostic::from).collect();
        }
        let size = self.reading.layout().size();
        let shared = self.shared.as_ref().filter(|shared| shared.distinct < size);
        let note = shared.map(|shared| {
            let text = format!(
                "{size} coordinates have only {} distinct offsets: block or tiler repeats offsets already",
                shared.distinct
            );
            Diagnostic::note("overlap", text)
        });
        note.into_iter().collect()
    }
}

impl Shared {
    fn of(reading: &Reading) -> Option<Self> {
        let Some(values) = reading.values() else {
            let occupancy = Occupancy::of(&Values::of(reading.layout())?)?;
            let distinct = reading.layout().size() - occupancy.repeats;
            return Some(Self { distinct, cells: Vec::new() });
        };
        let mut hits: HashMap<&[i64], u32> = HashMap::new();
        for value in values.flat.chunks(values.arity.max(1)) {
            *hits.entry(value).or_default() += 1;
        }
        let distinct = wide(hits.len());
        let cells = if hits.len() == reading.size() {
            Vec::new()
        } else {
            values.flat.chunks(values.arity.max(1)).map(|value| hits[value] > 1).collect()
        };
        Some(Self { distinct, cells })
    }
}
