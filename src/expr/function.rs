//! The table of functions, and a call while it runs.
//!
//! In: the functions of a floor, each with its parameters. Out: a table that the evaluator is handed,
//! so a floor above adds its own without this one knowing it. Invariant: a function reads its
//! arguments through [`Call`], which puts the argument's place into every refusal.

use super::limits::RANK;
use super::value::Value;
use crate::cute::algebra::checked::Checked;
use crate::cute::{AnyLayout, Coord, IntTuple, Layout, Stride, Tensor, Tiler};
use crate::diagnostic::{Diagnostic, Span};
use std::collections::BTreeMap;

/// A function of the notation.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The name, as CuTe spells it.
    pub name: &'static str,
    /// The parameters in order. `p|mode?` is a parameter `p` that may be left out and also goes by
    /// the keyword `mode`; in front of a parameter, `'` says that an unknown name stands for itself;
    /// `...` behind the last one that it takes any number.
    pub params: &'static [&'static str],
    /// One line for the reference.
    pub doc: &'static str,
    /// What it does.
    pub eval: fn(&mut Call) -> Result<Value, Diagnostic>,
}

impl Function {
    /// Returns the call as the reference writes it: `coalesce(A[, profile])`.
    #[must_use]
    pub fn signature(&self) -> String {
        let mut out = format!("{}(", self.name);
        for (i, param) in self.params.iter().enumerate() {
            let param = Param::of(param);
            let comma = if i > 0 { ", " } else { "" };
            out += &match param.optional {
                _ if param.many => format!("{comma}{}...", param.name()),
                true => format!("[{comma}{}]", param.name()),
                false => format!("{comma}{}", param.name()),
            };
        }
        out + ")"
    }

    /// Returns how many arguments are needed and how many are possible.
    pub(super) fn arity(&self) -> (usize, usize) {
        let params = || self.params.iter().map(|param| Param::of(param));
        let needed = params().filter(|param| !param.optional).count();
        (needed, if params().any(|param| param.many) { usize::MAX } else { self.params.len() })
    }
}

/// One entry of [`Function::params`], taken apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Param {
    names: &'static str,
    pub(super) optional: bool,
    pub(super) word: bool,
    /// Whether it takes any number of arguments, also none.
    pub(super) many: bool,
}

impl Param {
    pub(super) fn of(spec: &'static str) -> Self {
        let (spec, optional) = spec.strip_suffix('?').map_or((spec, false), |spec| (spec, true));
        let (spec, many) = spec.strip_suffix("...").map_or((spec, false), |spec| (spec, true));
        let (names, word) = spec.strip_prefix('\'').map_or((spec, false), |spec| (spec, true));
        Self { names, optional: optional || many, word, many }
    }

    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        self.names.split('|')
    }

    pub(super) fn name(self) -> &'static str {
        self.names().next().unwrap_or(self.names)
    }
}

/// All functions that an expression may call, by name.
#[derive(Clone, Debug)]
pub struct Functions {
    by_name: BTreeMap<&'static str, Function>,
}

impl Functions {
    /// Returns the functions of this floor: everything that is CuTe's and not the hardware's.
    #[must_use]
    pub fn core() -> Self {
        Self { by_name: BTreeMap::new() }.with(super::builtin::all())
    }

    /// Adds functions; one of the same name takes the place of the older one.
    #[must_use]
    pub fn with(mut self, functions: impl IntoIterator<Item = Function>) -> Self {
        self.by_name.extend(functions.into_iter().map(|function| (function.name, function)));
        self
    }

    /// Returns the function of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Function> {
        self.by_name.get(name)
    }

    /// Visits all functions in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = &Function> {
        self.by_name.values()
    }
}

/// An argument: what was written and where.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The value.
    pub value: Value,
    /// The place.
    pub span: Span,
}

