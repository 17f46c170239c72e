//! Path data made of straight segments.
//!
//! In: coordinates in units. Out: path data appended to a string. Invariant: whole numbers only, as
//! short as they can be written.

use crate::draw::glyphs::push_next;
use crate::figure::model::label::push_int;

/// Which way a line runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// To the right.
    Across,
    /// Downwards.
    Down,
}

/// Appends a line of a length from a point on.
pub(super) fn push_line(path: &mut String, (x, y): (i64, i64), way: Way, len: i64) {
    push_start(path, x, y);
    path.push(match way {
        Way::Across => 'h',
        Way::Down => 'v',
    });
    push_int(path, len);
}

/// Appends a rectangle with its corner at `(x, y)`.
pub(super) fn push_rectangle(path: &mut String, (x, y): (i64, i64), (width, height): (i64, i64)) {
    push_start(path, x, y);
    path.push('h');
    push_int(path, width);
    path.push('v');
    push_int(path, height);
    path.push('h');
    push_int(path, -width);
    path.push('z');
}

/// Puts the pen down at `(x, y)`.
pub(super) fn push_start(path: &mut String, x: i64, y: i64) {
    path.push('M');
    push_pair(path, x, y);
}

/// Appends two numbers.
pub(super) fn push_pair(path: &mut String, x: i64, y: i64) {
    push_int(path, x);
    push_next(path, y);
}

/// Appends a number of hundredths as a decimal.
pub(super) fn push_hundredths(out: &mut String, hundredths: i64) {
    let (whole, part) = (hundredths / 100, hundredths % 100);
    if whole != 0 || part == 0 {
        push_int(out, whole);
    }
    if part != 0 {
        out.push('.');
        if part < 10 {
            out.push('0');
        }
        push_int(out, if part % 10 == 0 { part / 10 } else { part });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hundredths_are_short() {
        for (value, text) in [(0, "0"), (5, ".05"), (50, ".5"), (100, "1"), (1250, "12.5")] {
            let mut out = String::new();
            push_hundredths(&mut out, value);
            assert_eq!(out, text);
        }
    }

    #[test]
    fn a_sign_separates() {
        let mut out = String::new();
        push_rectangle(&mut out, (3, -4), (10, 20));
        push_line(&mut out, (1, 2), Way::Down, 5);
        assert_eq!(out, "M3-4h10v20h-10zM1 2v5");
    }
}
