//! Worked cases from users: what a lane reads, and the count that is right for it.

use crate::text::layout;
use mdbook_cute::cute::{AnyLayout, Layout, Swizzle};
use mdbook_cute::hardware::memory::{
    AddressMap, Banks, LaneAccess, MatrixAccess, Obstacle, SwizzleUnit, bank_conflicts, coalescing,
    element_swizzle, vector_width,
};

/// Threads and values over a layout: `cell(thread, value)` is the coordinate `(row, col)`.
fn map(
    (threads, values): (i64, i64),
    bits: i64,
    layout: &AnyLayout,
    cell: impl Fn(i64, i64) -> (i64, i64),
) -> AddressMap {
    let rows = layout.shape().mode(0).unwrap().product().unwrap();
    let offsets = layout.offsets().unwrap();
    let places = (0..values).flat_map(|v| (0..threads).map(move |t| (t, v))).map(|(t, v)| {
        let (row, col) = cell(t, v);
        Some(offsets[usize::try_from(row + rows * col).unwrap()])
    });
    let (threads, values) = (usize::try_from(threads).unwrap(), usize::try_from(values).unwrap());
    AddressMap::new(threads, values, bits, 0, places).unwrap()
}

fn vector(map: &AddressMap) -> Banks {
    let width = vector_width(map, 16);
    bank_conflicts(map, LaneAccess::Vector { elements: width.elements, bits: width.bits })
}

fn swizzled(b: i64, m: i64, s: i64, of: &str) -> AnyLayout {
    use mdbook_cute::cute::{ComposedLayout, Inner, Tree};
    let swizzle = Inner::Swizzle(Swizzle::new(b, m, s).unwrap());
    AnyLayout::Composed(ComposedLayout::new(swizzle, Tree::Leaf(0), layout(of)).unwrap())
}

fn plain(text: &str) -> AnyLayout {
    AnyLayout::Plain(layout(text))
}

#[test]
fn case_15_transpose_32_way_then_free_then_free() {
    let column = |layout: &AnyLayout| vector(&map((32, 1), 32, layout, |lane, _| (lane, 0)));
    let unpadded = column(&plain("(32,32):(32,1)"));
    assert_eq!((unpadded.max_ways, unpadded.wavefronts), (32, 32));
    assert_eq!((unpadded.phases[0].bank, unpadded.phases[0].lanes().count()), (0, 32));
    assert!(column(&plain("(32,32):(33,1)")).is_conflict_free());
    assert!(column(&swizzled(5, 0, 5, "(32,32):(32,1)")).is_conflict_free());
}

#[test]
fn case_16_stores_of_16_bytes_are_served_8_lanes_at_a_time() {
    let tile = plain("(16,32):(32,1)");
    let a = vector(&map((32, 8), 16, &tile, |lane, v| (lane % 16, lane / 16 * 8 + v)));
    let ways: Vec<usize> = a.phases.iter().map(|phase| phase.ways).collect();
    assert_eq!((ways, a.wavefronts, a.wavefronts_ideal), (vec![4; 4], 16, 4));
    let b = vector(&map((32, 8), 16, &tile, |lane, v| (lane / 4, lane % 4 * 8 + v)));
    assert_eq!((b.max_ways, b.wavefronts), (1, 4));
}

#[test]
fn case_17_two_shapes_are_equally_good_and_one_wastes_half() {
    let tile = plain("(128,64):(1,128)");
    let sectors = |thr: &str| {
        let thr: Layout = layout(thr);
        let rows = thr.shape().mode(0).unwrap().product().unwrap();
        // The thread at (i,j) of the thread layout holds rows 4i to 4i+3 of column j.
        let mut place = vec![(0, 0); 256];
        for (index, thread) in (0..).zip(thr.walk().unwrap()) {
            place[usize::try_from(thread).unwrap()] = (index % rows, index / rows);
        }
        let map = map((256, 4), 32, &tile, |t, v| {
            let (i, j) = place[usize::try_from(t).unwrap()];
            (4 * i + v, j)
        });
        let width = vector_width(&map, 16);
        assert_eq!((width.elements, width.bits), (4, 128));
        let count = coalescing(&map, &width);
        let first = count.issues[0];
        assert_eq!((first.warp, first.issue, first.bytes_asked, first.ideal), (0, 0, 512, 16));
        first.sectors
    };
    assert_eq!(sectors("(32,8):(1,32)"), 16);
    assert_eq!(sectors("(8,32):(1,8)"), 16);
    assert_eq!(sectors("(8,32):(32,1)"), 32);
}

