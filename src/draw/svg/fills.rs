//! The colors of a grid: one path for each color.
//!
//! In: the cells. Out: `<path>` elements, in the order of the scale, which have one rectangle for
//! each region.

use super::paint::Paint;
use super::path::push_rectangle;
use crate::draw::raster::Raster;
use crate::draw::tag::Tag;
use crate::draw::target::Target;
use crate::figure::model::regions::{Ground, regions};
use crate::figure::{Fill, Grid};

/// Appends one path for each color of `grid`.
pub(super) fn push(out: &mut String, grid: &Grid, raster: Raster, target: Target) {
    let mut areas = Vec::new();
    regions(grid, |region| areas.push(region));
    areas.sort_by_key(|region| region.ground);
    for areas in areas.chunk_by(|a, b| a.ground == b.ground) {
        let Some(first) = areas.first() else { continue };
        let paint = match first.ground {
            Ground::Class(class) => Paint::Cell(grid.scale, Fill::Class(class)),
            Ground::Faded => Paint::Faded,
        };
        let mut path = Tag::open(out, "path").paint("fill", paint, target).data("d");
        for region in areas {
            let corner = (raster.x(region.col), raster.y(region.row));
            let size = (raster.width(region.cols), raster.height(region.end - region.row));
            push_rectangle(&mut path, corner, size);
        }
    }
}
