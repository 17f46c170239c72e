//! From a syntax tree to its value.
//!
//! In: a tree and a scope. Out: the value with warnings and element width. Invariant:
//! every refusal has a place, and what CuTe answers against its own contract carries a warning.

use super::builtin::compose;
use super::function::{Argument, Call, Function, Operand, Param};
use super::limits::{DEPTH, LEAVES};
use super::scope::{Evaluated, Scope};
use super::syntax::{Arg, Expr, ExprKind, Operator, Pointer};
use super::value::{Entry, Value};
use crate::cute::algebra::{slice, slice_tensor};
use crate::cute::{
    AnyLayout, ComposedLayout, Coord, Inner, IntTuple, Layout, OffsetUnit, Path, Swizzle, Tensor,
    Tiler, Tree,
};
use crate::diagnostic::{Diagnostic, Span};
use crate::suggest::nearest;

pub(super) struct Evaluator<'s> {
    scope: &'s Scope<'s>,
    element_bits: Option<u32>,
    messages: Vec<Diagnostic>,
}

impl<'s> Evaluator<'s> {
    pub(super) const fn new(scope: &'s Scope<'s>) -> Self {
        Self { scope, element_bits: None, messages: Vec::new() }
    }

    pub(super) fn run(mut self, expr: &Expr) -> Result<Evaluated, Diagnostic> {
        let value = match self.eval(expr)? {
            Value::Text(name) if matches!(expr.kind, ExprKind::Name(_)) => {
                return Err(match self.scope.functions().get(&name) {
                    Some(_) => Diagnostic::error("type", format!("`{name}` alone is not a value"))
                        .at(expr.span)
                        .hint(format!("give it to `make_layout`: `make_layout((4,8), {name})`")),
                    None => self.unknown(&name, expr.span),
                });
            }
            value => value,
        };
        Ok(Evaluated { value, element_bits: self.element_bits, messages: self.messages })
    }

    fn say(&mut self, message: Diagnostic) {
        if !self.messages.contains(&message) {
            self.messages.push(message);
        }
    }

    fn eval(&mut self, expr: &Expr) -> Result<Value, Diagnostic> {
        let value = self.eval_kind(expr).map_err(|message| message.or_at(expr.span))?;
        match depth_of(&value) {
            _ if is_too_large(&value) => {
                Err(Diagnostic::error("size", format!("the result has more than {LEAVES} modes"))
                    .at(expr.span))
            }
            depth if depth > 2 * DEPTH => Err(Diagnostic::error(
                "depth",
                format!("the result nests {depth} levels deep, more than {}", 2 * DEPTH),
            )
            .at(expr.span)),
            _ => Ok(value),
        }
    }

    fn eval_kind(&mut self, expr: &Expr) -> Result<Value, Diagnostic> {
        match &expr.kind {
            ExprKind::Int(value) => Ok(Value::int(*value)),
            ExprKind::Basis { value, modes } => {
                let path = Path::new(modes)?;
                Ok(Value::Tuple(Tree::Leaf(Entry::Basis { value: *value, path })))
            }
            ExprKind::Keep => Ok(Value::Tuple(Tree::Leaf(Entry::All))),
            ExprKind::Text(text) => Ok(Value::Text(text.clone())),
            ExprKind::Swizzle { bits, base, shift } => {
                self.swizzle((*bits, *base, *shift), expr.span).map(Value::Swizzle)
            }
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Tuple { items, certain } => self.tuple(items, *certain),
            ExprKind::Tiler(items) => {
                let modes = items.iter().map(|item| {
                    let value = self.eval(item)?;
                    value.to_tiler().map_err(|message| message.or_at(item.span))
                });
                Ok(Value::Tiler(Tiler::Modes(modes.collect::<Result<_, _>>()?)))
            }
            ExprKind::Layout { shape, stride } => self.layout(shape, stride.as_deref()),
            ExprKind::Arithmetic { first, rest } => self.arithmetic(first, rest),
            ExprKind::Compose(terms) => self.compose(terms),
            ExprKind::Call { callee, args } => self.call(callee, args, expr.span),
            ExprKind::Pointer(_) => {
                Err(Diagnostic::error("type", "a pointer alone is not a layout")
                    .hint("write the layout behind it, as in `smem_ptr[16b](0x400) o (4,8):(8,1)`"))
            }
            ExprKind::Offset(offset) => self.eval(offset),
        }
    }

