//! What stands in a cell.
//!
//! In: numbers as a kind has them. Out: one or more short lines of text, written into a buffer on
//! demand. Invariant: a label of numbers never allocates, so a grid of 128x128 costs no strings.

use crate::cute::index::{narrow, wide};
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

    /// Makes the label of a coordinate of two numbers.
    #[must_use]
    pub fn coord(row: i64, col: i64) -> Self {
        match (i32::try_from(row), i32::try_from(col)) {
            (Ok(row), Ok(col)) => Self::Coord(row, col),
            _ => Self::text(format!("({row},{col})")),
        }
    }

    /// Makes the label of a thread.
    #[must_use]
    pub fn thread(thread: i64) -> Self {
        narrow(thread).map_or_else(|| Self::text(format!("T{thread}")), Self::Thread)
    }

    /// Makes the label of a place.
    #[must_use]
    pub fn index(place: usize) -> Self {
        Self::Int(wide(place))
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

    /// Returns whether it says whose a cell is.
    #[must_use]
    pub const fn names_owner(&self) -> bool {
        matches!(self, Self::Owner { .. } | Self::Thread(_) | Self::Value(_) | Self::Lines(_))
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
    if value < 0 {
        out.push('-');
    }
    push_digits(out, value.unsigned_abs());
}

fn push_digits(out: &mut String, value: u64) {
    if let (true, Ok(digit)) = (value < 10, u8::try_from(value)) {
        return out.push(char::from(b'0' + digit));
    }
    // Three digits fit into the two low bytes.
    let (high, [low, next, ..]) = (value / 1000, (value % 1000).to_le_bytes());
    let low = usize::from(u16::from_le_bytes([low, next]));
    let zeros = if high > 0 {
        push_digits(out, high);
        0
    } else {
        usize::from(low < 10) + usize::from(low < 100)
    };
    out.push_str(TRIPLES.get(3 * low + zeros..3 * low + 3).unwrap_or(""));
}

/// The numbers 000 to 999, one after the other.
static TRIPLES: &str = match std::str::from_utf8(&TRIPLE_BYTES) {
    Ok(digits) => digits,
    Err(_) => "",
};

static TRIPLE_BYTES: [u8; 3000] = {
    let mut bytes = [b'0'; 3000];
    let mut at = 0;
    while at < 1000 {
        let mut rest = at;
        let mut place = 3 * at + 3;
        while rest > 0 {
            place -= 1;
            bytes[place] = b"0123456789"[rest % 10];
            rest /= 10;
        }
        at += 1;
    }
    bytes
};

/// One set of labels for a grid; a figure may carry several and the reader switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// What the labels are: `value`, `index`, `coord`, `thread`, `value-id`, `offset`, `bank` ...
    pub name: &'static str,
    /// One label a cell, row by row.
    pub labels: Vec<Label>,
}

#[cfg(test)]
mod tests {
    use super::Label;

    #[test]
    fn numbers_without_a_short_label_are_written_out() {
        for (label, short, line) in [
            (Label::thread(31), Label::Thread(31), "T31"),
            (Label::thread(-1), Label::text("T-1"), "T-1"),
            (Label::thread(1 << 32), Label::text("T4294967296"), "T4294967296"),
            (Label::coord(3, -5), Label::Coord(3, -5), "(3,-5)"),
            (Label::coord(1 << 31, 0), Label::text("(2147483648,0)"), "(2147483648,0)"),
        ] {
            assert_eq!((&label, label.to_line().as_str()), (&short, line));
        }
    }
}
