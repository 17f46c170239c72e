//! What the tests share: records, figures, snapshots, laws.
//!
//! A record is a line of JSON in `tests/data`. One that describes a figure is what `mdbook-cute facts`
//! reads, `{"kind": "divide", "A": "(4,8)", "tiler": "(2,4)"}`; within the code of a test the same is
//! `divide | A = (4,8) | tiler = (2,4)`.

#![allow(dead_code, reason = "each test takes the part that it needs")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

pub(crate) mod figures;
pub(crate) mod laws;
pub(crate) mod renderer;
pub(crate) mod snapshots;

use serde_json::Value as Json;
use std::thread;

/// Reads the records of a data file.
pub(crate) fn records(data: &str) -> impl Iterator<Item = Json> + '_ {
    data.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
}

/// Returns a text that a record must have: a missing one would be equal to a missing fact.
pub(crate) fn text<'r>(record: &'r Json, field: &str) -> &'r str {
    record[field].as_str().unwrap_or_else(|| panic!("no text `{field}` in {record}"))
}

/// Returns a text that only some records have.
pub(crate) fn optional<'r>(record: &'r Json, field: &str) -> Option<&'r str> {
    record[field].as_str()
}

/// Goes through the items of one long test on as many threads as there are: a test has only one.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], each: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let each = &each;
    thread::scope(|scope| {
        // Every so many-th item, so that the long ones are not all in one part.
        let parts: Vec<_> = (0..threads)
            .map(|from| {
                let part = items.iter().skip(from).step_by(threads);
                scope.spawn(move || part.map(each).collect::<Vec<R>>())
            })
            .collect();
        let parts = parts.into_iter().map(|part| match part.join() {
            Ok(results) => results,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        let mut parts: Vec<_> = parts.map(Vec::into_iter).collect();
        (0..items.len()).filter_map(|at| parts[at % threads].next()).collect()
    })
}
