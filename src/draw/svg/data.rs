//! What the script of a page reads about cells: labels and owners as runs.
//!
//! In: the layers and owners of a grid. Out: `data-` attributes. The script finds a cell by its
//! row and column; from there it looks the labels up here instead of computing layouts.
//!
//! Form of `data-LAYER`: a letter, then runs. `i` integers, `c` coordinates (rows, then columns),
//! `o` owners (threads, then values), `t` threads, `v` values, `a` arrows (before, then after): for
//! each list runs `first`, `first:count` or `first:count:step` with blanks between them, lists
//! separated by `;`. `s` anything else: texts separated by `|`, with `|` and `\` escaped by `\`.
//! Cells are counted row by row.

use crate::draw::markup::push_text;
use crate::figure::model::label::push_int;
use crate::figure::{Grid, Label, Layer};

/// Appends the attributes of all layers and, where there are any, `data-owners` (-1: nobody).
pub(super) fn push(out: &mut String, grid: &Grid) {
    for layer in &grid.layers {
        out.push_str(" data-");
        out.push_str(layer.name);
        out.push_str("=\"");
        push_layer(out, layer);
        out.push('"');
    }
    if grid.has_owners() {
        out.push_str(" data-owners=\"i");
        push_runs(out, grid.cells.iter().map(|cell| cell.owner.map_or(-1, i64::from)));
        out.push('"');
    }
}

fn push_layer(out: &mut String, layer: &Layer) {
    let Some((letter, lists)) = layer.labels.first().and_then(form) else {
        return push_texts(out, layer);
    };
    if !layer.labels.iter().all(|label| form(label) == Some((letter, lists))) {
        return push_texts(out, layer);
    }
    out.push(letter);
    push_runs(out, layer.labels.iter().map(|label| numbers(label).0));
    if lists == 2 {
        out.push(';');
        push_runs(out, layer.labels.iter().map(|label| numbers(label).1));
    }
}

const fn form(label: &Label) -> Option<(char, u8)> {
    Some(match label {
        Label::Int(_) => ('i', 1),
        Label::Coord(..) => ('c', 2),
        Label::Owner { .. } => ('o', 2),
        Label::Thread(_) => ('t', 1),
        Label::Value(_) => ('v', 1),
        Label::Arrow { .. } => ('a', 2),
        Label::Blank | Label::Text(_) | Label::Lines(_) => return None,
    })
}

fn numbers(label: &Label) -> (i64, i64) {
    match *label {
        Label::Int(value) => (value, 0),
        Label::Coord(row, col) => (row.into(), col.into()),
        Label::Owner { thr, val } => (thr.into(), val.into()),
        Label::Thread(n) | Label::Value(n) => (n.into(), 0),
        Label::Arrow { from, to } => (from, to),
        Label::Blank | Label::Text(_) | Label::Lines(_) => (0, 0),
    }
}

fn push_texts(out: &mut String, layer: &Layer) {
    out.push('s');
    for (at, label) in layer.labels.iter().enumerate() {
        if at > 0 {
            out.push('|');
        }
        push_text(out, &label.to_line().replace('\\', "\\\\").replace('|', "\\|"));
    }
}

/// Appends a list of numbers as arithmetic runs.
fn push_runs(out: &mut String, values: impl Iterator<Item = i64>) {
    let mut run: Option<(i64, i64, i64, i64)> = None; // first, count, step, last
    let mut blank = false;
    let mut emit = |out: &mut String, (first, count, step): (i64, i64, i64)| {
        if std::mem::replace(&mut blank, true) {
            out.push(' ');
        }
        push_int(out, first);
        if count > 1 {
            out.push(':');
            push_int(out, count);
            if step != 0 {
                out.push(':');
                push_int(out, step);
            }
        }
    };
    for value in values {
        run = Some(match run {
            None => (value, 1, 0, value),
            Some((first, 1, _, last)) => (first, 2, value.wrapping_sub(last), value),
            Some((first, count, step, last)) if value.wrapping_sub(last) == step => {
                (first, count + 1, step, value)
            }
            // Two numbers are no run yet: the second may begin the next one.
            Some((first, 2, _, last)) => {
                emit(out, (first, 1, 0));
                (last, 2, value.wrapping_sub(last), value)
            }
            Some((first, count, step, _)) => {
                emit(out, (first, count, step));
                (value, 1, 0, value)
            }
        });
    }
    if let Some((first, count, step, _)) = run {
        emit(out, (first, count, step));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_short_and_complete() {
        let show = |values: &[i64]| {
            let mut out = String::new();
            push_runs(&mut out, values.iter().copied());
            out
        };
        assert_eq!(show(&[0, 8, 16, 24, 1, 9, 17, 25]), "0:4:8 1:4:8");
        assert_eq!(show(&[5, 5, 5]), "5:3");
        assert_eq!(show(&[3]), "3");
        assert_eq!(show(&[0, 7, 1, 2, 3]), "0 7 1:3:1");
        assert_eq!(show(&[]), "");
    }
}
