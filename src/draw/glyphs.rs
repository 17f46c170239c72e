//! Letters of one stroke, drawn for this project, as relative path data.
//!
//! In: a short text. Out: path data that a pen of any weight can follow. One path for all labels of a
//! grid keeps a page fast and out of the search index, where a font needs an element for each
//! ([`target`](super::target)). Invariant: a glyph is 8 units tall on the baseline (descenders reach
//! 10), digits are 4 wide, and all numbers are short, so that a label of four digits takes less than a
//! hundred bytes.

use crate::figure::model::label::push_int;

/// Height of capitals and digits.
pub const HEIGHT: i64 = 8;
/// Blank between two glyphs.
pub const GAP: i64 = 2;

struct Glyph {
    /// Where the pen is put down.
    start: (i64, i64),
    /// Relative path data.
    path: &'static str,
    /// Where the pen is afterwards.
    end: (i64, i64),
    width: i64,
}

const fn glyph(start: (i64, i64), path: &'static str, end: (i64, i64), width: i64) -> Glyph {
    Glyph { start, path, end, width }
}

/// A box, for everything that nobody has drawn.
const UNKNOWN: Glyph = glyph((0, 0), "v8h4v-8z", (0, 0), 4);

static ARROW: Glyph = glyph((0, 4), "h6m-2-2l2 2-2 2", (4, 6), 6);
static TIMES: Glyph = glyph((0, 2), "l4 4m0-4l-4 4", (0, 6), 4);
static DOTS: Glyph = glyph((0, 7), "v1m3-1v1m3-1v1", (6, 8), 6);

