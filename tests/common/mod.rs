//! What the tests share: records, figures, snapshots, laws.
//!
//! A record is a line of JSON in `tests/data`. One that describes a figure is what `mdbook-cute facts`
//! reads, `{"kind": "divide", "A": "(4,8)", "tiler": "(2,4)"}`; within the code of a test the same is
//! `divide | A = (4,8) | tiler = (2,4)`.

#![allow(dead_code, reason = "each test takes the part that it needs")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

pub(crate) mod figures;
pub(crate) mod laws;
pub(crate) mod snapshots;

use serde_json::Value as Json;

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
