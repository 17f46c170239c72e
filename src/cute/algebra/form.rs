//! The four arrangements of a divided layout or of a product.
//!
//! In: `((first,second),(first,second),...)`, nested as the tiler is. Out: the same modes gathered.
//! Source: CuTe's `zip2_by` and the `tiled_` and `flat_` forms made from it.

use crate::cute::error::{Error, Result};
use crate::cute::layout::Layout;
use crate::cute::tiler::Tiler;

/// The arrangement of a divided layout or of a product: which modes are tile (block), which rest
/// (copies).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `((tile,rest),(tile,rest))`
    Logical,
    /// `((tile,tile),(rest,rest))`
    Zipped,
    /// `((tile,tile),rest,rest)`
    Tiled,
    /// `(tile,tile,rest,rest)`
    Flat,
}

/// Puts a logically divided layout, or a logical product, into a form.
///
/// # Errors
/// As [`zip2_by`], for all but [`Form::Logical`].
pub fn arrange(logical: &Layout, tiler: &Tiler, form: Form) -> Result<Layout> {
    if form == Form::Logical {
        return Ok(logical.clone());
    }
    let zipped = zip2_by(logical, tiler)?;
    let modes = zipped.modes();
    let [first, second] = modes.as_slice() else { return Ok(zipped) };
    match form {
        Form::Logical | Form::Zipped => Ok(zipped),
        Form::Tiled => Layout::from_modes(std::iter::once(first.clone()).chain(second.modes())),
        Form::Flat => Layout::from_modes(modes.iter().flat_map(Layout::modes)),
    }
}

/// Gathers the first parts of all modes into mode 0 and the second parts into mode 1 (CuTe's
/// `zip2_by`); modes past the tiler's go to the second part.
///
/// # Errors
/// A mode kept by `_` that has not two parts.
pub fn zip2_by(layout: &Layout, tiler: &Tiler) -> Result<Layout> {
    let Some(parts) = tiler.by_mode() else {
        if layout.shape().is_leaf() || layout.rank() != 2 {
            return Err(Error::Rule {
                rule: "kept-mode",
                text: format!(
                    "the mode `{layout}` that the tiler keeps has no two parts to put into tile and rest"
                ),
                hint: Some("`logical_divide` keeps a mode whole".to_owned()),
            });
        }
        return Ok(layout.clone());
    };
    let modes = layout.modes();
    let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
    for (i, mode) in modes.iter().enumerate() {
        match parts.get(i) {
            Some(part) => {
                let pair = zip2_by(mode, part)?.modes();
                firsts.push(pair[0].clone());
                seconds.push(pair[1].clone());
            }
            None => seconds.push(mode.clone()),
        }
    }
    Layout::from_modes([Layout::from_modes(firsts)?, Layout::from_modes(seconds)?])
}