#[rustfmt::skip]
static ASCII: [Glyph; 95] = [
    glyph((0, 0), "", (0, 0), 2),                                                    // blank
    glyph((0, 0), "v5m0 2v1", (0, 8), 1),                                            // !
    glyph((0, 0), "v2m2-2v2", (2, 2), 2),                                            // "
    glyph((1, 1), "v6m2-6v6m1-4h-4m0 2h4", (4, 5), 4),                               // #
    glyph((4, 2), "q-4-2-4 0 0 2 2 2 2 0 2 2 0 2-4 0m2-7v10", (2, 9), 4),            // $
    glyph((0, 8), "l4-8m-4 0v2m4 4v2", (4, 8), 4),                                   // %
    glyph((4, 8), "l-4-6q1-4 3 0l-2 3q-2 3 1 3 2 0 2-4", (4, 4), 4),                 // &
    glyph((0, 0), "v2", (0, 2), 1),                                                  // '
    glyph((2, -1), "q-3 5 0 10", (2, 9), 2),                                         // (
    glyph((0, -1), "q3 5 0 10", (0, 9), 2),                                          // )
    glyph((0, 2), "l4 4m0-4l-4 4m2-5v6", (2, 7), 4),                                 // *
    glyph((0, 4), "h4m-2-2v4", (2, 6), 4),                                           // +
    glyph((1, 7), "v1l-1 2", (0, 10), 1),                                            // ,
    glyph((0, 4), "h3", (3, 4), 3),                                                  // -
    glyph((0, 7), "v1", (0, 8), 1),                                                  // .
    glyph((0, 9), "l4-10", (4, -1), 4),                                              // /
    glyph((0, 4), "q0-4 2-4t2 4-2 4-2-4", (0, 4), 4),                                // 0
    glyph((0, 2), "l2-2v8", (2, 8), 4),                                              // 1
    glyph((0, 2), "q0-2 2-2t2 2-4 6h4", (4, 8), 4),                                  // 2
    glyph((0, 0), "h4l-3 3q3 0 3 3t-4 2", (0, 8), 4),                                // 3
    glyph((3, 8), "v-8l-3 6h4", (4, 6), 4),                                          // 4
    glyph((4, 0), "h-4v3q4 0 4 3t-4 2", (0, 8), 4),                                  // 5
    glyph((3, 0), "q-3 4-3 6t2 2 2-2-2-2-2 2", (0, 6), 4),                           // 6
    glyph((0, 0), "h4l-3 8", (1, 8), 4),                                             // 7
    glyph((2, 4), "q-2 0-2-2t2-2 2 2-2 2-2 2 2 2 2-2-2-2", (2, 4), 4),               // 8
    glyph((1, 8), "q3-4 3-6t-2-2-2 2 2 2 2-2", (4, 2), 4),                           // 9
    glyph((0, 3), "v1m0 3v1", (0, 8), 1),                                            // :
    glyph((1, 3), "v1m0 3v1l-1 2", (0, 10), 1),                                      // ;
    glyph((4, 1), "l-4 3 4 3", (4, 7), 4),                                           // <
    glyph((0, 3), "h4m0 2h-4", (0, 5), 4),                                           // =
    glyph((0, 1), "l4 3-4 3", (0, 7), 4),                                            // >
    glyph((0, 2), "q0-2 2-2t2 2-2 3v1m0 1v1", (2, 8), 4),                            // ?
    glyph((3, 5), "q0-2-1-2t-1 1v1q0 1 1 1t1-2q0 1 1 1 1 0 1-2 0-3-2.5-3-2.5 0-2.5 4 0 4 4 4", (4, 8), 5), // @
    glyph((0, 8), "l2-8 2 8m-1-3h-2", (1, 5), 4),                                    // A
    glyph((0, 4), "h2q2 0 2 2t-2 2h-2v-8h2q2 0 2 2t-2 2", (2, 4), 4),                // B
    glyph((4, 1), "q-4-3-4 3t4 3", (4, 7), 4),                                       // C
    glyph((0, 0), "v8h1q3 0 3-4t-3-4z", (0, 0), 4),                                  // D
    glyph((4, 0), "h-4v8h4m-1-4h-3", (0, 4), 4),                                     // E
    glyph((4, 0), "h-4v8m3-4h-3", (0, 4), 4),                                        // F
    glyph((4, 1), "q-4-3-4 3t4 3v-3h-2", (2, 4), 4),                                 // G
    glyph((0, 0), "v8m0-4h4m0-4v8", (4, 8), 4),                                      // H
    glyph((0, 0), "v8", (0, 8), 1),                                                  // I
    glyph((3, 0), "v6q0 2-2 2h-1", (0, 8), 4),                                       // J
    glyph((0, 0), "v8m4-8l-4 5 1-1 3 4", (4, 8), 4),                                 // K
    glyph((0, 0), "v8h4", (4, 8), 4),                                                // L
    glyph((0, 8), "v-8l2.5 4 2.5-4v8", (5, 8), 5),                                   // M
    glyph((0, 8), "v-8l4 8v-8", (4, 0), 4),                                          // N
    glyph((0, 3), "q0-3 2-3t2 3v2q0 3-2 3t-2-3z", (0, 3), 4),                        // O
    glyph((0, 8), "v-8h2q2 0 2 2t-2 2h-2", (0, 4), 4),                               // P
    glyph((0, 3), "q0-3 2-3t2 3v2q0 3-2 3t-2-3zm2 3l2 2", (4, 8), 4),                // Q
    glyph((0, 8), "v-8h2q2 0 2 2t-2 2h-2m2 0l2 4", (4, 8), 4),                       // R
    glyph((4, 1), "q-1-1-2-1-2 0-2 2t2 2 2 2-2 2-2-1", (0, 7), 4),                   // S
    glyph((0, 0), "h4m-2 0v8", (2, 8), 4),                                           // T
    glyph((0, 0), "v6q0 2 2 2t2-2v-6", (4, 0), 4),                                   // U
    glyph((0, 0), "l2 8 2-8", (4, 0), 4),                                            // V
    glyph((0, 0), "l1.5 8 1.5-5 1.5 5 1.5-8", (6, 0), 6),                            // W
    glyph((0, 0), "l4 8m0-8l-4 8", (0, 8), 4),                                       // X
    glyph((0, 0), "l2 4 2-4m-2 4v4", (2, 8), 4),                                     // Y
    glyph((0, 0), "h4l-4 8h4", (4, 8), 4),                                           // Z
    glyph((2, -1), "h-2v10h2", (2, 9), 2),                                           // [
    glyph((0, -1), "l4 10", (4, 9), 4),                                              // \
    glyph((0, -1), "h2v10h-2", (0, 9), 2),                                           // ]
    glyph((0, 3), "l2-3 2 3", (4, 3), 4),                                            // ^
    glyph((0, 9), "h4", (4, 9), 4),                                                  // _
    glyph((0, 0), "l1 2", (1, 2), 1),                                                // `
    glyph((4, 5), "q0-2-2-2t-2 2v1q0 2 2 2t2-2m0-3v5", (4, 8), 4),                   // a
    glyph((0, 0), "v8m0-2q0 2 2 2t2-2v-1q0-2-2-2t-2 2", (0, 5), 4),                  // b
    glyph((4, 4), "q-1-1-2-1-2 0-2 2v1q0 2 2 2 1 0 2-1", (4, 7), 4),                 // c
    glyph((4, 0), "v8m0-2q0 2-2 2t-2-2v-1q0-2 2-2t2 2", (4, 5), 4),                  // d
    glyph((0, 5), "h4q0-2-2-2t-2 2v1q0 2 2 2 1 0 2-1", (4, 7), 4),                   // e
    glyph((3, 0), "q-2 0-2 2v6m-1-5h3", (3, 3), 3),                                  // f
    glyph((4, 3), "v5q0 2-2 2h-1m3-4q0 2-2 2t-2-2v-1q0-2 2-2t2 2", (4, 5), 4),       // g
    glyph((0, 0), "v8m0-3q0-2 2-2t2 2v3", (4, 8), 4),                                // h
    glyph((0, 3), "v5m0-7v-1", (0, 0), 1),                                           // i
    glyph((2, 3), "v6q0 1-1 1h-1m2-9v-1", (2, 0), 2),                                // j
    glyph((0, 0), "v8m4-5l-4 3 1-1 3 3", (4, 8), 4),                                 // k
    glyph((0, 0), "v8", (0, 8), 1),                                                  // l
    glyph((0, 3), "v5m0-3q0-2 1.5-2t1.5 2v3m0-3q0-2 1.5-2t1.5 2v3", (6, 8), 6),      // m
    glyph((0, 3), "v5m0-3q0-2 2-2t2 2v3", (4, 8), 4),                                // n
    glyph((4, 5), "q0-2-2-2t-2 2v1q0 2 2 2t2-2z", (4, 5), 4),                        // o
    glyph((0, 3), "v7m0-4q0 2 2 2t2-2v-1q0-2-2-2t-2 2", (0, 5), 4),                  // p
    glyph((4, 3), "v7m0-4q0 2-2 2t-2-2v-1q0-2 2-2t2 2", (4, 5), 4),                  // q
    glyph((0, 3), "v5m0-3q0-2 2-2h1", (3, 3), 3),                                    // r
    glyph((4, 4), "q-1-1-2-1-2 0-2 1.2 0 1.3 2 1.3 2 0 2 1.3 0 1.2-2 1.2-1 0-2-1", (0, 7), 4), // s
    glyph((1, 0), "v6q0 2 2 2m-3-5h3", (3, 3), 3),                                   // t
    glyph((0, 3), "v3q0 2 2 2t2-2m0-3v5", (4, 8), 4),                                // u
    glyph((0, 3), "l2 5 2-5", (4, 3), 4),                                            // v
    glyph((0, 3), "l1.5 5 1.5-4 1.5 4 1.5-5", (6, 3), 6),                            // w
    glyph((0, 3), "l4 5m0-5l-4 5", (0, 8), 4),                                       // x
    glyph((0, 3), "l2 5m2-5l-3 7h-1", (0, 10), 4),                                   // y
    glyph((0, 3), "h4l-4 5h4", (4, 8), 4),                                           // z
    glyph((2, -1), "q-1 0-1 2t-1 3q1 0 1 3t1 2", (2, 9), 2),                         // {
    glyph((0, -1), "v10", (0, 9), 1),                                                // |
    glyph((0, -1), "q1 0 1 2t1 3q-1 0-1 3t-1 2", (0, 9), 2),                         // }
    glyph((0, 4), "q1-2 2 0t2 0", (4, 4), 4),                                        // ~
];

