//! The second model: bytes of every lane listed one by one, grouped by phase, counted by hand.
//!
//! It reads only a function (thread, value) -> bit and shares no code with the product.

use crate::common::in_parallel;
use mdbook_cute::hardware::memory::{
    AddressMap, LaneAccess, bank_conflicts, coalescing, vector_width,
};
use std::collections::{BTreeMap, BTreeSet};

/// A seeded generator, so that a failing case can be run again.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).unwrap()]
    }
}

/// One random access pattern.
#[derive(Debug)]
struct Pattern {
    threads: usize,
    values: usize,
    bits: i64,
    base: i64,
    /// Extent and stride of the modes of the thread, then of the value.
    thread_modes: Vec<(i64, i64)>,
    value_modes: Vec<(i64, i64)>,
    swizzle: Option<(u32, u32, u32)>,
    /// Every how many threads one is idle.
    idle: Option<usize>,
}

impl Pattern {
    fn random(random: &mut Random) -> Self {
        let bits = random.pick(&[4, 8, 8, 16, 16, 16, 32, 32, 32, 64, 128]);
        let mut next = 1;
        let mut modes = |random: &mut Random, extents: &[i64], count: u64| {
            (0..count)
                .map(|_| {
                    let extent = random.pick(extents);
                    let stride = match random.below(8) {
                        0 => 0,
                        1 => random.pick(&[1, 2, 3, 4, 8, 16, 32, 33, 40, 64, 128]),
                        _ => next,
                    };
                    next = (next * extent).min(1 << 20);
                    (extent, stride)
                })
                .collect::<Vec<_>>()
        };
        let (count_values, count_threads) = (1 + random.below(2), 1 + random.below(3));
        let (thread_modes, value_modes) = if random.below(3) > 0 {
            let values = modes(random, &[1, 2, 4, 8], count_values);
            (modes(random, &[2, 3, 4, 8, 16], count_threads), values)
        } else {
            let threads = modes(random, &[2, 4, 8, 16, 32], count_threads);
            (threads, modes(random, &[1, 2, 3, 4], count_values))
        };
        let product =
            |modes: &[(i64, i64)]| modes.iter().map(|(extent, _)| extent).product::<i64>();
        Self {
            threads: usize::try_from(product(&thread_modes)).unwrap().min(160),
            values: usize::try_from(product(&value_modes)).unwrap(),
            bits,
            base: random.pick(&[0, 0, 0, 4, 8, 16, 64, 2]),
            thread_modes,
            value_modes,
            swizzle: (random.below(3) == 0).then(|| {
                let b = 1 + random.below(3);
                let numbers = [b, random.below(5), b + random.below(3)];
                let [b, m, s] = numbers.map(|number| u32::try_from(number).unwrap());
                (b, m, s)
            }),
            idle: (random.below(5) == 0).then(|| usize::try_from(2 + random.below(5)).unwrap()),
        }
    }

    /// The first bit of a value, if its thread is not idle.
    fn at(&self, thread: usize, value: usize) -> Option<i64> {
        if self.idle.is_some_and(|every| thread % every == 1) {
            return None;
        }
        let mut offset = 0;
        for (modes, index) in [(&self.thread_modes, thread), (&self.value_modes, value)] {
            let mut index = i64::try_from(index).unwrap();
            for (extent, stride) in modes {
                offset += index % extent * stride;
                index /= extent;
            }
        }
        if let Some((b, m, s)) = self.swizzle {
            let mut moved = offset;
            for bit in 0..b {
                if offset >> (m + s + bit) & 1 == 1 {
                    moved ^= 1 << (m + bit);
                }
            }
            offset = moved;
        }
        Some(self.base * 8 + offset * self.bits)
    }

    /// The widest access, by trying every width from its definition.
    fn width(&self, max_bytes: i64) -> usize {
        let mut best = 1;
        for width in [2_usize, 4, 8, 16, 32, 64] {
            let size = i64::try_from(width).unwrap() * self.bits;
            if !self.values.is_multiple_of(width) || size > max_bytes * 8 || size < 8 {
                continue;
            }
            let mut fits = true;
            for thread in 0..self.threads {
                for block in 0..self.values / width {
                    let Some(start) = self.at(thread, block * width) else { continue };
                    fits &= start % size == 0;
                    for i in 0..width {
                        let expected = start + i64::try_from(i).unwrap() * self.bits;
                        fits &= self.at(thread, block * width + i) == Some(expected);
                    }
                }
            }
            if fits {
                best = width;
            }
        }
        best
    }

    /// Every byte that a lane touches in one access.
    fn bytes(&self, thread: usize, first: usize, width: usize) -> BTreeSet<i64> {
        let mut bytes = BTreeSet::new();
        if thread < self.threads {
            for value in first..first + width {
                if let Some(start) = self.at(thread, value) {
                    bytes.extend(start.div_euclid(8)..=(start + self.bits - 1).div_euclid(8));
                }
            }
        }
        bytes
    }
}