#[test]
fn case_18_a_pointer_counts_bytes() {
    let carried = Swizzle::new(3, 4, 3).unwrap();
    let half = element_swizzle(carried, SwizzleUnit::Byte, 16).unwrap();
    assert_eq!(half.to_string(), "S<3,3,3>");
    let rows: Vec<i64> = (0..8).map(|row| half.apply(64 * row)).collect();
    assert_eq!(rows, [0, 72, 144, 216, 288, 360, 432, 504]);
    let single = element_swizzle(carried, SwizzleUnit::Byte, 32).unwrap();
    assert_eq!((single.to_string(), single.apply(32)), ("S<3,2,3>".to_owned(), 36));
    let wrong: Vec<i64> = (0..8).map(|row| carried.apply(64 * row)).collect();
    assert_eq!((wrong, carried.apply(32)), (vec![0, 64, 144, 208, 288, 352, 432, 496], 32));
    // Eight rows of 16 bytes: free as bytes, a false 2-way conflict as elements.
    let column = |b, m, s| {
        let tile = swizzled(b, m, s, "(8,64):(64,1)");
        vector(&map((8, 8), 16, &tile, |lane, v| (lane, v))).max_ways
    };
    assert_eq!((column(3, 3, 3), column(3, 4, 3)), (1, 2));
    // 6-bit elements have no byte swizzle of their own.
    assert!(element_swizzle(carried, SwizzleUnit::Byte, 6).is_err());
}

#[test]
fn a_perfect_read_of_16_bytes_takes_four_wavefronts() {
    let row = plain("(1,256):(256,1)");
    let read = vector(&map((32, 8), 16, &row, |lane, v| (0, 8 * lane + v)));
    assert!(read.is_conflict_free());
    assert_eq!((read.max_ways, read.wavefronts, read.wavefronts_ideal), (1, 4, 4));
}

#[test]
fn matrix_instructions_count_address_lanes_only() {
    let rows = plain("(32,64):(64,1)");
    let x4 = MatrixAccess::parse("ldmatrix.x4").unwrap();
    // Every lane points at the start of its row of 128 bytes: all rows of a matrix share banks.
    let addresses = map((32, 1), 16, &rows, |lane, _| (lane, 0));
    let count = bank_conflicts(&addresses, LaneAccess::rows(&addresses, x4).unwrap());
    assert_eq!((count.max_ways, count.wavefronts, count.wavefronts_ideal), (8, 32, 4));
    // The same rows given element by element are the same access.
    let elements = map((32, 8), 16, &rows, |lane, v| (lane, v));
    let access = LaneAccess::rows(&elements, x4).unwrap();
    assert_eq!((access.elements(), bank_conflicts(&elements, access)), (8, count));
    // x1 looks at lanes 0 to 7 only: one phase.
    let x1 = LaneAccess::rows(&addresses, MatrixAccess::parse("stmatrix.x1").unwrap()).unwrap();
    assert_eq!(bank_conflicts(&addresses, x1).phases.len(), 1);
    // A row that starts off a 16-byte boundary is refused with its lane and byte.
    let crooked = map((32, 1), 16, &plain("(32,64):(65,1)"), |lane, _| (lane, 0));
    let error = LaneAccess::rows(&crooked, x4).unwrap_err();
    assert_eq!(
        error.text,
        "`ldmatrix.x4` reads rows that start on a multiple of 16 bytes; value 0 of thread 1 is at byte 130"
    );
}