/// A call while it runs.
#[derive(Debug)]
pub struct Call {
    /// One entry a parameter, in their order; absent where it was left out.
    pub(super) args: Vec<Option<Argument>>,
    /// The whole call.
    pub(super) span: Span,
    /// What the call has to say about its result.
    pub(super) messages: Vec<Diagnostic>,
    /// The width of an element, if an argument named one; a function may change it.
    pub element_bits: Option<u32>,
}

impl Call {
    /// Returns whether argument `i` is there: not left out and not `None`.
    #[must_use]
    pub fn has(&self, i: usize) -> bool {
        self.argument(i).is_some_and(|argument| !is_none(&argument.value))
    }

    /// Counts the arguments, those that were left out at the end not included.
    #[must_use]
    pub fn count(&self) -> usize {
        self.args.iter().rposition(Option::is_some).map_or(0, |last| last + 1)
    }

    /// Returns argument `i` as it is.
    #[must_use]
    pub fn argument(&self, i: usize) -> Option<&Argument> {
        self.args.get(i).and_then(Option::as_ref)
    }

    /// Returns the place of argument `i`, or of the call.
    #[must_use]
    pub fn span(&self, i: usize) -> Span {
        self.argument(i).map_or(self.span, |argument| argument.span)
    }

    /// Reads argument `i`.
    ///
    /// # Errors
    /// An argument that was left out, and what `read` refuses.
    pub fn read<T>(
        &self,
        i: usize,
        read: impl FnOnce(&Value) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let Some(argument) = self.argument(i) else {
            return Err(Diagnostic::error("arguments", "an argument is missing").at(self.span));
        };
        read(&argument.value).map_err(|message| message.or_at(argument.span))
    }

    /// Reads argument `i` unless it was left out or is `None`.
    ///
    /// # Errors
    /// What `read` refuses.
    pub fn optional<T>(
        &self,
        i: usize,
        read: impl FnOnce(&Self, usize) -> Result<T, Diagnostic>,
    ) -> Result<Option<T>, Diagnostic> {
        if self.has(i) { read(self, i).map(Some) } else { Ok(None) }
    }

    /// Reads a layout of either kind.
    ///
    /// # Errors
    /// Anything else.
    pub fn layout(&self, i: usize) -> Result<AnyLayout, Diagnostic> {
        self.read(i, Value::to_layout)
    }

    /// Reads a layout of shape and stride.
    ///
    /// # Errors
    /// Anything else.
    pub fn plain(&self, i: usize) -> Result<Layout, Diagnostic> {
        self.read(i, Value::to_plain)
    }

    /// Reads a tensor; a layout alone counts from 0.
    ///
    /// # Errors
    /// Anything else.
    pub fn tensor(&self, i: usize) -> Result<Tensor, Diagnostic> {
        self.read(i, |value| match value {
            Value::Tensor(tensor) => Ok(tensor.clone()),
            _ => {
                let layout = value.to_layout()?;
                let offset = layout.domain().axes()?.zero();
                Ok(Tensor { offset, layout })
            }
        })
    }

    /// Reads a tensor or a layout: the layout, and the offset of a tensor.
    ///
    /// # Errors
    /// Anything else.
    pub fn operand(&self, i: usize) -> Result<Operand, Diagnostic> {
        self.read(i, |value| match value {
            Value::Tensor(tensor) => {
                Ok(Operand { layout: tensor.layout.clone(), offset: Some(tensor.offset.clone()) })
            }
            _ => Ok(Operand { layout: value.to_layout()?, offset: None }),
        })
    }

    /// Reads a tiler.
    ///
    /// # Errors
    /// Anything else.
    pub fn tiler(&self, i: usize) -> Result<Tiler, Diagnostic> {
        self.read(i, Value::to_tiler)
    }

    /// Reads an integer.
    ///
    /// # Errors
    /// Anything else.
    pub fn int(&self, i: usize) -> Result<i64, Diagnostic> {
        self.read(i, Value::to_int)
    }

