//! Advice is right when the model agrees, within its bounds, and nothing smaller would do.

use crate::text::{layout, tuple};
use mdbook_cute::cute::Layout;
use mdbook_cute::hardware::memory::{
    AddressMap, AdviceKind, Conflict, LaneAccess, WastefulLoads, bank_conflicts, coalescing,
    order_for_loads, remove_conflicts, vector_width,
};

fn conflict<'a>(
    layout: &'a Layout,
    indices: &'a [Option<usize>],
    (threads, values): (usize, usize),
    bits: i64,
    dense: bool,
) -> Conflict<'a> {
    let access =
        LaneAccess::Vector { elements: values, bits: bits * i64::try_from(values).unwrap() };
    Conflict { layout, indices, threads, values, element_bits: bits, base_bytes: 0, access, dense }
}

#[test]
fn a_transpose_is_padded_by_one_element() {
    let tile = layout("(32,32):(32,1)");
    let column: Vec<_> = (0..32).map(Some).collect();
    let advice = remove_conflicts(&conflict(&tile, &column, (32, 1), 32, false));
    assert_eq!(advice[0].kind, AdviceKind::Padding { elements: 1 });
    assert_eq!(advice[0].layout.to_string(), "(32,32):(33,1)");
    assert_eq!((advice[0].wavefronts, advice[0].cost_bytes), (1, 31 * 4));
    // 32 ways need five bits; three are searched.
    assert_eq!(advice.len(), 1);
    assert!(remove_conflicts(&conflict(&tile, &column, (32, 1), 32, true)).is_empty());
}

#[test]
fn rows_of_16_byte_stores_stay_aligned() {
    let tile = layout("(16,32):(32,1)");
    // Lane l stores row l % 16, chunk l / 16: values fastest along the row.
    let cells = (0..8).flat_map(|v| (0..32).map(move |l| Some(l % 16 + 16 * (l / 16 * 8 + v))));
    let cells: Vec<_> = cells.collect();
    let found = remove_conflicts(&conflict(&tile, &cells, (32, 8), 16, false));
    assert_eq!(found[0].kind, AdviceKind::Padding { elements: 8 });
    assert_eq!(found[0].layout.to_string(), "(16,32):(40,1)");
    assert!(found.len() > 1);
    for advice in &found {
        let offsets = advice.layout.offsets().unwrap();
        let places = cells.iter().map(|cell| cell.map(|cell| offsets[cell]));
        let map = AddressMap::new(32, 8, 16, 0, places).unwrap();
        assert_eq!(vector_width(&map, 16).bits, 128, "{advice:?}");
        let banks = bank_conflicts(&map, LaneAccess::Vector { elements: 8, bits: 128 });
        assert!(banks.is_conflict_free(), "{advice:?}");
        assert_eq!(banks.wavefronts, advice.wavefronts);
        if let AdviceKind::Swizzle(swizzle) = advice.kind {
            assert!(swizzle.bits() <= 3 && swizzle.base() >= 3);
            assert!(swizzle.shift().unsigned_abs() >= swizzle.bits());
        }
    }
}

#[test]
fn wasteful_loads_get_the_order_of_memory() {
    // A row-major tile read column by column.
    let (tile, memory) = (tuple("(32,32)"), layout("(32,32):(32,1)"));
    let offsets: Vec<i64> = memory.walk().unwrap().collect();
    let places = (0..8_usize).flat_map(|v| (0..128_usize).map(move |t| (t % 32, t / 32 * 8 + v)));
    let map = AddressMap::new(128, 8, 16, 0, places.map(|(m, n)| Some(offsets[m + 32 * n])));
    let map = map.unwrap();
    let present = coalescing(&map, &vector_width(&map, 16));
    assert_eq!((present.worst().unwrap().sectors, present.worst().unwrap().ideal), (32, 16));
    let loads = WastefulLoads {
        tile: &tile,
        layout: &memory,
        threads: 128,
        values: 8,
        element_bits: 16,
        base_bytes: 0,
        max_bytes: 16,
        present: &present,
    };
    let order = order_for_loads(&loads).unwrap();
    let (thr, val) = order.thr_val.unwrap();
    assert_eq!((thr.to_string(), val.to_string()), ("(32,4):(4,1)".into(), "(1,8):(8,1)".into()));
    assert_eq!((order.elements, order.sectors, order.ideal), (8, 16, 16));
}
