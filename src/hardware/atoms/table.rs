//! Reads the tables of atoms: text files whose first line names the columns.
//!
//! In: the text of an embedded file and the columns that its rows are made of. Out: the cells of each
//! row, in the order of those columns whatever their order in the file. Invariant: the header has
//! exactly those columns and every row has a cell for each; anything else is refused with the name of
//! the file and the line. Cells borrow the text, so a table of thousands of rows costs its pointers.

use crate::cute::{Error, Result};

/// A table whose header was checked.
#[derive(Clone, Debug)]
pub(super) struct Table<'t> {
    file: &'static str,
    text: &'t str,
    /// The line of the header; rows follow it.
    header: usize,
    /// For each column that was asked for, its place in a line.
    places: Vec<usize>,
}

/// The cells of one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line<'t> {
    /// The number of the line in the file, from 1.
    pub(super) number: usize,
    /// The cells without blanks around them, in the order of the columns that were asked for.
    pub(super) cells: Vec<&'t str>,
}

impl<'t> Table<'t> {
    /// Reads the header. Lines that start with `#` are comments.
    ///
    /// # Errors
    /// A missing, unknown or repeated column; a text without a header.
    pub(super) fn open(file: &'static str, text: &'t str, columns: &[&str]) -> Result<Self> {
        let Some((header, line)) = lines(text).next() else {
            return Err(fault(file, 1, "expected a line with the names of the columns"));
        };
        let names = cells(line);
        let refuse = |text: String| Err(fault(file, header, &text));
        for (at, name) in names.iter().enumerate() {
            if !columns.contains(name) {
                return refuse(format!("unknown column `{name}`; expected {}", columns.join(", ")));
            }
            if names[..at].contains(name) {
                return refuse(format!("the column `{name}` is there twice"));
            }
        }
        let place = |column: &&str| match names.iter().position(|name| name == column) {
            Some(place) => Ok(place),
            None => Err(fault(file, header, &format!("the column `{column}` is missing"))),
        };
        let places = columns.iter().map(place).collect::<Result<_>>()?;
        Ok(Self { file, text, header, places })
    }

    /// Returns the rows.
    ///
    /// # Errors
    /// For each row with more or fewer cells than columns.
    pub(super) fn rows(&self) -> impl Iterator<Item = Result<Line<'t>>> {
        lines(self.text).skip_while(|(number, _)| *number <= self.header).map(|(number, line)| {
            let all = cells(line);
            if all.len() != self.places.len() {
                let (expected, found) = (self.places.len(), all.len());
                let text = format!("expected {expected} cells, one per column, found {found}");
                return Err(fault(self.file, number, &text));
            }
            let cells = self.places.iter().filter_map(|&place| all.get(place).copied()).collect();
            Ok(Line { number, cells })
        })
    }
}

/// Describes a fault of a table.
pub(super) fn fault(file: &str, line: usize, text: &str) -> Error {
    Error::rule("atom-table", format!("{file}:{line}: {text}"))
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty())
}

fn cells(line: &str) -> Vec<&str> {
    line.split('|').map(str::trim).collect()
}

/// Defines the cells of a row as a struct with a field for each column, so that no column can be
/// taken for another.
macro_rules! columns {
    ($(#[$doc:meta])* $name:ident of $file:literal { $($field:ident $column:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        struct $name {
            /// The line in the file.
            line: usize,
            $(#[doc = concat!("The column `", $column, "`.")] $field: &'static str,)*
        }

        impl $name {
            /// Reads every row.
            ///
            /// # Errors
            /// A fault of the file, with its line.
            fn all() -> $crate::cute::Result<Vec<Self>> {
                let text = include_str!($file);
                let table = $crate::hardware::atoms::table::Table::open($file, text, &[$($column),*])?;
                let row = |line: $crate::hardware::atoms::table::Line<'static>| {
                    let mut cells = line.cells.into_iter();
                    Self { line: line.number, $($field: cells.next().unwrap_or_default(),)* }
                };
                table.rows().map(|line| line.map(row)).collect()
            }

            /// Describes a fault of this row.
            fn fault(&self, text: &str) -> $crate::cute::Error {
                $crate::hardware::atoms::table::fault($file, self.line, text)
            }
        }
    };
}
pub(super) use columns;

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [&str; 3] = ["name", "src", "dst"];

    fn read(text: &'static str) -> std::result::Result<Vec<Line<'static>>, String> {
        let table = Table::open("a.txt", text, &COLUMNS).map_err(|error| error.to_string())?;
        table.rows().collect::<Result<_>>().map_err(|error| error.to_string())
    }

    #[test]
    fn columns_go_by_name_and_rows_keep_their_line() {
        let rows = read("# about\n\ndst | name | src\nd | n | s\n\n# more\n |m|\n").unwrap();
        assert_eq!(rows[0], Line { number: 4, cells: vec!["n", "s", "d"] });
        assert_eq!(rows[1], Line { number: 7, cells: vec!["m", "", ""] });
        assert_eq!(rows.len(), 2);
    }

    #[test]
    fn every_fault_names_its_line() {
        for (text, expected) in [
            ("# about\n", "a.txt:1: expected a line with the names of the columns"),
            ("# about\nname | src\n", "a.txt:2: the column `dst` is missing"),
            (
                "name | src | dst | arch\n",
                "a.txt:1: unknown column `arch`; expected name, src, dst",
            ),
            ("\nname | src | dst | src\n", "a.txt:2: the column `src` is there twice"),
            (
                "name | src | dst\na | b | c\na | b\n",
                "a.txt:3: expected 3 cells, one per column, found 2",
            ),
            (
                "name | src | dst\n# b\na | b | c |\n",
                "a.txt:3: expected 3 cells, one per column, found 4",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), expected, "{text}");
        }
    }
}
