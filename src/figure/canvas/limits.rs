//! How much a figure draws and checks, and why not more.
//!
//! In: nothing. Out: named numbers that kinds compare with. Invariant: a figure that passes one of
//! them says so in a note.

/// Cells drawn in one figure, over all panels. 128x128 twice still loads at once in a browser;
/// beyond it the labels of a cell are below one pixel in any column.
pub const CELLS_DRAWN: usize = 32_768;

/// Rows or columns of one grid. Wider grids have cells below two pixels in a column of 740.
pub const GRID_SIDE: usize = 256;

/// Side of the corner that is drawn of a grid that is too large. Its cells are still told apart
/// when it is fitted into the column.
pub const CORNER_SIDE: usize = 64;

/// Slices of a layout of rank 3 and more that are drawn one after the other. More of them would
/// push the text around the figure off the screen.
pub const SLICES_DRAWN: usize = 16;

/// Values that contracts, holes and repeats are computed from. A million points take some ten
/// milliseconds; a book has hundreds of figures.
pub const VALUES_CHECKED: i64 = 1 << 20;

/// Elements of one tile whose owners, instructions or places are followed. Half a million take some
/// fifty milliseconds, and no shared memory holds a larger tile, even of 4 bits an element.
pub const TILE_ELEMENTS: i64 = 1 << 19;

/// Coordinates that a figure follows one by one: whose tile, which copy, `A(B(i))`. Each takes a
/// tenth of a microsecond or more, and the tables of a larger figure are not read anyway.
pub const FOLLOWED: i64 = 1 << 16;

/// Cells in one line of a strip (rank 1, codomain). 32 is a warp, and still readable at 740 px.
pub const STRIP_COLUMNS: usize = 32;

/// Cells among which a highlighted coordinate with `_` is searched, to refuse one that covers none.
pub const CELLS_SEARCHED: i64 = 1 << 16;

/// Blocks of labels that are found before it is asked whether they say more than the cells do.
pub const BLOCKS_TRIED: usize = 64;

/// Rows of one table of an explanation, so that a page stays a page.
pub const TABLE_ROWS: usize = 256;

/// Rows of one fact that a page shows: a hundred accesses tell a reader no more than these. The JSON of
/// a figure has all rows.
pub const FACT_ROWS: usize = 64;

/// Threads whose parts of a tile are compared: the most that a block can have, four times.
pub const THREADS_COMPARED: i64 = 4096;

/// Offsets of a CUTLASS 2.x layout that are listed as a fact; more belong into `eval`.
pub const OFFSETS_LISTED: usize = 1024;

/// Cells of the picture of memory beside a CUTLASS 2.x layout; it repeats what the grid says, so it ends
/// earlier.
pub const MEMORY_CELLS: i64 = 2048;

/// Cells up to which the label after a swizzle also says which offset the cell had before.
pub const ARROWS: i64 = 512;

/// Columns up to which such labels can be read in the column of a page.
pub const ARROW_COLUMNS: i64 = 16;

/// Owners of one cell that are written into it; the rest is counted (`+3`).
pub const OWNERS_WRITTEN: usize = 3;

/// Entries of a list among the facts, also in JSON. An object for each of half a million accesses takes
/// gigabytes, and no script reads them one by one.
pub const LIST_ENTRIES: usize = 4096;