    /// Reads a count or the number of a mode.
    ///
    /// # Errors
    /// Anything but an integer from 0 to [`RANK`].
    pub fn index(&self, i: usize) -> Result<usize, Diagnostic> {
        self.read(i, |value| to_index(value.to_int()?))
    }

    /// Reads a shape, an order or a complete coordinate.
    ///
    /// # Errors
    /// Anything else.
    pub fn ints(&self, i: usize) -> Result<IntTuple, Diagnostic> {
        self.read(i, Value::to_ints)
    }

    /// Reads a shape: integers, all positive. The shape of a layout counts too.
    ///
    /// # Errors
    /// Anything else.
    pub fn shape(&self, i: usize) -> Result<IntTuple, Diagnostic> {
        self.read(i, |value| {
            let shape = value.to_ints()?;
            match shape.leaves().find(|&&extent| extent < 1) {
                None => Ok(shape),
                Some(extent) => Err(Diagnostic::error(
                    "positive-extent",
                    format!("the shape `{shape}` has an extent of {extent}; extents are 1 or more"),
                )),
            }
        })
    }

    /// Reads strides.
    ///
    /// # Errors
    /// Anything else.
    pub fn stride(&self, i: usize) -> Result<Stride, Diagnostic> {
        self.read(i, Value::to_stride)
    }

    /// Reads a coordinate, in which `_` may stand.
    ///
    /// # Errors
    /// Anything else.
    pub fn coord(&self, i: usize) -> Result<Coord, Diagnostic> {
        self.read(i, |value| match value {
            Value::Tiler(tiler) => tiler.to_coord().ok_or_else(|| value.mismatch("a coordinate")),
            _ => value.to_coord(),
        })
    }

    /// Reads modes: `0` or `(0,1)`.
    ///
    /// # Errors
    /// Anything else.
    pub fn modes(&self, i: usize) -> Result<Vec<usize>, Diagnostic> {
        self.read(i, |value| value.to_ints()?.leaves().map(|&mode| to_index(mode)).collect())
    }

    /// Reads a text or a name.
    ///
    /// # Errors
    /// Anything else.
    pub fn text(&self, i: usize) -> Result<String, Diagnostic> {
        self.read(i, |value| value.to_text().map(str::to_owned))
    }

    /// Adds a message about the result; it is placed at the call unless it has a place.
    pub fn say(&mut self, message: Diagnostic) {
        let message = message.or_at(self.span);
        self.messages.push(message);
    }

    /// Adds a warning if `result`, made of `a`, has lost what the swizzle of `a` counts.
    pub fn check_unit(&mut self, a: &AnyLayout, result: &AnyLayout) {
        if let Some(message) = super::unit::lost(a, result) {
            self.say(message);
        }
    }

    /// Takes the value of a checked operation; each breach of its contract becomes a warning.
    pub fn report<T>(&mut self, checked: Checked<T>) -> T {
        for breach in checked.breaches {
            self.say(breach.into());
        }
        checked.value
    }
}

/// A layout, or the layout of a tensor with its offset.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The layout.
    pub layout: AnyLayout,
    /// The offset of a tensor.
    pub offset: Option<IntTuple>,
}

impl Operand {
    /// Puts another layout over the same offset.
    #[must_use]
    pub fn with(self, layout: AnyLayout) -> Value {
        match self.offset {
            Some(offset) => Tensor { offset, layout }.into(),
            None => layout.into(),
        }
    }
}

fn is_none(value: &Value) -> bool {
    use super::value::Entry;
    use crate::cute::Tree;
    matches!(value, Value::None | Value::Tuple(Tree::Leaf(Entry::All)))
}

fn to_index(value: i64) -> Result<usize, Diagnostic> {
    match usize::try_from(value) {
        Ok(index) if index <= RANK => Ok(index),
        _ => Err(Diagnostic::error(
            "range",
            format!("expected a number from 0 to {RANK}, found {value}"),
        )),
    }
}