    fn arithmetic(&mut self, first: &Expr, rest: &[(Operator, Expr)]) -> Result<Value, Diagnostic> {
        let mut value = self.number(first)?;
        for (operator, operand) in rest {
            let span = first.span.to(operand.span);
            let operand = self.number(operand)?;
            value = calculate(value, *operator, operand).map_err(|message| message.or_at(span))?;
        }
        Ok(Value::Tuple(Tree::Leaf(value)))
    }

    /// Evaluates an operand of arithmetic; brackets around one only group.
    fn number(&mut self, expr: &Expr) -> Result<Entry, Diagnostic> {
        let inner = match &expr.kind {
            ExprKind::Tuple { items, certain: false } if items.len() == 1 => &items[0],
            _ => expr,
        };
        match self.eval(inner)? {
            Value::Tuple(Tree::Leaf(entry @ (Entry::Int(_) | Entry::Basis { .. }))) => Ok(entry),
            value => Err(value.mismatch("an integer").at(expr.span).hint(
                "`+`, `-`, `*` and `/` take integers; compose layouts with `A o B` or `composition(A,B)`",
            )),
        }
    }

    fn swizzle(
        &mut self,
        (bits, base, shift): (i64, i64, i64),
        span: Span,
    ) -> Result<Swizzle, Diagnostic> {
        let swizzle = Swizzle::new(bits, base, shift)?;
        if bits > 0 && swizzle.is_identity() {
            self.say(
                Diagnostic::warning(
                    "swizzle-identity",
                    format!(
                        "`S<{bits},{base},{shift}>` moves nothing: CuTe takes |S| < B as the identity `{swizzle}`"
                    ),
                )
                .at(span)
                .hint(format!("make S at least {bits}, or B smaller")),
            );
        }
        Ok(swizzle)
    }

    fn name(&mut self, name: &str, span: Span) -> Result<Value, Diagnostic> {
        let scope = self.scope;
        if let Some(known) = scope.name(name) {
            return Ok(self.recall(known));
        }
        match scope.functions().get(name) {
            Some(function) if function.params.is_empty() => {
                self.run_call(function, Vec::new(), span)
            }
            Some(function) => Err(Diagnostic::error("type", format!("`{name}` is a function"))
                .hint(format!("call it: `{}`", function.signature()))),
            None => Err(self.unknown(name, span)),
        }
    }

    /// Takes a name's value with all that is known about it.
    fn recall(&mut self, known: &Evaluated) -> Value {
        self.element_bits = self.element_bits.or(known.element_bits);
        for message in &known.messages {
            // Its place is in another text.
            self.say(Diagnostic { span: None, ..message.clone() });
        }
        known.value.clone()
    }

    fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let functions = self.scope.functions().iter().map(|function| function.name);
        let message = Diagnostic::error("name", format!("unknown name `{name}`")).at(span);
        match nearest(name, self.scope.names().chain(functions)) {
            Some(near) => message.hint(format!("did you mean `{near}`?")),
            None => message,
        }
    }

    fn tuple(&mut self, items: &[Expr], certain: bool) -> Result<Value, Diagnostic> {
        let values =
            items.iter().map(|item| self.eval(item)).collect::<Result<Vec<Value>, Diagnostic>>()?;
        let leaf = |value: &Value| match value {
            Value::Tuple(tree) => Some(tree.clone()),
            Value::None => Some(Tree::Leaf(Entry::All)),
            _ => None,
        };
        if let Some(modes) = values.iter().map(leaf).collect::<Option<Vec<_>>>() {
            let tree = Tree::Tuple(modes);
            return match tree.leaves().take(LEAVES + 1).count() {
                count if count > LEAVES => Err(Diagnostic::error(
                    "size",
                    format!("the tuple has more than {LEAVES} entries"),
                )),
                _ => Ok(Value::Tuple(tree)),
            };
        }
        if !certain && values.len() == 1 {
            return values.into_iter().next().ok_or_else(|| Diagnostic::error("type", "nothing"));
        }
        let modes = values.iter().zip(items).map(|(value, item)| {
            value
                .to_tiler()
                .map_err(|message| Diagnostic { hint: None, ..message }.or_at(item.span))
        });
        Ok(Value::Tiler(Tiler::Modes(modes.collect::<Result<_, _>>()?)))
    }

    fn layout(&mut self, shape: &Expr, stride: Option<&Expr>) -> Result<Value, Diagnostic> {
        let extents = self.part(shape, "shape", Value::to_ints)?;
        let Some(stride) = stride else {
            return Ok(Layout::column_major(extents)?.into());
        };
        let strides = self.part(stride, "stride", Value::to_stride)?;
        Layout::new(extents, strides).map(Value::from).map_err(|error| {
            let message = Diagnostic::from(error);
            match message.code {
                "mismatch" => {
                    message.at(stride.span).hint("give every mode of the shape one stride")
                }
                "positive-extent" => message.at(shape.span),
                _ => message,
            }
        })
    }

    /// Evaluates the shape or the stride of a layout.
    fn part<T>(
        &mut self,
        expr: &Expr,
        what: &str,
        read: impl Fn(&Value) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let value = self.eval(expr)?;
        if matches!(value, Value::Layout(_) | Value::Tiler(_)) {
            return Err(Diagnostic::error(
                "type",
                format!("a layout has one `:`, but there is another one inside its {what}"),
            )
            .at(expr.span)
            .hint("write all of the shape first, then all of the stride: `(4,8):(8,1)`"));
        }
        read(&value).map_err(|message| message.or_at(expr.span))
    }

    fn compose(&mut self, terms: &[Expr]) -> Result<Value, Diagnostic> {
        let mut parts = Vec::with_capacity(terms.len());
        for term in terms {
            let part = match &term.kind {
                ExprKind::Pointer(pointer) => Part::Pointer(*pointer),
                ExprKind::Offset(offset) => Part::Offset(self.eval(offset)?.to_ints()?),
                _ => Part::of(self.eval(term)?),
            };
            parts.push((part, term.span));
        }
        let Some((last, span)) = parts.pop() else {
            return Err(Diagnostic::error("syntax", "an empty composition"));
        };
        let mut value = match last {
            Part::Value(value) => value,
            Part::Offset(shape) => Value::ints(&shape),
            Part::Pointer(_) => return self.eval(&terms[terms.len() - 1]),
        };
        let whole = span;
        while let Some((part, span)) = parts.pop() {
            let next = |part: &Part| match part {
                Part::Value(Value::Swizzle(swizzle)) => Some(Inner::Swizzle(*swizzle)),
                Part::Value(Value::Layout(AnyLayout::Plain(layout))) => {
                    Some(Inner::Layout(layout.clone()))
                }
                _ => None,
            };
            let inner = parts.last().and_then(|(part, _)| next(part));
            let result = match (part, inner) {
                (Part::Offset(offset), Some(inner)) => {
                    parts.pop();
                    under(inner, offset, &value)
                }
                (Part::Offset(offset), None) => over(offset, &value),
                (Part::Pointer(mut pointer), inner) => {
                    if let (None, Some(Inner::Swizzle(swizzle))) = (pointer.swizzle, inner) {
                        parts.pop();
                        pointer.swizzle = Some(parameters(swizzle));
                    }
                    self.point(pointer, &value)
                }
                (Part::Value(Value::Swizzle(swizzle)), _) => {
                    under(Inner::Swizzle(swizzle), Tree::Leaf(0), &value)
                }
                (Part::Value(outer), _) => self.compose_two(&outer, &value, span.to(whole)),
            };
            value = result.map_err(|message| message.or_at(span.to(whole)))?;
        }
        Ok(value)
    }

    fn compose_two(&mut self, a: &Value, b: &Value, span: Span) -> Result<Value, Diagnostic> {
        let operand = match a {
            Value::Tensor(tensor) => {
                Operand { layout: tensor.layout.clone(), offset: Some(tensor.offset.clone()) }
            }
            _ => Operand { layout: a.to_layout()?, offset: None },
        };
        let mut call = self.open_call(Vec::new(), span);
        let value = compose(&mut call, operand, &b.to_tiler()?)?;
        self.close_call(call);
        Ok(value)
    }

    /// Puts a pointer under a layout: the width is kept, and a swizzle that the pointer carries
    /// counts bytes.
    fn point(&mut self, pointer: Pointer, value: &Value) -> Result<Value, Diagnostic> {
        self.element_bits = pointer.bits.or(self.element_bits);
        let Some(written) = pointer.swizzle else {
            return match value {
                Value::Tuple(_) => value.to_layout().map(Value::Layout),
                _ => Ok(value.clone()),
            };
        };
        let bits = pointer.bits.unwrap_or(8);
        let unit = OffsetUnit::Byte { element_bits: bits };
        let bytes = self.swizzle(written, Span::default())?.counting(unit);
        let elements = in_elements(bytes, bits)?;
        if !elements.permutes_like(bytes) {
            self.say(Diagnostic::note(
                "swizzle-unit",
                format!(
                    "the pointer's `{bytes}` counts bytes; over {bits}-bit elements it is `{elements}`"
                ),
            ));
        }
        let period = elements.bits() + elements.base() + elements.shift().unsigned_abs();
        let address = pointer.address.unwrap_or(0);
        if !address.is_multiple_of(u128::from(bits)) {
            return Err(Diagnostic::error(
                "alignment",
                format!("the pointer's address is not a multiple of its {bits}-bit elements"),
            ));
        }
        // Only the address bits that the swizzle reads matter to the layout.
        let offset = (address / u128::from(bits)) & ((1_u128 << period) - 1);
        let offset =
            i64::try_from(offset).map_err(|_| Diagnostic::error("overflow", "the address"))?;
        under(Inner::Swizzle(elements), Tree::Leaf(offset), value)
    }

    fn call(&mut self, callee: &Expr, args: &[Arg], span: Span) -> Result<Value, Diagnostic> {
        if let ExprKind::Name(name) = &callee.kind {
            let scope = self.scope;
            if scope.name(name).is_none() {
                let Some(function) = scope.functions().get(name) else {
                    return Err(self.unknown_function(name, callee.span));
                };
                let args = self.bind(function, args, span)?;
                return self.run_call(function, args, span);
            }
        }
        let value = self.eval(callee)?;
        let mut coords = Vec::with_capacity(args.len());
        for arg in args {
            if let Some((keyword, span)) = &arg.keyword {
                return Err(Diagnostic::error(
                    "arguments",
                    format!("a coordinate has no keyword `{keyword}`"),
                )
                .at(*span));
            }
            let coord = self.eval(&arg.expr)?.to_coord();
            coords.push(coord.map_err(|message| message.or_at(arg.expr.span))?);
        }
        let coord = if coords.len() == 1 { coords.remove(0) } else { Tree::Tuple(coords) };
        let result = apply(&value, &coord, callee.span)?;
        let (before, after) = (value.any_layout(), result.any_layout());
        if let Some(message) = before.zip(after).and_then(|(a, b)| super::unit::lost(a, b)) {
            self.say(message.or_at(span));
        }
        Ok(result)
    }

    fn unknown_function(&self, name: &str, span: Span) -> Diagnostic {
        let functions = self.scope.functions().iter().map(|function| function.name);
        let message = Diagnostic::error("name", format!("unknown function `{name}`")).at(span);
        match nearest(name, functions.chain(self.scope.names())) {
            Some(near) => message.hint(format!("did you mean `{near}`?")),
            None => {
                message.hint("functions have CuTe's names, e.g. `composition`, `zipped_divide`")
            }
        }
    }

    /// Gives every parameter its argument.
    fn bind(
        &mut self,
        function: &Function,
        args: &[Arg],
        span: Span,
    ) -> Result<Vec<Option<Argument>>, Diagnostic> {
        let params: Vec<Param> = function.params.iter().map(|spec| Param::of(spec)).collect();
        let signature = || format!("usage: `{}`", function.signature());
        // Of a parameter that takes any number there is one slot for each argument.
        let more = params.last().is_some_and(|param| param.many);
        let fixed = params.len() - usize::from(more);
        let slots = if more { fixed.max(args.len()) } else { fixed };
        let mut bound: Vec<Option<Argument>> = vec![None; slots];
        let mut keyword_before: Option<&str> = None;
        for (i, arg) in args.iter().enumerate() {
            let at = match (&arg.keyword, keyword_before) {
                (None, None) => i,
                // Python's rule; by position it would often meet a parameter that has its value.
                (None, Some(keyword)) => {
                    return Err(Diagnostic::error(
                        "arguments",
                        format!("an argument without a name follows `{keyword} = ...`"),
                    )
                    .at(arg.expr.span)
                    .hint(format!(
                        "name it, or put it in front of the named ones; {}",
                        signature()
                    )));
                }
                (Some((keyword, at)), _) => {
                    keyword_before = Some(keyword);
                    let named = |param: &Param| param.names().any(|name| name == keyword);
                    params[..fixed].iter().position(named).ok_or_else(|| {
                        Diagnostic::error(
                            "arguments",
                            format!("`{}` has no parameter `{keyword}`", function.name),
                        )
                        .at(*at)
                        .hint(signature())
                    })?
                }
            };
            let Some(slot) = bound.get_mut(at) else {
                return Err(Diagnostic::error(
                    "arguments",
                    format!(
                        "`{}` takes {}, found {}",
                        function.name,
                        count(function.arity()),
                        args.len()
                    ),
                )
                .at(arg.expr.span)
                .hint(signature()));
            };
            if slot.is_some() {
                return Err(Diagnostic::error(
                    "arguments",
                    format!(
                        "the parameter `{}` is given twice",
                        params.get(at).map_or("", |param| param.name())
                    ),
                )
                .at(arg.expr.span)
                .hint(signature()));
            }
            let value = match &arg.expr.kind {
                ExprKind::Name(word)
                    if params.get(at).is_some_and(|param| param.word)
                        && self.scope.name(word).is_none() =>
                {
                    Value::Text(word.clone())
                }
                _ => self.eval(&arg.expr)?,
            };
            *slot = Some(Argument { value, span: arg.expr.span });
        }
        for (param, slot) in params.iter().zip(&bound) {
            if slot.is_none() && !param.optional {
                return Err(Diagnostic::error(
                    "arguments",
                    format!("`{}` needs `{}`", function.name, param.name()),
                )
                .at(span)
                .hint(signature()));
            }
        }
        Ok(bound)
    }

    fn run_call(
        &mut self,
        function: &Function,
        args: Vec<Option<Argument>>,
        span: Span,
    ) -> Result<Value, Diagnostic> {
        let mut call = self.open_call(args, span);
        let value = (function.eval)(&mut call)?;
        self.close_call(call);
        Ok(value)
    }

    fn open_call(&self, args: Vec<Option<Argument>>, span: Span) -> Call {
        Call { args, span, messages: Vec::new(), element_bits: self.element_bits }
    }

    fn close_call(&mut self, call: Call) {
        self.element_bits = call.element_bits;
        for message in call.messages {
            self.say(message);
        }
    }
}

