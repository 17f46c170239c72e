//! What the operations of the algebra are by definition, on random layouts.
//!
//! In: random layouts of integers, nested up to two levels. Out: nothing; each law compares values
//! that were computed one coordinate at a time, not by the walk that the engine uses. A result that
//! the engine itself warns about (its `contract`) must break the law at the place that it names.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a broken law should stop here")]

mod common;

use common::laws::{Case, law};
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

/// Random cases of each law. A floor lies well below what was counted, so that chance breaks none.
const CASES: u32 = 600;

#[test]
fn walking_gives_the_values_of_all_indices() {
    law(CASES, CASES, layouts(), |a| {
        prop_assert_eq!(a.walk().unwrap().collect::<Vec<_>>(), values(&a));
        Ok(Case::Held)
    });
}

#[test]
fn a_swizzle_is_its_own_inverse() {
    law(CASES, 150, (0_i64..6, 0_i64..6, -6_i64..7, 0_i64..1 << 20), |(b, m, s, x)| {
        let swizzle = Swizzle::new(b, m, s).unwrap();
        let moved = swizzle.apply(x);
        prop_assert_eq!(swizzle.apply(moved), x);
        Ok(if moved == x { Case::PassedOver } else { Case::Held })
    });
}

#[test]
fn composition_is_a_after_b() {
    law(CASES, 420, (layouts(), layouts()), |(a, b)| {
        let Ok(c) = composition(&any(&a), &tiler(&b)) else { return Ok(Case::PassedOver) };
        let breach = contract::composition(&any(&a), &tiler(&b), &c);
        let c = plain(c);
        prop_assert_eq!(c.size(), b.size());
        let wrong = (0..b.size()).find(|&i| at(&c, i) != at(&a, at(&b, i)));
        match (&breach, wrong) {
            (None, None) => {}
            (Some(contract::Breach::Composition { index, .. }), Some(i)) => {
                prop_assert_eq!(*index, i);
            }
            _ => prop_assert!(false, "{a} o {b} = {c}: contract {breach:?}, wrong at {wrong:?}"),
        }
        // The result keeps the shape of B, mode by mode.
        prop_assert!(compatible(b.shape(), c.shape()), "{} and {}", b.shape(), c.shape());
        Ok(Case::Held)
    });
}

#[test]
fn coalescing_keeps_the_function() {
    law(CASES, CASES, layouts(), |a| {
        let c = plain(coalesce(&any(&a), None).unwrap());
        prop_assert_eq!(values(&c), values(&a));
        prop_assert!(c.depth() <= 1);
        prop_assert!(c.flat_modes().len() <= a.flat_modes().len().max(1));
        Ok(Case::Held)
    });
}

#[test]
fn reshaping_keeps_the_function() {
    law(CASES, CASES, layouts(), |a| {
        prop_assert_eq!(values(&plain(flatten(&any(&a)).unwrap())), values(&a));
        let grouped = plain(group_modes(&any(&a), 0, a.rank()).unwrap());
        prop_assert_eq!(values(&grouped), values(&a));
        let kept: BTreeSet<i64> =
            values(&plain(filter_zeros(&any(&a)).unwrap())).into_iter().collect();
        prop_assert_eq!(kept, values(&a).into_iter().collect::<BTreeSet<_>>());
        Ok(Case::Held)
    });
}

#[test]
fn a_right_inverse_undoes() {
    law(CASES, 550, layouts(), |a| {
        let Ok(r) = right_inverse(&a) else { return Ok(Case::PassedOver) };
        let wrong = (0..r.size()).find(|&i| at(&a, at(&r, i)) != i);
        prop_assert_eq!(
            contract::right_inverse(&a, &r).is_some(),
            wrong.is_some(),
            "{} of {}",
            r,
            a
        );
        prop_assert_eq!(wrong, None, "{} of {}", r, a);
        Ok(Case::Held)
    });
}

#[test]
fn a_left_inverse_is_undone() {
    law(CASES, 500, layouts(), |a| {
        let Ok(l) = left_inverse(&a) else { return Ok(Case::PassedOver) };
        let wrong = (0..a.size()).find(|&i| at(&l, at(&a, i)) != i);
        prop_assert_eq!(
            contract::left_inverse(&a, &l).is_some(),
            wrong.is_some(),
            "{} of {}",
            l,
            a
        );
        let injective = values(&a).into_iter().collect::<BTreeSet<_>>().len() == values(&a).len();
        prop_assert!(wrong.is_none() || !injective, "{} of {}", l, a);
        Ok(Case::Held)
    });
}

