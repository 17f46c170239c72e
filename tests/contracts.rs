//! Answers that break the promise of their operation warn, and the others do not.
//!
//! In: random operands. Out: nothing. Each promise is counted out here from single coordinates; the
//! long runs are for a release build: `cargo test --release --test contracts -- --ignored`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a broken law should stop here")]

mod common;

use common::laws::{Case, Outcome, law};
use mdbook_cute::cute::algebra::{Form, checked, coalesce, complement};
use mdbook_cute::cute::{
    AnyLayout, ComposedLayout, Inner, Layout, StrideLeaf, Swizzle, Tensor, Tiler, Tree,
};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use std::collections::BTreeSet;

const FEW: u32 = 400;
const MANY: u32 = 10_000;

/// A layout of one to `rank` modes with small extents.
fn flat(rank: usize) -> impl Strategy<Value = Layout> {
    let stride = prop_oneof![Just(0_i64), Just(1), 1_i64..10, (0_u32..6).prop_map(|n| 1 << n)];
    let mode = (1_i64..7, stride);
    prop::collection::vec(mode, 1..=rank).prop_map(|modes| {
        let (shape, stride): (Vec<_>, Vec<_>) = modes.into_iter().unzip();
        let stride = stride.into_iter().map(StrideLeaf::Int);
        Layout::new(Tree::flat(shape), Tree::flat(stride)).unwrap()
    })
}

fn swizzled() -> impl Strategy<Value = AnyLayout> {
    (flat(2), 0_i64..3, 0_i64..3, prop::sample::select(vec![-3_i64, -2, 2, 3])).prop_map(
        |(outer, b, m, s)| {
            let inner = Inner::Swizzle(Swizzle::new(b, m, s).unwrap());
            ComposedLayout::new(inner, Tree::Leaf(0), outer).unwrap().into()
        },
    )
}

fn any() -> impl Strategy<Value = AnyLayout> {
    prop_oneof![3 => flat(3).prop_map(AnyLayout::from), 1 => swizzled()]
}

fn at(layout: &AnyLayout, index: i64) -> i64 {
    *layout.at(&Tree::Leaf(index)).unwrap().leaf().unwrap()
}

fn of(layout: &Layout, index: i64) -> i64 {
    *layout.at_index(index).unwrap().leaf().unwrap()
}

fn values(layout: &AnyLayout) -> Vec<i64> {
    (0..layout.size()).map(|index| at(layout, index)).collect()
}

fn injective(layout: &AnyLayout) -> bool {
    let all = values(layout);
    all.iter().collect::<BTreeSet<_>>().len() == all.len()
}

fn agree(holds: bool, keeps: bool, case: impl std::fmt::Display) -> Outcome {
    if holds == keeps {
        Ok(Case::Held)
    } else {
        Err(TestCaseError::fail(format!("{case}: warns {}, breaks {}", !holds, !keeps)))
    }
}

/// `C(t, r) = A(tile(t) + rest(r))`, and no offset that A does not have.
fn divides(cases: u32) {
    law(cases, cases / 3, (any(), flat(2)), |(a, tile)| {
        let tiler = Tiler::Layout(tile.clone());
        let Ok(divided) = checked::divide(&a, &tiler, Form::Logical) else {
            return Ok(Case::PassedOver);
        };
        let whole = coalesce(&a.domain().clone().into(), None).unwrap();
        let rest = complement(&tile, whole.shape()).unwrap();
        let has: BTreeSet<i64> = values(&a).into_iter().collect();
        let mut keeps = !injective(&a) || injective(&divided.value);
        for r in 0..rest.size() {
            for t in 0..tile.size() {
                let place = of(&tile, t) + of(&rest, r);
                let got = at(&divided.value, t + tile.size() * r);
                keeps &= has.contains(&got) && (place >= a.size() || got == at(&a, place));
            }
        }
        agree(divided.holds(), keeps, format!("{a} / {tile} = {}", divided.value))
    });
}

/// Every form, and `local_tile`, inherits what the logical divide by mode breaks.
fn divides_by_mode(cases: u32) {
    let two = || flat(2).prop_filter("two modes", |a| a.rank() == 2);
    law(cases, cases / 3, (two(), flat(1), flat(1)), |(a, first, second)| {
        let a: AnyLayout = a.into();
        let part = |tile: &Layout| Tiler::Layout(tile.clone());
        let tiler = Tiler::Modes(vec![part(&first), part(&second)]);
        let Ok(flat) = checked::divide(&a, &tiler, Form::Flat) else { return Ok(Case::PassedOver) };
        let mut keeps = !injective(&a) || injective(&flat.value);
        let has: BTreeSet<i64> = values(&a).into_iter().collect();
        keeps &= values(&flat.value).iter().all(|value| has.contains(value));
        let modes = a.domain().modes();
        let places: Vec<Vec<i64>> = [&first, &second]
            .iter()
            .zip(&modes)
            .map(|(tile, mode)| {
                let whole = coalesce(&mode.clone().into(), None).unwrap();
                let rest = complement(tile, whole.shape()).unwrap();
                (0..tile.size() * rest.size())
                    .map(|i| of(tile, i % tile.size()) + of(&rest, i / tile.size()))
                    .collect()
            })
            .collect();
        let logical = checked::divide(&a, &tiler, Form::Logical).unwrap();
        for (j, &q) in places[1].iter().enumerate() {
            for (i, &p) in places[0].iter().enumerate() {
                let index = i64::try_from(i + places[0].len() * j).unwrap();
                if p < modes[0].size() && q < modes[1].size() {
                    keeps &= at(&logical.value, index) == of(&modes[0], p) + of(&modes[1], q);
                }
            }
        }
        agree(logical.holds(), keeps, format!("{a} / {tiler} = {}", logical.value))?;
        let tensor = Tensor { offset: Tree::Leaf(0), layout: a.clone() };
        let origin = Tree::flat([0, 0]);
        let tile = checked::local_tile(&tensor, &tiler, &(&origin).into(), None).unwrap();
        agree(tile.holds(), keeps, format!("local_tile of {a} by {tiler}"))?;
        agree(flat.holds(), keeps, format!("{a} / {tiler} = {}", flat.value))
    });
}

