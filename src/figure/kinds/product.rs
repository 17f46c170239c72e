//! Kind `product`: a block repeated, in one colour for each copy.
//!
//! In: the block `A`, the `tiler` that says where copies go, the form `op` and maybe a second one
//! `with`. Out: block, tiler and results; every form as a fact. Invariant: a copy has the same
//! colour in every panel, and cells that share an offset with another one are marked and counted.

use crate::cute::algebra::contract;
use crate::cute::algebra::{
    blocked_product, flat_product, logical_product, raked_product, tiled_product, zipped_product,
};
use crate::cute::{AnyLayout, Error, Layout, Result as CuteResult, StrideLeaf, Tiler, Tree};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::look::{FOLD, HIGHLIGHT, Look, Picked, SHOW, room};
use crate::figure::canvas::occupancy::{Occupancy, Values};
use crate::figure::canvas::reading::{Reading, unchecked};
use crate::figure::canvas::sheet::Sheet;
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::key::{Key, KeyDef, Role};
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{DeepLink, KindDef, OpDef, OpKey, Thumbnail, Use};
use crate::figure::input::value::{Choice, Expression, Word, Words};
use crate::figure::kinds::divide::main_facts;
use crate::figure::model::figure::{Figure, Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Mark, Scale};
use std::collections::HashMap;

pub(super) static DEF: KindDef = KindDef {
    name: "product",
    doc: "A layout repeated.",
    op: Some(&OP),
    ops: OPS,
    thumbnail: Thumbnail::Result,
    deep_links: &[
        DeepLink { word: "logical_product", op: Some("logical"), keys: &[&A, &TILER] },
        DeepLink { word: "zipped_product", op: Some("zipped"), keys: &[&A, &TILER] },
        DeepLink { word: "tiled_product", op: Some("tiled"), keys: &[&A, &TILER] },
        DeepLink { word: "flat_product", op: Some("flat"), keys: &[&A, &TILER] },
        DeepLink { word: "blocked_product", op: Some("blocked"), keys: &[&A, &TILER] },
        DeepLink { word: "raked_product", op: Some("raked"), keys: &[&A, &TILER] },
    ],
};

static OP: OpKey = OpKey { doc: "The form.", ops: OPS };

static OPS: &[OpDef] = &[
    OpDef {
        name: "logical",
        doc: "The block, then the layout of its copies.",
        keys: &[KEYS, WITH_RAKED],
        build: |keys| build(keys, Form::Logical),
        example: "A = (2,2):(1,2)\ntiler = (3,4):(4,1)",
    },
    OpDef {
        name: "zipped",
        doc: "As logical, with one mode for the block and one for the copies.",
        keys: &[KEYS, WITH_RAKED],
        build: |keys| build(keys, Form::Zipped),
        example: "A = (2,2):(1,2)\ntiler = (3,4):(4,1)",
    },
    OpDef {
        name: "tiled",
        doc: "The block, then one mode per mode of the tiler.",
        keys: &[KEYS, WITH_RAKED],
        build: |keys| build(keys, Form::Tiled),
        example: "A = (2,2):(1,2)\ntiler = (3,4):(4,1)",
    },
    OpDef {
        name: "flat",
        doc: "Every mode of the block, then every mode of the tiler.",
        keys: &[KEYS, WITH_RAKED],
        build: |keys| build(keys, Form::Flat),
        example: "A = (2,2):(1,2)\ntiler = (3,4):(4,1)",
    },
    OpDef {
        name: "blocked",
        doc: "Copies side by side, mode by mode.",
        keys: &[KEYS, WITH_RAKED],
        build: |keys| build(keys, Form::Blocked),
        example: "A = (2,2):(1,2)\ntiler = (3,4):(4,1)",
    },
    OpDef {
        name: "raked",
        doc: "Copies interleaved, mode by mode.",
        keys: &[KEYS, WITH_BLOCKED],
        build: |keys| build(keys, Form::Raked),
        example: "A = (2,2):(1,2)\ntiler = (3,4):(4,1)",
    },
];

static FORMS: Words<Form> = &[
    ("logical", Form::Logical),
    ("zipped", Form::Zipped),
    ("tiled", Form::Tiled),
    ("flat", Form::Flat),
    ("blocked", Form::Blocked),
    ("raked", Form::Raked),
];