#[test]
fn a_complement_is_disjoint_ordered_and_complete() {
    law(CASES, 420, (layouts(), 1_i64..300), |(a, cotarget)| {
        let Ok(c) = complement(&a, &Tree::Leaf(cotarget)) else { return Ok(Case::PassedOver) };
        let image: BTreeSet<i64> = values(&a).into_iter().collect();
        let breach = contract::complement(&a, cotarget, &c);
        if breach.is_some() {
            return Ok(Case::PassedOver);
        }
        let rest = values(&c);
        prop_assert!(rest.windows(2).all(|pair| pair[0] < pair[1]), "{} of {}", c, a);
        prop_assert!(rest.iter().skip(1).all(|value| !image.contains(value)), "{} of {}", c, a);
        let reached = i64::try_from(image.len()).unwrap() * c.size();
        prop_assert!(reached >= cotarget, "{} of {}", c, a);
        Ok(Case::Held)
    });
}

#[test]
fn dividing_composes_with_tile_and_rest() {
    law(CASES, 310, (layouts(), round_layout()), |(a, b)| {
        let Ok(divided) = logical_divide(&any(&a), &tiler(&b)) else { return Ok(Case::PassedOver) };
        let rest = complement(&b, &Tree::Leaf(a.size())).unwrap();
        let both = Layout::from_modes([b.clone(), rest]).unwrap();
        if contract::composition(&any(&a), &tiler(&both), &divided).is_some() {
            return Ok(Case::PassedOver);
        }
        let expected: Vec<i64> = values(&both).into_iter().map(|index| at(&a, index)).collect();
        prop_assert_eq!(values(&plain(divided)), expected, "{} by {}", a, b);
        Ok(Case::Held)
    });
}

#[test]
fn exact_tiles_keep_the_image() {
    law(
        CASES,
        CASES,
        (compact_layout(), prop::collection::vec(1_i64..6, 1..4)),
        |(a, divisors)| {
            let tiles: Vec<Tiler> = a
                .modes()
                .iter()
                .zip(&divisors)
                .map(|(mode, &tile)| {
                    Tiler::Shape(Tree::Leaf(if mode.size() % tile == 0 { tile } else { 1 }))
                })
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
            Ok(Case::Held)
        },
    );
}

#[test]
fn a_product_repeats_the_block() {
    law(CASES, 290, (layouts(), compact_layout()), |(a, b)| {
        let Ok(product) = logical_product(&any(&a), &tiler(&b)) else {
            return Ok(Case::PassedOver);
        };
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
        if !injective {
            return Ok(Case::PassedOver);
        }
        let overlaps = distinct.len() < of(&a) * of(&b);
        prop_assert_eq!(breach.is_some(), overlaps, "{} x {} = {}", &a, &b, &product);
        Ok(Case::Held)
    });
}

#[test]
fn blocked_and_raked_products_are_the_logical_one_in_another_order() {
    law(CASES, 550, (compact_layout(), compact_layout()), |(a, b)| {
        let sorted = |layout: AnyLayout| {
            let mut values = values(&plain(layout));
            values.sort_unstable();
            values
        };
        let (Ok(blocked), Ok(raked)) = (blocked_product(&any(&a), &b), raked_product(&any(&a), &b))
        else {
            return Ok(Case::PassedOver);
        };
        let all: Vec<i64> = (0..a.size() * b.size()).collect();
        for product in [blocked, raked] {
            let breach = contract::no_overlap(&[&any(&a), &any(&b)], &product);
            let text = product.to_string();
            let same = sorted(product) == all;
            prop_assert_eq!(breach.is_none(), same, "{} x {} = {}", &a, &b, &text);
        }
        Ok(Case::Held)
    });
}

#[test]
fn a_tv_layout_gives_every_cell_one_owner() {
    law(CASES, 550, (compact_layout(), compact_layout()), |(thr, val)| {
        let Ok((tiler, tv)) = make_layout_tv(&thr, &val) else { return Ok(Case::PassedOver) };
        if contract::layout_tv(&thr, &val, &tv).is_some() {
            return Ok(Case::PassedOver);
        }
        prop_assert_eq!(tiler.product().unwrap(), thr.size() * val.size());
        let mut cells = values(&tv);
        cells.sort_unstable();
        prop_assert_eq!(cells, (0..tv.size()).collect::<Vec<_>>());
        Ok(Case::Held)
    });
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