#[test]
fn partial_warps_idle_values_and_broadcasts_count_right() {
    // 40 threads: warp 1 has 8 lanes, so one of its four phases.
    let row = plain("(1,512):(512,1)");
    let read = vector(&map((40, 8), 16, &row, |lane, v| (0, 8 * lane + v)));
    assert_eq!(read.phases.iter().filter(|phase| phase.warp == 1).count(), 1);
    // All lanes read one word: one sector, one wavefront, 128 bytes asked for.
    let one = map((32, 1), 32, &row, |_, _| (0, 5));
    let count = coalescing(&one, &vector_width(&one, 16));
    assert_eq!((count.issues[0].sectors, count.issues[0].ideal), (1, 1));
    assert_eq!(
        (count.issues[0].bytes_asked, count.bytes_distinct, count.bytes_moved),
        (128, 4, 32)
    );
    assert!(vector(&one).is_conflict_free());
    // Only even lanes access: half the sectors' bytes are wasted, none of the banks clash.
    let even = AddressMap::new(32, 1, 32, 0, (0..32).map(|t| (t % 2 == 0).then_some(t))).unwrap();
    let count = coalescing(&even, &vector_width(&even, 16));
    assert_eq!((count.issues[0].sectors, count.issues[0].ideal), (4, 2));
    assert_eq!(count.issues[0].bytes_asked, 64);
    // A base that is off by 16 bytes costs one more sector.
    let base = AddressMap::new(32, 1, 32, 16, (0..32).map(Some)).unwrap();
    assert_eq!(coalescing(&base, &vector_width(&base, 16)).issues[0].sectors, 5);
}

#[test]
fn an_element_wider_than_any_access_can_cut_is_refused() {
    // As many accesses as an element has pieces would have to be counted.
    let of = |bits| AddressMap::new(1, 1, bits, 0, [Some(0)]);
    assert!(of(1 << 16).is_ok());
    assert_eq!(of((1 << 16) + 1).unwrap_err().code(), "element-bits");
    assert_eq!(of(0).unwrap_err().code(), "element-bits");
}

#[test]
fn the_width_says_what_keeps_it_from_being_wider() {
    let of = |values: i64, bits, base, step: i64| {
        let offsets = (0..values).map(|v| Some(v * step));
        let map = AddressMap::new(1, usize::try_from(values).unwrap(), bits, base, offsets);
        vector_width(&map.unwrap(), 16)
    };
    let width = of(16, 16, 0, 1);
    assert_eq!((width.elements, width.bits), (8, 128));
    assert_eq!(width.obstacle, Obstacle::Widest { bytes: 16 });
    // Eight elements of 6 bits are 48 bits: whole bytes, but no instruction moves so many.
    let narrow = of(8, 6, 0, 1);
    assert_eq!((narrow.elements, narrow.bits), (1, 6));
    assert_eq!(narrow.obstacle, Obstacle::Width { bits: 6 });
    assert_eq!(of(6, 16, 0, 1).obstacle, Obstacle::Values { values: 6, elements: 4 });
    assert_eq!(of(8, 16, 0, 2).obstacle, Obstacle::Gap { thread: 0, value: 0 });
    let crooked = of(8, 16, 4, 1);
    assert_eq!(crooked.elements, 2);
    assert_eq!(
        crooked.obstacle.to_string(),
        "value 0 of thread 0 starts at byte 4, no multiple of 8"
    );
    // Elements below a byte: two 4-bit values make the least access.
    assert_eq!((of(2, 4, 0, 1).elements, of(2, 4, 0, 1).is_addressable()), (2, true));
    assert!(!of(2, 4, 0, 2).is_addressable());
    // An element wider than any access is cut.
    assert_eq!((of(1, 256, 0, 1).elements, of(1, 256, 0, 1).bits), (1, 128));
}

#[test]
fn neighbours_that_share_an_address_are_named() {
    let pairs = AddressMap::new(32, 2, 32, 0, (0..64).map(|i| Some(i % 32 / 2 * 2 + i / 32)));
    assert_eq!(vector(&pairs.unwrap()).mergeable, Some((0, 1)));
    let own = AddressMap::new(32, 2, 32, 0, (0..64).map(|i| Some(i % 32 * 2 + i / 32)));
    assert_eq!(vector(&own.unwrap()).mergeable, None);
}