static KEYS: &[Use] = &[
    Use::required(&A, "A = (2,2):(2,1)"),
    Use::required(&TILER, "tiler = (3,4):(1,3)"),
    Use::optional(&COLOR, "color = value"),
    Use::optional(&SHOW, "show = index"),
    Use::optional(&HIGHLIGHT, "highlight = 0"),
    Use::optional(&FOLD, "fold = flat\nA = (2,2,2):(1,2,4)\ntiler = 2"),
];

static WITH_RAKED: &[Use] = &[Use::optional(&WITH, "with = raked")];
static WITH_BLOCKED: &[Use] = &[Use::optional(&WITH, "with = blocked")];

static A: Key<Expression> = Key::new("A", Expression::ANY, "The block that is repeated.");

static TILER: Key<Expression> = Key::new("tiler", Expression::ANY, "How the copies are laid out.");

static WITH: Key<Word<Form>> = Key::new("with", Word(FORMS), "A second form beside it.");

static COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[("copy", Color::Copy), ("value", Color::Value), ("none", Color::None)]),
    "What the colors mean.",
)
.role(Role::Look);

/// A form of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Logical,
    Zipped,
    Tiled,
    Flat,
    Blocked,
    Raked,
}

impl Form {
    /// Returns the word of the keys `op` and `with`, which names the fact, too.
    const fn word(self) -> &'static str {
        match self {
            Self::Logical => "logical",
            Self::Zipped => "zipped",
            Self::Tiled => "tiled",
            Self::Flat => "flat",
            Self::Blocked => "blocked",
            Self::Raked => "raked",
        }
    }

    /// Returns the function of CuTe.
    const fn function(self) -> &'static str {
        match self {
            Self::Logical => "logical_product",
            Self::Zipped => "zipped_product",
            Self::Tiled => "tiled_product",
            Self::Flat => "flat_product",
            Self::Blocked => "blocked_product",
            Self::Raked => "raked_product",
        }
    }
}

/// What colours mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Color {
    Copy,
    Value,
    None,
}

/// Builds the figure.
///
/// # Errors
/// Products that CuTe refuses, at `tiler`; keys that do not fit.
fn build(keys: &Keys<'_>, form: Form) -> Result<Figure, Problem> {
    let block = keys.layout(&A)?;
    let tiler = keys.tiler(&TILER)?;
    let look = Look::read(keys)?;
    let color = keys.get(&COLOR);
    let with = keys.get(&WITH).filter(|with| *with != form);

    let main = Product::of(keys, &OP, &block, &tiler, form)?;
    let second = with.map(|with| Product::of(keys, &WITH, &block, &tiler, with)).transpose()?;
    let picked = look.picked(keys, main.reading.layout().shape())?;
    let drawing = Drawing { look: &look, color, copies: main.copies };
    let mut notes = Vec::new();

    let mut panels = vec![drawing.block(keys, &block, &mut notes)?];
    panels.extend(drawing.tiler(&tiler, &mut notes).map_err(|e| keys.problem(&TILER, e))?);
    let sides = 1 + usize::from(second.is_some());
    panels.push(drawing.result(&main, Some(&picked), sides, &mut notes));
    if let Some(second) = &second {
        panels.push(drawing.result(second, None, sides, &mut notes));
    }
    for product in [Some(&main), second.as_ref()].into_iter().flatten() {
        notes.extend(product.warning(&block, &tiler));
    }

    let mut facts = main_facts(&main.reading.printed(), main.reading.layout());
    for (word, form) in FORMS {
        let layout = multiply(&block, &tiler, *form).ok();
        facts.push_some(word, layout.map(|layout| layout.to_string()));
    }
    facts.push("copies", main.copies);
    match &main.shared {
        Some(shared) => {
            facts.push("distinct", shared.distinct);
            facts.push("overlaps", main.reading.layout().size() - shared.distinct);
        }
        None => notes.push(unchecked(main.reading.layout().size(), "overlaps are not counted")),
    }
    let name = main.function();
    Snippet::cute(name, &[Snippet::layout(&block), Snippet::tiler(&tiler)]).push(&mut facts);
    Ok(Figure {
        kind: "product",
        title: match &second {
            Some(second) => format!("{name} and {} of {block} and {tiler}", second.function()),
            None => format!("{name}({block}, {tiler})"),
        },
        panels,
        facts,
        notes,
        ..Figure::default()
    })
}

