//! What the operations of the algebra are by definition, on random layouts.
//!
//! In: random layouts of integers, nested up to two levels. Out: nothing; each law compares values
//! that were computed one coordinate at a time, not by the walk that the engine uses. A result that
//! the engine itself warns about (its `contract`) must break the law at the place that it names.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a broken law should stop here")]

use mdbook_cute::cute::algebra::{
    self as cute, blocked_product, coalesce, complement, composition, contract, filter_zeros,
    flat_divide, flatten, group_modes, left_inverse, logical_divide, logical_product,
    make_layout_tv, raked_product, right_inverse, tiled_divide, zipped_divide,
};
use mdbook_cute::cute::{AnyLayout, IntTuple, Layout, StrideLeaf, Swizzle, Tiler, Tree};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Any layout: extents small enough that whole domains are compared.
fn any_layout() -> impl Strategy<Value = Layout> {
    let stride = prop_oneof![Just(0_i64), Just(1), 1_i64..13, (1_i64..9).prop_map(|n| 4 * n)];
    nested((1_i64..6, stride))
}

/// A layout whose extents and strides are powers of two: most operations accept those.
fn round_layout() -> impl Strategy<Value = Layout> {
    nested((
        prop::sample::select(vec![1_i64, 2, 4, 8]),
        prop::sample::select(vec![0_i64, 1, 2, 4, 8, 16, 32]),
    ))
}

fn nested(leaf: impl Strategy<Value = (i64, i64)> + 'static) -> impl Strategy<Value = Layout> {
    let leaf = leaf.prop_map(|(shape, stride)| {
        Layout::vector(shape, StrideLeaf::Int(if shape == 1 { 0 } else { stride })).unwrap()
    });
    leaf.prop_recursive(2, 5, 3, |inner| {
        prop::collection::vec(inner, 1..4).prop_map(|modes| Layout::from_modes(modes).unwrap())
    })
}

/// A compact layout: the strides of some order of the modes, without a tie.
fn compact_layout() -> impl Strategy<Value = Layout> {
    let order = Just(vec![0_i64, 1, 2]).prop_shuffle();
    (prop::collection::vec(1_i64..6, 1..4), order).prop_map(|(extents, order)| {
        let order = Tree::flat(order.into_iter().take(extents.len()));
        cute::make_ordered_layout(&Tree::flat(extents), &order).unwrap()
    })
}

fn layouts() -> impl Strategy<Value = Layout> {
    prop_oneof![any_layout(), round_layout(), compact_layout()]
}

fn at(layout: &Layout, index: i64) -> i64 {
    match layout.at_index(index).unwrap() {
        Tree::Leaf(offset) => offset,
        Tree::Tuple(_) => panic!("{layout} has coordinates as values"),
    }
}

fn values(layout: &Layout) -> Vec<i64> {
    (0..layout.size()).map(|index| at(layout, index)).collect()
}

fn any(layout: &Layout) -> AnyLayout {
    layout.clone().into()
}

fn plain(layout: AnyLayout) -> Layout {
    layout.plain().expect("a plain layout stays plain").clone()
}