/// `C(b, j) = A(b) + rest(tiler(j))`.
fn products(cases: u32) {
    law(cases, cases / 4, (flat(2), flat(2)), |(block, tiler)| {
        let (a, by): (AnyLayout, AnyLayout) = (block.clone().into(), tiler.clone().into());
        let Ok(product) = checked::product(&a, &Tiler::Layout(tiler.clone()), Form::Logical) else {
            return Ok(Case::PassedOver);
        };
        let room = block.size() * tiler.cosize().unwrap();
        let rest = complement(&block, &Tree::Leaf(room)).unwrap();
        let mut keeps = !(injective(&a) && injective(&by)) || injective(&product.value);
        for j in 0..tiler.size() {
            for b in 0..block.size() {
                let want = of(&block, b) + of(&rest, of(&tiler, j));
                keeps &= at(&product.value, b + block.size() * j) == want;
            }
        }
        agree(product.holds(), keeps, format!("{block} x {tiler} = {}", product.value))
    });
}

/// The same bits, each as often.
fn recasts(cases: u32) {
    let width = || prop::sample::select(vec![4_i64, 6, 8, 16, 32]);
    law(cases, cases / 3, (any(), width(), width()), |(a, old, new)| {
        let Ok(recast) = checked::recast_layout_cxx(new, old, &a) else {
            return Ok(Case::PassedOver);
        };
        let bits = |layout: &AnyLayout, width: i64| {
            let mut bits: Vec<i64> = values(layout)
                .into_iter()
                .flat_map(|offset| offset * width..(offset + 1) * width)
                .collect();
            bits.sort_unstable();
            bits
        };
        let keeps = bits(&a, old) == bits(&recast.value, new);
        agree(recast.holds(), keeps, format!("{a} from {old} to {new} bits: {}", recast.value))
    });
}

/// `moved(c) = T(c + d)`.
fn moved_origins(cases: u32) {
    law(cases, cases / 3, (any(), 0_i64..4, 0_i64..4), |(a, i, j)| {
        if a.rank() != 2 || i >= of_mode(&a, 0) || j >= of_mode(&a, 1) {
            return Ok(Case::PassedOver);
        }
        let tensor = Tensor { offset: Tree::Leaf(3), layout: a.clone() };
        let moved = checked::domain_offset(&Tree::flat([i, j]), &tensor).unwrap();
        let mut keeps = true;
        for r in 0..of_mode(&a, 0) - i {
            for c in 0..of_mode(&a, 1) - j {
                let there = tensor.at(&Tree::flat([r + i, c + j])).unwrap();
                keeps &= moved.value.at(&Tree::flat([r, c])).unwrap() == there;
            }
        }
        agree(moved.holds(), keeps, format!("{a} from ({i},{j})"))
    });
}

fn of_mode(a: &AnyLayout, mode: usize) -> i64 {
    a.domain().modes()[mode].size()
}

/// The extents that were asked for, no new overlap, no offset past the cosize.
fn tiles_to_shapes(cases: u32) {
    law(cases, cases / 3, (any(), 1_i64..25, 1_i64..25), |(a, rows, cols)| {
        let shape = Tree::flat([rows, cols]);
        let Ok(tiled) = checked::tile_to_shape(&a, &shape, None) else {
            return Ok(Case::PassedOver);
        };
        let modes = tiled.value.domain().modes();
        let (has, cosize) = (values(&tiled.value), tiled.value.cosize().unwrap());
        let keeps = modes[0].size() <= rows
            && modes[1].size() <= cols
            && (!injective(&a) || injective(&tiled.value))
            && (tiled.value.plain().is_some() || has.iter().all(|&value| value < cosize));
        agree(tiled.holds(), keeps, format!("{a} to {shape}: {}", tiled.value))
    });
}

#[test]
fn a_warning_and_a_broken_promise_go_together() {
    for operation in OPERATIONS {
        operation(FEW);
    }
}

#[test]
#[ignore = "10,000 cases of each operation: for a release build"]
fn a_warning_and_a_broken_promise_go_together_in_many_cases() {
    for operation in OPERATIONS {
        operation(MANY);
    }
}

const OPERATIONS: [fn(u32); 6] =
    [divides, divides_by_mode, products, recasts, moved_origins, tiles_to_shapes];