fn multiply(block: &AnyLayout, tiler: &Tiler, form: Form) -> CuteResult<AnyLayout> {
    let by_rank = |operation: fn(&AnyLayout, &Layout) -> CuteResult<AnyLayout>| match tiler {
        Tiler::Layout(layout) => operation(block, layout),
        Tiler::Shape(shape) => operation(block, &Layout::column_major(shape.clone())?),
        Tiler::Keep | Tiler::Modes(_) => Err(Error::Undefined {
            text: format!(
                "a {} product takes one layout, not the tilers `{tiler}` by mode",
                form.word()
            ),
        }),
    };
    match form {
        Form::Logical => logical_product(block, tiler),
        Form::Zipped => zipped_product(block, tiler),
        Form::Tiled => tiled_product(block, tiler),
        Form::Flat => flat_product(block, tiler),
        Form::Blocked => by_rank(blocked_product),
        Form::Raked => by_rank(raked_product),
    }
}

/// One product and whose each of its cells is.
struct Product {
    form: Form,
    reading: Reading,
    copies: i64,
    /// The copy of each index.
    owners: Option<Reading>,
    shared: Option<Shared>,
}

/// Which offsets several cells have.
struct Shared {
    distinct: i64,
    /// Empty where none do, or there are too many to follow.
    cells: Vec<bool>,
}

impl Product {
    fn of(
        keys: &Keys<'_>,
        key: &dyn KeyDef,
        block: &AnyLayout,
        tiler: &Tiler,
        form: Form,
    ) -> Result<Self, Problem> {
        // A form that does not take such a tiler is the fault of the form.
        let refused = |error: Error| {
            let at = if matches!(error, Error::Undefined { .. }) { key } else { &TILER };
            keys.problem(at, error.into())
        };
        let layout = multiply(block, tiler, form).map_err(refused)?;
        let reading = Reading::of(&layout, None).map_err(|e| keys.problem(&A, e))?;
        let owners = owners(block.domain(), tiler, form).map_err(refused)?;
        let fits = owners.size() == layout.size();
        let owners = fits.then(|| Reading::plain(&owners)).transpose();
        Ok(Self {
            form,
            copies: layout.size() / block.size().max(1),
            owners: owners.map_err(|e| keys.problem(&TILER, e))?,
            shared: Shared::of(&reading),
            reading,
        })
    }

    fn function(&self) -> &'static str {
        self.form.function()
    }

    fn owner(&self, index: usize) -> Option<u32> {
        let numbers = self.owners.as_ref()?.numbers(index);
        numbers.first().and_then(|&owner| u32::try_from(owner).ok())
    }

    fn warning(&self, block: &AnyLayout, tiler: &Tiler) -> Option<Diagnostic> {
        let mut operands = vec![block.clone()];
        layouts_of(tiler, &mut operands);
        let operands: Vec<&AnyLayout> = operands.iter().collect();
        let layout = self.reading.layout();
        if let Some(breach) = contract::no_overlap(&operands, layout) {
            return Some(Diagnostic::warning("contract", breach.to_string()));
        }
        let shared = self.shared.as_ref().filter(|shared| shared.distinct < layout.size())?;
        Some(Diagnostic::note(
            "overlap",
            format!(
                "{} coordinates have only {} distinct offsets: block or tiler repeats offsets already",
                layout.size(),
                shared.distinct
            ),
        ))
    }
}

impl Shared {
    fn of(reading: &Reading) -> Option<Self> {
        let Some(values) = reading.values() else {
            let occupancy = Occupancy::of(&Values::of(reading.layout())?)?;
            let distinct = reading.layout().size() - occupancy.repeats;
            return Some(Self { distinct, cells: Vec::new() });
        };
        let mut hits: HashMap<&[i64], u32> = HashMap::new();
        for value in values.flat.chunks(values.arity.max(1)) {
            *hits.entry(value).or_default() += 1;
        }
        let distinct = i64::try_from(hits.len()).ok()?;
        let cells = if hits.len() == reading.size() {
            Vec::new()
        } else {
            values.flat.chunks(values.arity.max(1)).map(|value| hits[value] > 1).collect()
        };
        Some(Self { distinct, cells })
    }
}

