//! What stands in a cell.
//!
//! In: numbers as a kind has them. Out: one or more short lines of text, written into a buffer on
//! demand. Invariant: a label of numbers never allocates, so a grid of 128x128 costs no strings.

use std::fmt::Write;

/// The text of one cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Label {
    /// Nothing.
    #[default]
    Blank,
    /// `42`
    Int(i64),
    /// `(3,5)`
    Coord(i32, i32),
    /// `T3` over `V1`: thread and value.
    Owner {
        /// The thread.
        thr: u32,
        /// Its value.
        val: u32,
    },
    /// `T3`
    Thread(u32),
    /// `V1`
    Value(u32),
    /// `9` and what it becomes, `13`: one line in the picture, `9→13`.
    Arrow {
        /// Before.
        from: i64,
        /// After.
        to: i64,
    },
    /// Anything else, in one line.
    Text(Box<str>),
    /// Several labels, one under the other: all owners of a cell.
    Lines(Box<[Label]>),
}

impl Label {
    /// Makes a label of any text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into().into_boxed_str())
    }

    /// Counts the lines.
    #[must_use]
    pub fn lines(&self) -> usize {
        match self {
            Self::Blank => 0,
            Self::Owner { .. } => 2,
            Self::Lines(labels) => labels.len(),
            _ => 1,
        }
    }

    /// Appends line `line` to `out`. Labels within [`Self::Lines`] take one line each
    /// (an owner becomes `T3V1`).
    pub fn write_line(&self, line: usize, out: &mut String) {
        match self {
            Self::Blank => {}
            Self::Int(value) => push_int(out, *value),
            Self::Coord(row, col) => {
                out.push('(');
                push_int(out, i64::from(*row));
                out.push(',');
                push_int(out, i64::from(*col));
                out.push(')');
            }
            Self::Owner { thr, val } => {
                let (letter, number) = if line == 0 { ('T', *thr) } else { ('V', *val) };
                out.push(letter);
                push_int(out, i64::from(number));
            }
            Self::Thread(thr) => {
                out.push('T');
                push_int(out, i64::from(*thr));
            }
            Self::Value(val) => {
                out.push('V');
                push_int(out, i64::from(*val));
            }
            Self::Arrow { from, to } => {
                push_int(out, *from);
                out.push('→');
                push_int(out, *to);
            }
            Self::Text(text) => out.push_str(text),
            Self::Lines(labels) => match labels.get(line) {
                Some(Self::Owner { thr, val }) => {
                    // Writing to a String cannot fail.
                    let _ = write!(out, "T{thr}V{val}");
                }
                Some(label) => label.write_line(0, out),
                None => {}
            },
        }
    }

    /// Returns all lines with a blank between them.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut out = String::new();
        for line in 0..self.lines() {
            if line > 0 {
                out.push(' ');
            }
            self.write_line(line, &mut out);
        }
        out
    }
}

/// Appends a decimal number; the hot loops of the backends spend most of their time here.
pub(crate) fn push_int(out: &mut String, value: i64) {
    let mut digits = [0_u8; 20];
    let mut at = digits.len();
    let mut rest = value.unsigned_abs();
    loop {
        at -= 1;
        // A remainder of 10 fits any integer.
        digits[at] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        out.push('-');
    }
    // Digits are text; the check is shorter than pushing them one by one.
    out.push_str(std::str::from_utf8(&digits[at..]).unwrap_or(""));
}

/// One set of labels for a grid; a figure may carry several and the reader switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// What the labels are: `value`, `index`, `coord`, `thread`, `value-id`, `offset`, `bank` ...
    pub name: &'static str,
    /// One label a cell, row by row.
    pub labels: Vec<Label>,
}