fn of(c: char) -> &'static Glyph {
    match c {
        '→' => &ARROW,
        '×' => &TIMES,
        '…' => &DOTS,
        _ => {
            let at = u32::from(c).wrapping_sub(u32::from(' '));
            usize::try_from(at).ok().and_then(|at| ASCII.get(at)).unwrap_or(&UNKNOWN)
        }
    }
}

/// Returns the width of a text in units.
#[must_use]
pub fn width(text: &str) -> i64 {
    let sum: i64 = text.chars().map(|c| of(c).width + GAP).sum();
    (sum - GAP).max(0)
}

/// A pen that draws texts into one path and moves relatively between them.
#[derive(Debug)]
pub struct Pen<'a> {
    path: &'a mut String,
    at: (i64, i64),
}

impl<'a> Pen<'a> {
    /// Makes a pen that appends path data to `path`.
    #[must_use]
    pub const fn new(path: &'a mut String) -> Self {
        Self::from(path, (0, 0))
    }

    /// Makes a pen that goes on where another one was lifted.
    #[must_use]
    pub const fn from(path: &'a mut String, at: (i64, i64)) -> Self {
        Self { path, at }
    }

    /// Returns where the pen is.
    #[must_use]
    pub const fn lift(self) -> (i64, i64) {
        self.at
    }