fn layouts_of(tiler: &Tiler, out: &mut Vec<AnyLayout>) {
    match tiler {
        Tiler::Keep | Tiler::Shape(_) => {}
        Tiler::Layout(layout) => out.push(layout.clone().into()),
        Tiler::Modes(modes) => modes.iter().for_each(|mode| layouts_of(mode, out)),
    }
}

/// Returns the layout that gives the number of the copy for each index of the product.
fn owners(block: &Layout, tiler: &Tiler, form: Form) -> CuteResult<Layout> {
    if matches!(form, Form::Blocked | Form::Raked) {
        let Some(tiler) = whole(tiler)? else { return Ok(block.clone()) };
        return joined(block, &tiler, form == Form::Raked);
    }
    let mut weight = 1;
    let logical = by_mode(block, tiler, &mut weight)?;
    if form == Form::Logical {
        return Ok(logical);
    }
    let zipped = crate::cute::algebra::zip2_by(&logical, tiler)?;
    let modes = zipped.modes();
    let [block, copies] = modes.as_slice() else { return Ok(zipped) };
    match form {
        Form::Tiled => Layout::from_modes(std::iter::once(block.clone()).chain(copies.modes())),
        Form::Flat => Layout::from_modes(modes.iter().flat_map(Layout::modes)),
        Form::Logical | Form::Zipped | Form::Blocked | Form::Raked => Ok(zipped),
    }
}

fn whole(tiler: &Tiler) -> CuteResult<Option<Layout>> {
    Ok(match tiler {
        Tiler::Layout(layout) => Some(layout.clone()),
        Tiler::Shape(shape) => Some(Layout::column_major(shape.clone())?),
        Tiler::Keep | Tiler::Modes(_) => None,
    })
}

/// Returns `(block, copies)` with the number of the copy as value, mode by mode as the tiler says.
fn by_mode(block: &Layout, tiler: &Tiler, weight: &mut i64) -> CuteResult<Layout> {
    let still =
        || Layout::new(block.shape().clone(), block.stride().repeat_like(&StrideLeaf::ZERO));
    let parts: Vec<Tiler> = match tiler {
        Tiler::Keep => return still(),
        Tiler::Layout(layout) => {
            return Layout::from_modes([still()?, counting(layout, weight)?]);
        }
        Tiler::Shape(Tree::Leaf(extent)) => {
            return Layout::from_modes([still()?, counting(&Layout::vector(*extent, 1)?, weight)?]);
        }
        Tiler::Shape(Tree::Tuple(shapes)) => shapes.iter().cloned().map(Tiler::Shape).collect(),
        Tiler::Modes(modes) => modes.clone(),
    };
    let modes = block.modes().into_iter().enumerate();
    let modes = modes.map(|(i, mode)| by_mode(&mode, parts.get(i).unwrap_or(&Tiler::Keep), weight));
    Layout::from_modes(modes.collect::<CuteResult<Vec<_>>>()?)
}

/// Returns a layout of the same shape that counts up in steps of `weight`, which grows by its size.
fn counting(layout: &Layout, weight: &mut i64) -> CuteResult<Layout> {
    let compact = Layout::column_major(layout.shape().clone())?;
    let stride = compact.stride().try_map(&mut |leaf| leaf.scale(*weight))?;
    *weight = weight.saturating_mul(layout.size());
    Layout::new(layout.shape().clone(), stride)
}

/// Returns `(block, copies)` or `(copies, block)` in each mode.
fn joined(block: &Layout, tiler: &Layout, raked: bool) -> CuteResult<Layout> {
    let one = Layout::vector(1, StrideLeaf::ZERO)?;
    let (blocks, tilers) = (block.modes(), tiler.modes());
    let mut weight = 1;
    let modes = (0..blocks.len().max(tilers.len())).map(|i| {
        let block = Layout::vector(blocks.get(i).unwrap_or(&one).size(), StrideLeaf::ZERO)?;
        let size = tilers.get(i).unwrap_or(&one).size();
        let copies = counting(&Layout::vector(size, 1)?, &mut weight)?;
        Layout::from_modes(if raked { [copies, block] } else { [block, copies] })
    });
    Layout::from_modes(modes.collect::<CuteResult<Vec<_>>>()?)
}