/// Computes `left operator right`; a basis may be scaled.
fn calculate(left: Entry, operator: Operator, right: Entry) -> Result<Entry, Diagnostic> {
    let sign = operator.sign();
    let (a, b, path) = match (left, operator, right) {
        (Entry::Int(a), _, Entry::Int(b)) => (a, b, None),
        (Entry::Basis { value, path }, Operator::Multiply, Entry::Int(n))
        | (Entry::Int(n), Operator::Multiply, Entry::Basis { value, path }) => {
            (n, value, Some(path))
        }
        _ => {
            return Err(Diagnostic::error(
                "type",
                format!("`{left}{sign}{right}` is not defined: a basis can only be multiplied"),
            )
            .hint("scale a basis by an integer, as in `2 * E(0)`"));
        }
    };
    let value = match operator {
        Operator::Add => a.checked_add(b),
        Operator::Subtract => a.checked_sub(b),
        Operator::Multiply => a.checked_mul(b),
        Operator::Divide => match (b, a.checked_rem(b)) {
            (0, _) => {
                return Err(Diagnostic::error("divide", format!("`{a}/0` divides by zero"))
                    .hint("divide by another number"));
            }
            (_, None | Some(0)) => a.checked_div(b),
            (_, Some(rest)) => {
                return Err(Diagnostic::error(
                    "divide",
                    format!("`{a}/{b}` leaves a rest of {rest}; divisions are exact here"),
                )
                .hint(format!("to round up, write `ceil_div({a},{b})`")));
            }
        },
    };
    let value = value.ok_or_else(|| {
        Diagnostic::error("overflow", format!("`{a}{sign}{b}` does not fit into 64 bits"))
            .hint("write smaller numbers")
    })?;
    Ok(match path {
        None => Entry::Int(value),
        Some(path) => Entry::Basis { value, path },
    })
}

