//! How CuTe gets from A and B to the result: one row for each pair of a mode of B and a mode of A.

use crate::cute::algebra::{Step, composition_steps};
use crate::cute::{AnyLayout, Layout, Parts, Tiler};
use crate::figure::canvas::limits::TABLE_ROWS;
use crate::figure::model::figure::Table;

/// Writes how CuTe finds each mode of the result.
pub(super) fn table(a: &AnyLayout, b: &Tiler) -> Table {
    let mut steps: Vec<(String, Step)> = Vec::new();
    collect_steps(a.domain(), b, "", &mut steps);
    let rows = steps.iter().take(TABLE_ROWS).map(|(at, step)| {
        let kept =
            step.taken.map_or("-".to_owned(), |mode| format!("{}:{}", mode.shape, mode.stride));
        vec![
            format!("{at}{}:{}", step.b.shape, step.b.stride),
            format!("{}:{}", step.a.shape, step.a.stride),
            step.stride.to_string(),
            step.rest.to_string(),
            kept,
        ]
    });
    Table {
        title: "how CuTe composes each mode of B with the modes of A".to_owned(),
        head: ["mode of B", "mode of A", "stride left", "still to place", "mode of the result"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
        ..Table::default()
    }
}

fn collect_steps(a: &Layout, b: &Tiler, at: &str, steps: &mut Vec<(String, Step)>) {
    let parts = match b.parts() {
        // Nothing is composed with a mode that is kept, and a tiler of no extent was refused before.
        Ok(Parts::Keep) | Err(_) => return,
        Ok(Parts::Whole(layout)) => {
            let found = composition_steps(a, &layout).into_iter();
            return steps.extend(found.map(|step| (at.to_owned(), step)));
        }
        Ok(Parts::Modes(parts)) => parts,
    };
    for (i, (mode, part)) in a.modes().iter().zip(parts.iter()).enumerate() {
        let at =
            if at.is_empty() { format!("{i}: ") } else { format!("{}.{i}: ", &at[..at.len() - 2]) };
        collect_steps(mode, part, &at, steps);
    }
}