struct Drawing<'a> {
    look: &'a Look,
    color: Color,
    copies: i64,
}

impl Drawing<'_> {
    fn fill(&self, copy: Option<u32>) -> Fill {
        match copy {
            Some(copy) if self.color == Color::Copy => {
                Fill::tile(copy, u32::try_from(self.copies).unwrap_or(u32::MAX))
            }
            _ => Fill::Blank,
        }
    }

    fn block(
        &self,
        keys: &Keys<'_>,
        block: &AnyLayout,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Panel, Problem> {
        let reading = Reading::of(block, None).map_err(|e| keys.problem(&A, e))?;
        let sheet = Sheet::of("block", block.shape(), self.look.fold, room(4));
        notes.extend(sheet.notes.iter().cloned());
        let cell = |_: usize| Cell { fill: self.fill(Some(0)), owner: Some(0), ..Cell::default() };
        let body = self.look.body(&sheet, &reading, Scale::Category, &cell);
        Ok(Panel::new("A, the block", body).layout(block))
    }

    /// Draws the tiler, one cell a copy; `None` where it acts by mode.
    fn tiler(
        &self,
        tiler: &Tiler,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Option<Panel>, Diagnostic> {
        let Some(layout) = whole(tiler)?.filter(|_| !is_by_mode(tiler)) else { return Ok(None) };
        let reading = Reading::plain(&layout)?;
        let sheet = Sheet::of("tiler", layout.shape(), self.look.fold, room(4));
        notes.extend(sheet.notes.iter().cloned());
        let cell = |index: usize| {
            let copy = u32::try_from(index).ok();
            Cell { fill: self.fill(copy), owner: copy, ..Cell::default() }
        };
        let body = self.look.body(&sheet, &reading, Scale::Category, &cell);
        Ok(Some(Panel::new("tiler", body).layout(tiler).caption("where each copy goes, in blocks")))
    }

    fn result(
        &self,
        product: &Product,
        picked: Option<&Picked>,
        sides: usize,
        notes: &mut Vec<Diagnostic>,
    ) -> Panel {
        let reading = &product.reading;
        let shape = reading.layout().shape();
        let sheet = Sheet::of(product.function(), shape, self.look.fold, room(2 * sides));
        notes.extend(sheet.notes.iter().cloned());
        let twice = |index: usize| {
            product.shared.as_ref().is_some_and(|shared| shared.cells.get(index) == Some(&true))
        };
        let cell = |index: usize| {
            let owner = product.owner(index);
            let mark = if twice(index) { Mark::Twice } else { Mark::None };
            let fill =
                if self.color == Color::Value { reading.fill(index) } else { self.fill(owner) };
            let mark = picked.map_or(mark, |picked| picked.mark(index, mark));
            Cell { fill, owner, mark, ..Cell::default() }
        };
        let scale = if self.color == Color::Value { reading.scale() } else { Scale::Category };
        let body = self.look.body(&sheet, reading, scale, &cell);
        let mut panel = Panel::new(product.function(), body).layout(reading.printed());
        panel = match self.color {
            Color::Copy => {
                let repeating =
                    if self.copies > i64::from(Fill::CATEGORIES) { ", repeating" } else { "" };
                let text = format!("one colour for each of {} copies{repeating}", self.copies);
                panel.legend(Swatch::Scale(scale), text)
            }
            Color::Value => panel.legend(Swatch::Scale(scale), reading.fill_meaning()),
            Color::None => panel,
        };
        if product.shared.as_ref().is_some_and(|shared| !shared.cells.is_empty()) {
            panel = panel.legend(Swatch::Mark(Mark::Twice), "shares its offset with another cell");
        }
        if shape.depth() > 1 {
            panel = panel.legend(
                Swatch::Boundary,
                "boundary of a nested mode (innermost index next to the cells)",
            );
        }
        if let Some(picked) = picked {
            panel = picked.legend(panel);
        }
        self.look.label_legend(panel)
    }
}

/// Returns whether a tiler acts mode by mode: a shape of several modes does.
fn is_by_mode(tiler: &Tiler) -> bool {
    matches!(tiler, Tiler::Modes(_) | Tiler::Shape(Tree::Tuple(_)))
}