/// A term of a composition.
enum Part {
    Pointer(Pointer),
    Offset(IntTuple),
    Value(Value),
}

impl Part {
    fn of(value: Value) -> Self {
        match value.to_ints() {
            Ok(offset) => Self::Offset(offset),
            Err(_) => Self::Value(value),
        }
    }
}

/// Makes `inner o offset o layout`, of a tensor's layout with the tensor's offset kept.
fn under(inner: Inner, offset: IntTuple, value: &Value) -> Result<Value, Diagnostic> {
    let composed = |layout: AnyLayout| match layout {
        AnyLayout::Plain(layout) => {
            Ok(AnyLayout::from(ComposedLayout::new(inner, offset, layout)?))
        }
        AnyLayout::Composed(composed) => Err(Diagnostic::error(
            "undefined",
            format!("`{inner}` cannot be composed with the composed layout `{composed}`"),
        )),
    };
    match value {
        Value::Tensor(tensor) => Err(tensor_inside(tensor)),
        _ => composed(value.to_layout()?).map(Value::Layout),
    }
}

/// Makes the tensor `offset o layout`.
fn over(offset: IntTuple, value: &Value) -> Result<Value, Diagnostic> {
    let layout = match value {
        Value::Tensor(tensor) => return Err(tensor_inside(tensor)),
        _ => value.to_layout()?,
    };
    // The offset must be of the kind of the layout's values.
    offset.add(&layout.at(&Tree::Leaf(0))?)?;
    Ok(Tensor { offset, layout }.into())
}