    /// Draws `text` with its left end at `x` and its top at `y`.
    pub fn write(&mut self, mut x: i64, y: i64, text: &str) {
        for c in text.chars() {
            let glyph = of(c);
            if !glyph.path.is_empty() {
                self.path.push('m');
                push_int(self.path, x + glyph.start.0 - self.at.0);
                push_next(self.path, y + glyph.start.1 - self.at.1);
                self.path.push_str(glyph.path);
                self.at = (x + glyph.end.0, y + glyph.end.1);
            }
            x += glyph.width + GAP;
        }
    }

    /// Draws `text` around `x`, with its vertical middle at `y`.
    pub fn write_centred(&mut self, x: i64, y: i64, text: &str) {
        self.write(x - width(text) / 2, y - HEIGHT / 2, text);
    }
}

/// Appends a second number of a pair; a sign separates by itself.
pub(crate) fn push_next(out: &mut String, value: i64) {
    if value >= 0 {
        out.push(' ');
    }
    push_int(out, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows relative path data and returns where it ends; `None` for data it cannot read.
    fn follow(path: &str, start: (f64, f64)) -> Option<(f64, f64)> {
        let (mut at, mut sub) = (start, start);
        let mut rest = path;
        while let Some(command) = rest.chars().next() {
            rest = &rest[1..];
            let mut numbers = Vec::new();
            loop {
                let from = rest.trim_start_matches(' ');
                let len = from
                    .char_indices()
                    .take_while(|&(i, c)| c.is_ascii_digit() || c == '.' || (c == '-' && i == 0))
                    .count();
                if len == 0 {
                    break;
                }
                numbers.push(from[..len].parse::<f64>().ok()?);
                rest = &from[len..];
            }
            let step = match command {
                'm' | 'l' | 't' => 2,
                'q' => 4,
                'h' | 'v' => 1,
                'z' => {
                    at = sub;
                    continue;
                }
                _ => return None,
            };
            if numbers.is_empty() || numbers.len() % step != 0 {
                return None;
            }
            for pair in numbers.chunks(step) {
                match command {
                    'h' => at.0 += pair[0],
                    'v' => at.1 += pair[0],
                    _ => {
                        at.0 += pair[step - 2];
                        at.1 += pair[step - 1];
                    }
                }
                if command == 'm' {
                    sub = at;
                }
            }
        }
        Some(at)
    }

    /// The pen moves on from the recorded end: were one wrong, every label after it would be.
    #[test]
    fn every_glyph_ends_where_it_says() {
        let named = (' '..='~').zip(&ASCII);
        let extra = [('→', &ARROW), ('×', &TIMES), ('…', &DOTS), ('?', &UNKNOWN)];
        for (c, glyph) in named.chain(extra) {
            let to_f = |(x, y): (i64, i64)| (x as f64, y as f64);
            assert_eq!(follow(glyph.path, to_f(glyph.start)), Some(to_f(glyph.end)), "glyph `{c}`");
        }
    }

    #[test]
    fn four_digits_stay_within_their_budget() {
        let mut path = String::new();
        let mut pen = Pen::new(&mut path);
        for value in 0..4096 {
            pen.write(value % 64 * 28, value / 64 * 20, &value.to_string());
        }
        let bytes = path.len();
        assert!(bytes < 92 * 4096, "{} bytes a label", bytes / 4096);
    }

    #[test]
    fn widths_add_up() {
        assert_eq!(width("1024"), 22);
        assert_eq!(width(""), 0);
    }
}
