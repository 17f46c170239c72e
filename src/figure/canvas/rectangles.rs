//! Cells that belong together as few blocks.
//!
//! In: a key for each place. Out: blocks of places with one key, to be labelled as one. Invariant:
//! every place with a key is in exactly one block, whose places all have that key.

use crate::figure::model::grid::Block;

/// Gives the blocks of one key, each as large as it can be to the right and then down, in the order
/// of their first places, row by row; they have no labels yet.
pub(in crate::figure) fn rectangles<K: PartialEq>(
    rows: usize,
    cols: usize,
    key: impl Fn(usize, usize) -> Option<K>,
) -> impl Iterator<Item = Block> {
    let keys: Vec<Option<K>> = (0..rows * cols).map(|spot| key(spot / cols, spot % cols)).collect();
    let mut taken = vec![false; keys.len()];
    (0..keys.len()).filter_map(move |spot| {
        let wanted = keys[spot].as_ref().filter(|_| !taken[spot])?;
        let (row, col) = (spot / cols, spot % cols);
        let same = |row: usize, col: usize| {
            let spot = row * cols + col;
            !taken[spot] && keys[spot].as_ref() == Some(wanted)
        };
        let across = (col..cols).take_while(|&col| same(row, col)).count();
        let alike = |&row: &usize| (col..col + across).all(|col| same(row, col));
        let down = (row..rows).take_while(alike).count();
        let block = Block { row, col, rows: down, cols: across, labels: Vec::new() };
        block.places().for_each(|(row, col)| taken[row * cols + col] = true);
        Some(block)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_with_a_key_is_in_one_block_of_its_key() {
        let key = |row: usize, col: usize| (row != col).then_some((row / 2, col / 3));
        let mut seen = vec![None; 6 * 7];
        for block in rectangles(6, 7, key) {
            let own = key(block.row, block.col);
            for (row, col) in block.places() {
                assert_eq!(seen[row * 7 + col].replace(own), None);
                assert_eq!(key(row, col), own);
            }
        }
        let keyed = (0..6 * 7).filter(|spot| key(spot / 7, spot % 7).is_some()).count();
        assert_eq!(seen.iter().flatten().count(), keyed);
    }
}