fn tensor_inside(tensor: &Tensor) -> Diagnostic {
    Diagnostic::error("type", format!("expected a layout behind `o`, found the tensor `{tensor}`"))
        .hint("a tensor has one offset, and it stands in front")
}

fn parameters(swizzle: Swizzle) -> (i64, i64, i64) {
    (swizzle.bits().into(), swizzle.base().into(), swizzle.shift().into())
}

/// Converts a swizzle over bytes to elements of `bits`.
fn in_elements(bytes: Swizzle, bits: u32) -> Result<Swizzle, Diagnostic> {
    if !bits.is_power_of_two() {
        return Err(Diagnostic::error(
            "swizzle-unit",
            format!("`{bytes}` counts bytes, and {bits}-bit elements are no power of two of bytes"),
        )
        .hint("give the swizzle in elements, as in `S<3,4,3> o 0 o (8,64):(64,1)`"));
    }
    Ok(bytes.in_elements()?)
}

/// Applies a layout, a tensor or a swizzle to a coordinate; `_` makes it a slice.
fn apply(value: &Value, coord: &Coord, callee: Span) -> Result<Value, Diagnostic> {
    match (value, coord.to_ints()) {
        (Value::Layout(layout), Some(coord)) => Ok(Value::ints(&layout.at(&coord)?)),
        (Value::Layout(layout), None) => Ok(slice(layout, coord)?.into()),
        (Value::Tensor(tensor), Some(coord)) => Ok(Value::ints(&tensor.at(&coord)?)),
        (Value::Tensor(tensor), None) => Ok(slice_tensor(tensor, coord)?.into()),
        (Value::Swizzle(swizzle), Some(Tree::Leaf(offset))) => {
            Ok(Value::int(swizzle.apply(offset)))
        }
        (Value::Tuple(_), Some(stride)) => Err(value
            .mismatch("a layout or a function in front of `(`")
            .at(callee)
            .hint(format!("did you mean the layout `{value}:{stride}`?"))),
        _ => Err(value.mismatch("a layout or a function in front of `(`").at(callee)),
    }
}

fn depth_of(value: &Value) -> usize {
    match value {
        Value::Tuple(tree) => tree.depth(),
        Value::Layout(layout) => layout.depth(),
        Value::Tensor(tensor) => tensor.layout.depth(),
        Value::Tiler(tiler) => tiler.depth(),
        Value::Items(items) => items.iter().map(depth_of).max().unwrap_or(0),
        _ => 0,
    }
}

/// Returns whether a value has more leaves than any value may have.
fn is_too_large(value: &Value) -> bool {
    let shape = match value {
        Value::Layout(layout) => layout.shape(),
        Value::Tensor(tensor) => tensor.layout.shape(),
        _ => return false,
    };
    shape.leaves().take(LEAVES + 1).count() > LEAVES
}

fn count((needed, possible): (usize, usize)) -> String {
    let plural = if possible == 1 { "" } else { "s" };
    if needed == possible {
        format!("{needed} argument{plural}")
    } else {
        format!("{needed} to {possible} arguments")
    }
}