/// Compares both models on one pattern; returns how many phases collide, whether a thread takes several
/// values at once, and how many accesses waste a sector.
fn compare(case: usize, pattern: &Pattern) -> (usize, usize, usize) {
    let (mut conflicts, mut vectors, mut wasteful) = (0, 0, 0);
    let cells = (0..pattern.values)
        .flat_map(|v| (0..pattern.threads).map(move |t| (t, v)))
        .map(|(t, v)| pattern.at(t, v).map(|bit| (bit - pattern.base * 8) / pattern.bits));
    let (threads, values) = (pattern.threads, pattern.values);
    let map =
        AddressMap::new(threads, values, pattern.bits, pattern.base, cells.collect::<Vec<_>>());
    let map = map.unwrap();

    for max_bytes in [16, 32] {
        let ours = vector_width(&map, max_bytes);
        let theirs = pattern.width(max_bytes);
        assert_eq!(ours.elements, theirs, "case {case}: {pattern:?}");
    }
    let width = vector_width(&map, 16);
    vectors += usize::from(width.elements > 1);

    let count = coalescing(&map, &width);
    let mut issues = count.issues.iter();
    let mut everything = BTreeSet::new();
    let mut moved = 0;
    for warp in 0..pattern.threads.div_ceil(32) {
        for (issue, first) in (0..pattern.values).step_by(width.elements).enumerate() {
            let lanes: Vec<_> = (0..32)
                .map(|lane| pattern.bytes(warp * 32 + lane, first, width.elements))
                .filter(|bytes| !bytes.is_empty())
                .collect();
            if lanes.is_empty() {
                continue;
            }
            let all: BTreeSet<i64> = lanes.iter().flatten().copied().collect();
            let blocks = |size: i64| {
                all.iter().map(|byte| byte.div_euclid(size)).collect::<BTreeSet<_>>().len()
            };
            let ours = issues.next().unwrap();
            assert_eq!((ours.warp, ours.issue), (warp, issue), "case {case}: {pattern:?}");
            let theirs = [
                blocks(32),
                all.len().div_ceil(32),
                blocks(128),
                lanes.iter().map(BTreeSet::len).sum(),
                all.len(),
                blocks(32) * 32,
            ];
            let ours = [
                ours.sectors,
                ours.ideal,
                ours.lines,
                ours.bytes_asked,
                ours.bytes_distinct,
                ours.bytes_moved,
            ];
            let ours = ours.map(|number| usize::try_from(number).unwrap());
            assert_eq!(ours, theirs, "case {case}: {pattern:?}");
            wasteful += usize::from(theirs[0] > theirs[1]);
            moved += theirs[5];
            everything.extend(all);
        }
    }
    assert!(issues.next().is_none(), "case {case}");
    assert_eq!(count.bytes_moved, i64::try_from(moved).unwrap());
    assert_eq!(count.bytes_distinct, i64::try_from(everything.len()).unwrap());

    let access = LaneAccess::Vector { elements: width.elements, bits: width.bits };
    let banks = bank_conflicts(&map, access);
    let group = match i64::try_from(width.elements).unwrap() * pattern.bits {
        128 => 8,
        64 => 16,
        _ => 32,
    };
    let mut phases = banks.phases.iter();
    let mut worst = (0, 0);
    for warp in 0..pattern.threads.div_ceil(32) {
        for (issue, first) in (0..pattern.values).step_by(width.elements).enumerate() {
            let (mut wavefronts, mut active) = (0, 0);
            for phase in 0..32 / group {
                let mut wanted: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
                let mut askers: BTreeMap<i64, BTreeSet<usize>> = BTreeMap::new();
                for lane in phase * group..(phase + 1) * group {
                    for byte in pattern.bytes(warp * 32 + lane, first, width.elements) {
                        let word = byte.div_euclid(4);
                        wanted.entry(word.rem_euclid(32)).or_default().insert(word);
                        askers.entry(word.rem_euclid(32)).or_default().insert(lane);
                    }
                }
                let Some(ways) = wanted.values().map(BTreeSet::len).max() else { continue };
                let bank = *wanted.iter().find(|(_, words)| words.len() == ways).unwrap().0;
                let ours = phases.next().unwrap();
                assert_eq!(
                    (ours.warp, ours.issue, ours.phase, ours.ways),
                    (warp, issue, phase, ways),
                    "case {case}: {pattern:?}"
                );
                assert_eq!(i64::try_from(ours.bank).unwrap(), bank, "case {case}: {pattern:?}");
                assert!(ours.lanes().eq(askers[&bank].iter().copied()), "case {case}");
                wavefronts += ways;
                active += 1;
                conflicts += usize::from(ways > 1);
            }
            if wavefronts > worst.0 || wavefronts == worst.0 && active < worst.1 {
                worst = (wavefronts, active);
            }
        }
    }
    assert!(phases.next().is_none(), "case {case}: {pattern:?}");
    assert_eq!((banks.wavefronts, banks.wavefronts_ideal), worst, "case {case}: {pattern:?}");
    (conflicts, vectors, wasteful)
}

#[test]
fn thousands_of_random_patterns_agree_with_a_model_that_lists_bytes() {
    let mut random = Random(0x5eed_2026);
    let patterns: Vec<(usize, Pattern)> =
        (0..2500).map(|case| (case, Pattern::random(&mut random))).collect();
    let counts = in_parallel(&patterns, |(case, pattern)| compare(*case, pattern));
    let (conflicts, vectors, wasteful) = counts
        .into_iter()
        .fold((0, 0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1, sum.2 + one.2));
    // The generator has to reach what it is for.
    assert!(
        conflicts > 1000 && vectors > 300 && wasteful > 1000,
        "{conflicts} {vectors} {wasteful}"
    );
}