fn tiler(layout: &Layout) -> Tiler {
    Tiler::Layout(layout.clone())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 600, failure_persistence: None, max_global_rejects: 100_000, ..ProptestConfig::default()
    })]

    #[test]
    fn walking_gives_the_values_of_all_indices(a in layouts()) {
        prop_assert_eq!(a.walk().unwrap().collect::<Vec<_>>(), values(&a));
    }

    #[test]
    fn a_swizzle_is_its_own_inverse(b in 0_i64..6, m in 0_i64..6, s in -6_i64..7, x in 0_i64..1 << 20) {
        let swizzle = Swizzle::new(b, m, s).unwrap();
        prop_assert_eq!(swizzle.apply(swizzle.apply(x)), x);
    }

    #[test]
    fn composition_is_a_after_b(a in layouts(), b in layouts()) {
        let Ok(c) = composition(&any(&a), &tiler(&b)) else { return Ok(()) };
        let breach = contract::composition(&any(&a), &tiler(&b), &c);
        let c = plain(c);
        prop_assert_eq!(c.size(), b.size());
        let wrong = (0..b.size()).find(|&i| at(&c, i) != at(&a, at(&b, i)));
        match (&breach, wrong) {
            (None, None) => {}
            (Some(contract::Breach::Composition { index, .. }), Some(i)) => prop_assert_eq!(*index, i),
            _ => prop_assert!(false, "{a} o {b} = {c}: contract {breach:?}, wrong at {wrong:?}"),
        }
        // The result keeps the shape of B, mode by mode.
        prop_assert!(compatible(b.shape(), c.shape()), "{} and {}", b.shape(), c.shape());
    }

    #[test]
    fn coalescing_keeps_the_function(a in layouts()) {
        let c = plain(coalesce(&any(&a), None).unwrap());
        prop_assert_eq!(values(&c), values(&a));
        prop_assert!(c.depth() <= 1);
        prop_assert!(c.flat_modes().len() <= a.flat_modes().len().max(1));
    }

    #[test]
    fn reshaping_keeps_the_function(a in layouts()) {
        prop_assert_eq!(values(&plain(flatten(&any(&a)).unwrap())), values(&a));
        let grouped = plain(group_modes(&any(&a), 0, a.rank()).unwrap());
        prop_assert_eq!(values(&grouped), values(&a));
        let kept: BTreeSet<i64> = values(&plain(filter_zeros(&any(&a)).unwrap())).into_iter().collect();
        prop_assert_eq!(kept, values(&a).into_iter().collect::<BTreeSet<_>>());
    }

    #[test]
    fn a_right_inverse_undoes(a in layouts()) {
        let Ok(r) = right_inverse(&a) else { return Ok(()) };
        let wrong = (0..r.size()).find(|&i| at(&a, at(&r, i)) != i);
        prop_assert_eq!(contract::right_inverse(&a, &r).is_some(), wrong.is_some(), "{} of {}", r, a);
        prop_assert_eq!(wrong, None, "{} of {}", r, a);
    }

    #[test]
    fn a_left_inverse_is_undone(a in layouts()) {
        let Ok(l) = left_inverse(&a) else { return Ok(()) };
        let wrong = (0..a.size()).find(|&i| at(&l, at(&a, i)) != i);
        prop_assert_eq!(contract::left_inverse(&a, &l).is_some(), wrong.is_some(), "{} of {}", l, a);
        let injective = values(&a).into_iter().collect::<BTreeSet<_>>().len() == values(&a).len();
        prop_assert!(wrong.is_none() || !injective, "{} of {}", l, a);
    }

    #[test]
    fn a_complement_is_disjoint_ordered_and_complete(a in layouts(), cotarget in 1_i64..300) {
        let Ok(c) = complement(&a, &Tree::Leaf(cotarget)) else { return Ok(()) };
        let image: BTreeSet<i64> = values(&a).into_iter().collect();
        let breach = contract::complement(&a, cotarget, &c);
        if breach.is_some() {
            return Ok(());
        }
        let rest = values(&c);
        prop_assert!(rest.windows(2).all(|pair| pair[0] < pair[1]), "{} of {}", c, a);
        prop_assert!(rest.iter().skip(1).all(|value| !image.contains(value)), "{} of {}", c, a);
        let reached = i64::try_from(image.len()).unwrap() * c.size();
        prop_assert!(reached >= cotarget, "{} of {}", c, a);
    }

    #[test]
    fn dividing_composes_with_tile_and_rest(a in layouts(), b in round_layout()) {
        let Ok(divided) = logical_divide(&any(&a), &tiler(&b)) else { return Ok(()) };
        let rest = complement(&b, &Tree::Leaf(a.size())).unwrap();
        let both = Layout::from_modes([b.clone(), rest]).unwrap();
        if contract::composition(&any(&a), &tiler(&both), &divided).is_none() {
            let expected: Vec<i64> = values(&both).into_iter().map(|index| at(&a, index)).collect();
            prop_assert_eq!(values(&plain(divided)), expected, "{} by {}", a, b);
        }
    }

    #[test]
    fn exact_tiles_keep_the_image(a in compact_layout(), divisors in prop::collection::vec(1_i64..6, 1..4)) {
        let tiles: Vec<Tiler> = a
            .modes()
            .iter()
            .zip(&divisors)
            .map(|(mode, &tile)| Tiler::Shape(Tree::Leaf(if mode.size() % tile == 0 { tile } else { 1 })))
            .collect();
        let tiler = Tiler::Modes(tiles);
        let mut whole = values(&a);
        whole.sort_unstable();
        for divide in [logical_divide, zipped_divide, tiled_divide, flat_divide] {
            let divided = plain(divide(&any(&a), &tiler).unwrap());
            let mut parts = values(&divided);
            parts.sort_unstable();
            prop_assert_eq!(&parts, &whole, "{} by {}", &a, &tiler);
        }
    }

    #[test]
    fn a_product_repeats_the_block(a in layouts(), b in compact_layout()) {
        let Ok(product) = logical_product(&any(&a), &tiler(&b)) else { return Ok(()) };
        let product = plain(product);
        prop_assert_eq!(product.rank(), 2);
        prop_assert_eq!(values(&product.at_path(&[0]).unwrap()), values(&a));
        let copies = product.at_path(&[1]).unwrap();
        prop_assert_eq!(copies.size(), b.size());
        let distinct: BTreeSet<i64> = values(&product).into_iter().collect();
        // A block with holes that the copies do not fill evenly overlaps, and a warning says so.
        let of = |layout: &Layout| values(layout).into_iter().collect::<BTreeSet<_>>().len();
        let injective = values(&a).len() == of(&a);
        let breach = contract::no_overlap(&[&any(&a), &any(&b)], &any(&product));
        if injective {
            let overlaps = distinct.len() < of(&a) * of(&b);
            prop_assert_eq!(breach.is_some(), overlaps, "{} x {} = {}", &a, &b, &product);
        }
    }

    #[test]
    fn blocked_and_raked_products_are_the_logical_one_in_another_order(
        a in compact_layout(), b in compact_layout(),
    ) {
        let sorted = |layout: AnyLayout| {
            let mut values = values(&plain(layout));
            values.sort_unstable();
            values
        };
        let (Ok(blocked), Ok(raked)) = (blocked_product(&any(&a), &b), raked_product(&any(&a), &b))
            else { return Ok(()) };
        let all: Vec<i64> = (0..a.size() * b.size()).collect();
        for product in [blocked, raked] {
            let breach = contract::no_overlap(&[&any(&a), &any(&b)], &product);
            let text = product.to_string();
            let same = sorted(product) == all;
            prop_assert_eq!(breach.is_none(), same, "{} x {} = {}", &a, &b, &text);
        }
    }

    #[test]
    fn a_tv_layout_gives_every_cell_one_owner(thr in compact_layout(), val in compact_layout()) {
        let Ok((tiler, tv)) = make_layout_tv(&thr, &val) else { return Ok(()) };
        if contract::layout_tv(&thr, &val, &tv).is_some() {
            return Ok(());
        }
        prop_assert_eq!(tiler.product().unwrap(), thr.size() * val.size());
        let mut cells = values(&tv);
        cells.sort_unstable();
        prop_assert_eq!(cells, (0..tv.size()).collect::<Vec<_>>());
    }
}

/// Returns whether `fine` refines `coarse`: the same sizes, at least as many modes.
fn compatible(coarse: &IntTuple, fine: &IntTuple) -> bool {
    match (coarse, fine) {
        (Tree::Leaf(size), _) => fine.product().unwrap() == *size,
        (Tree::Tuple(a), Tree::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compatible(a, b))
        }
        (Tree::Tuple(_), Tree::Leaf(_)) => false,
    }
}
