//! The rows of indices beside and above a grid, and the boundaries of nested modes.
//!
//! In: the shape of the mode that runs along an axis. Out: one row of indices for each of its
//! integer modes, innermost first, and the lines between their runs. Invariant: the runs of a
//! level are multiples of the runs of the level inside it.

use crate::cute::Shape;
use crate::cute::index::{capped, wide};

/// One axis of a grid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    /// What runs along it: `mode 0`, `M`, `K`.
    pub title: Option<String>,
    /// Rows of indices, innermost first; none means that the axis is not labelled.
    pub levels: Vec<AxisLevel>,
}

/// One row of indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisLevel {
    /// Cells that one index spans; a boundary line stands after each where it is more than one.
    pub run: usize,
    /// The indices.
    pub ticks: Ticks,
}

/// The indices of one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ticks {
    /// `start, start + 1, ...` up to `extent`, then from `start` again.
    Counting {
        /// The first index.
        start: i64,
        /// How many there are before they repeat.
        extent: usize,
        /// How much each adds.
        step: i64,
    },
    /// One text a run.
    Text(Vec<String>),
}

impl Axis {
    /// Makes the axis of a mode: one level for each of its leaves with more than one index.
    #[must_use]
    pub fn of_shape(shape: &Shape) -> Self {
        let mut run = 1_usize;
        let mut levels = Vec::new();
        for &extent in shape.leaves() {
            // Of an extent beyond memory only the first indices are drawn, so it never repeats.
            let extent = capped(extent, usize::MAX);
            if extent > 1 {
                levels
                    .push(AxisLevel { run, ticks: Ticks::Counting { start: 0, extent, step: 1 } });
            }
            run = run.saturating_mul(extent);
        }
        if levels.is_empty() {
            levels.push(AxisLevel {
                run: 1,
                ticks: Ticks::Counting { start: 0, extent: 1, step: 1 },
            });
        }
        Self { title: None, levels }
    }

    /// Makes the axis `0, 1, ...` of a flat extent.
    #[must_use]
    pub fn counting(extent: usize) -> Self {
        Self::counting_from(0, extent, 1)
    }

    /// Makes the axis `start, start + step, ...` of a flat extent.
    #[must_use]
    pub fn counting_from(start: i64, extent: usize, step: i64) -> Self {
        Self {
            title: None,
            levels: vec![AxisLevel { run: 1, ticks: Ticks::Counting { start, extent, step } }],
        }
    }

    /// Makes an axis with one text a cell.
    #[must_use]
    pub fn text(labels: Vec<String>) -> Self {
        Self { title: None, levels: vec![AxisLevel { run: 1, ticks: Ticks::Text(labels) }] }
    }

    /// Adds the name of what runs along the axis.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Adds an outer row of indices, each `run` cells long, with boundary lines between them.
    #[must_use]
    pub fn level(mut self, run: usize, ticks: Ticks) -> Self {
        self.levels.push(AxisLevel { run: run.max(1), ticks });
        self
    }

    /// Leaves out levels that the first `extent` cells do not reach.
    #[must_use]
    pub fn truncated(mut self, extent: usize) -> Self {
        let outer = self.levels.iter().skip(1).position(|level| level.run >= extent);
        if let Some(outer) = outer {
            self.levels.truncate(outer + 1);
        }
        self
    }

    /// Returns the level of the line before cell `at`: 0 for an ordinary one, else the number of
    /// the outermost level that has a boundary there.
    #[must_use]
    pub fn boundary(&self, at: usize) -> usize {
        self.levels
            .iter()
            .enumerate()
            .rev()
            .find(|(_, level)| level.run > 1 && at.is_multiple_of(level.run))
            .map_or(0, |(number, _)| number)
    }
}

impl AxisLevel {
    /// Visits the runs whose index is written beside `extent` cells where one index takes as much
    /// room as `need` runs: all of them, or every second, fourth and so on.
    pub fn shown(&self, extent: usize, need: usize) -> impl Iterator<Item = usize> + use<> {
        let step = need.max(1).checked_next_power_of_two().unwrap_or(usize::MAX);
        (0..extent.div_ceil(self.run.max(1))).step_by(step)
    }

    /// Appends the index of run `number`.
    pub fn write_tick(&self, number: usize, out: &mut String) {
        match &self.ticks {
            Ticks::Counting { start, extent, step } => {
                let at = wide(number % (*extent).max(1));
                crate::figure::model::label::push_int(
                    out,
                    start.saturating_add(at.saturating_mul(*step)),
                );
            }
            Ticks::Text(labels) => {
                out.push_str(labels.get(number).map_or("", String::as_str));
            }
        }
    }
}
