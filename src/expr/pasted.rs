//! Printed forms: what C++ CuTe, the DSL and C++ types look like when they are pasted.
//!
//! In: a name at the front of a pointer, a wrapper or a template. Out: the syntax node that the
//! notation itself would have given. Invariant: an element width and a swizzle that a pointer names
//! are kept; an address only matters to the swizzle that the pointer carries.

use super::lexer::{Token, is_word};
use super::parser::{METHODS, Parser, unclosed};
use super::syntax::{Arg, Expr, ExprKind, Pointer};
use super::template::{Template, is_template};
use crate::diagnostic::{Diagnostic, Span};

impl Parser<'_> {
    /// Reads what starts with a name.
    pub(super) fn named(&mut self, written: &str) -> Result<ExprKind, Diagnostic> {
        let start = self.span;
        let name = without_namespace(written).to_owned();
        if let Some(head) = before_methods(written) {
            // The methods are read behind the name; the `.` is the next token.
            self.seek(start.start + head.len())?;
            return Ok(ExprKind::Name(head.to_owned()));
        }
        self.bump()?;
        if self.is('[') && self.touches() && is_pointer(&name) {
            return self.pointer(1, None).map(ExprKind::Pointer);
        }
        // C++ allows blanks in front of `<`; elsewhere a `<` there starts a tiler.
        let template = self.is('<') && (self.touches() || is_template(&name));
        match name.as_str() {
            "None" | "X" | "Underscore" if !template => {
                self.skip_braces()?;
                Ok(ExprKind::Keep)
            }
            "counting_iter" | "ArithTuple" if self.is('(') => {
                let start = self.span.start;
                let (mut items, certain) = self.list('(', ')', Self::expr)?;
                let span = Span::new(start, self.end);
                let offset = match (name.as_str(), items.len()) {
                    ("counting_iter", 1) => items.remove(0),
                    _ => Expr { kind: ExprKind::Tuple { items, certain }, span },
                };
                Ok(ExprKind::Offset(Box::new(offset)))
            }
            // What C++ prints of the iterator of a tensor of matrix descriptors; it counts 16 bytes.
            "DescriptorIterator" if !template => {
                Ok(ExprKind::Pointer(Pointer { bits: Some(128), ..Pointer::default() }))
            }
            "raw_ptr" if self.is('(') => self.raw_pointer(start).map(ExprKind::Pointer),
            "tensor" if self.is('(') => self.printed_tensor(),
            "decltype" if self.is('(') => {
                let (mut items, _) = self.list('(', ')', Self::expr)?;
                let (Some(inner), true) = (items.pop(), items.is_empty()) else {
                    return Err(Diagnostic::error(
                        "syntax",
                        "`decltype(...)` takes one expression",
                    )
                    .at(start)
                    .hint("e.g. `decltype(make_layout(Int<8>{})){}`"));
                };
                self.skip_braces()?;
                Ok(inner.kind)
            }
            _ if template => self.template(&name, start),
            _ => {
                self.skip_braces()?;
                Ok(ExprKind::Name(name))
            }
        }
    }

    fn template(&mut self, name: &str, at: Span) -> Result<ExprKind, Diagnostic> {
        match name {
            "tensor" => {
                let (mut items, _) = self.list('<', '>', Self::expr)?;
                let one = if items.len() == 1 { items.pop() } else { None };
                let inner = one.ok_or_else(|| wrong_count(name, at, "one layout or tensor"))?;
                return Ok(inner.kind);
            }
            "ptr" => return self.typed_pointer(at).map(ExprKind::Pointer),
            "smem_ptr_flag_bits" => {
                let args = self.int_arguments(name, at)?;
                let bits = args.first().and_then(|n| u32::try_from(*n).ok()).filter(|n| *n > 0);
                let bits = bits.ok_or_else(|| {
                    wrong_count(name, at, "a width in bits").hint("e.g. `smem_ptr_flag_bits<16>`")
                })?;
                self.skip_braces()?;
                return Ok(ExprKind::Pointer(Pointer { bits: Some(bits), ..Pointer::default() }));
            }
            "smem_sparse" | "gmem_sparse" => {
                let args = self.int_arguments(name, at)?;
                let sparsity = args.first().and_then(|n| u32::try_from(*n).ok()).filter(|n| *n > 0);
                let sparsity = sparsity.ok_or_else(|| wrong_count(name, at, "its sparsity"))?;
                if self.token != Token::Name("_ptr".to_owned()) {
                    return Err(self.expected("`_ptr[`"));
                }
                self.bump()?;
                // Of the flag the width of a stored element is printed, of a pointer (`_8b`) that
                // of a logical one.
                return self.pointer(sparsity, None).map(ExprKind::Pointer);
            }
            "Tensor" => return self.runtime_tensor(at),
            "Sw" | "S" | "Swizzle" => return self.swizzle(name, at),
            "Int" | "C" => {
                let (mut items, _) = self.list('<', '>', Self::expr)?;
                let (Some(value), true) = (items.pop(), items.is_empty()) else {
                    return Err(wrong_count(name, at, "one integer"));
                };
                if !is_integer(&value.kind) {
                    return Err(wrong_count(name, at, "one integer").at(value.span));
                }
                self.skip_braces()?;
                return Ok(value.kind);
            }
            "E" => {
                let args = self.int_arguments(name, at)?;
                let modes = args.iter().map(|m| usize::try_from(*m)).collect::<Result<Vec<_>, _>>();
                let modes = modes.map_err(|_| wrong_count(name, at, "modes of 0 or more"))?;
                self.skip_braces()?;
                return Ok(if modes.is_empty() {
                    ExprKind::Int(1)
                } else {
                    ExprKind::Basis { value: 1, modes }
                });
            }
            _ => {}
        }
        let (items, _) = self.list('<', '>', Self::expr)?;
        let span = Span::new(at.start, self.end);
        self.skip_braces()?;
        match name {
            "Shape" | "Stride" | "Coord" | "Step" | "IntTuple" | "tuple" | "ArithmeticTuple" => {
                Ok(ExprKind::Tuple { items, certain: true })
            }
            "Tile" => Ok(ExprKind::Tiler(items)),
            "Layout" => {
                let mut items = items.into_iter();
                match (items.next(), items.next(), items.next()) {
                    (Some(shape), stride, None) => Ok(ExprKind::Layout {
                        shape: Box::new(shape),
                        stride: stride.map(Box::new),
                    }),
                    _ => Err(wrong_count(name, at, "a shape and a stride")),
                }
            }
            "ComposedLayout" if items.len() == 3 => Ok(ExprKind::Compose(items)),
            _ if self.is('(') && Template::of(name).is_some() => {
                let args = self.arguments()?;
                Template::of(name).map_or_else(
                    || Err(wrong_count(name, at, "nothing")),
                    |template| template.call(at, (items, span), args),
                )
            }
            _ => {
                let callee = Expr { kind: ExprKind::Name(name.to_owned()), span: at };
                let args = items.into_iter().map(|expr| Arg { keyword: None, expr }).collect();
                let call = ExprKind::Call { callee: Box::new(callee), args };
                Ok(ExprKind::Tuple { items: vec![Expr { kind: call, span }], certain: false })
            }
        }
    }

    fn int_arguments(&mut self, name: &str, at: Span) -> Result<Vec<i64>, Diagnostic> {
        let (items, _) = self.list('<', '>', Self::expr)?;
        items
            .iter()
            .map(|item| match item.kind {
                ExprKind::Int(value) => Ok(value),
                _ => Err(wrong_count(name, at, "integers").at(item.span)),
            })
            .collect()
    }

    fn swizzle(&mut self, name: &str, at: Span) -> Result<ExprKind, Diagnostic> {
        let args = self.int_arguments(name, at)?;
        let [bits, base, shift] = args[..] else {
            return Err(wrong_count(name, at, "three integers: B, M and S").hint("e.g. `S<3,4,3>`"));
        };
        self.skip_braces()?;
        if let Token::Name(next) = &self.token {
            let carried = next.strip_prefix('_').is_some_and(is_pointer);
            if carried && self.touches() {
                self.bump()?;
                return self.pointer(1, Some((bits, base, shift))).map(ExprKind::Pointer);
            }
        }
        Ok(ExprKind::Swizzle { bits, base, shift })
    }

    /// Reads `[16b](0x400)` behind the name of a pointer.
    fn pointer(
        &mut self,
        sparsity: u32,
        swizzle: Option<(i64, i64, i64)>,
    ) -> Result<Pointer, Diagnostic> {
        let (width, _) = self.raw('[', ']')?;
        let static_width = width.starts_with('_');
        let bits = width.trim_start_matches('_').strip_suffix('b').and_then(|n| n.parse().ok());
        let Some(bits) = bits.filter(|bits: &u32| *bits > 0) else {
            return Err(Diagnostic::error("syntax", format!("invalid element width `[{width}]`"))
                .at(Span::new(self.end.saturating_sub(width.len() + 2), self.end))
                .hint("write it in bits, e.g. `[16b]`"));
        };
        let bits = if static_width { bits } else { (bits / sparsity).max(1) };
        let (address, span) = self.raw('(', ')')?;
        let address = match address.trim() {
            word if stands_for_address(word) => None,
            digits => Some(address_bits(digits).ok_or_else(|| {
                Diagnostic::error("syntax", format!("invalid address `{digits}`"))
                    .at(span)
                    .hint("write `0x400`, a word, or `unset`")
            })?),
        };
        Ok(Pointer { bits: Some(bits), address, swizzle })
    }

    /// Reads `<f16, smem, align<1024>, S<3,4,3>>` behind `ptr`, as the DSL's types write it.
    fn typed_pointer(&mut self, at: Span) -> Result<Pointer, Diagnostic> {
        let (items, _) = self.list('<', '>', Self::expr)?;
        pointer_of(&items, at)
    }

    /// Reads `(0x00007ffe: f32, gmem, align<4>)` behind `raw_ptr`, as `print_tensor` writes it.
    fn raw_pointer(&mut self, at: Span) -> Result<Pointer, Diagnostic> {
        let opened = self.span;
        let address = self.raw_until(':', "a printed pointer is `raw_ptr(0x400: f32, gmem)`")?;
        let (items, _) = self.items(opened, ('(', ')'), Self::expr)?;
        let pointer = pointer_of(&items, at)?;
        Ok(Pointer { address: address_bits(address.trim()), ..pointer })
    }

    /// Reads `(raw_ptr(...) o (8,5):(5,1), data=...)` behind `tensor`.
    fn printed_tensor(&mut self) -> Result<ExprKind, Diagnostic> {
        let opened = self.span;
        self.bump()?;
        let inner = self.deeper(Self::expr)?;
        if self.is(',') {
            // The values are not of this notation; a text that was cut off ends in them.
            let rest = &self.text[self.span.end..];
            let end = rest.rfind(')').map_or(self.text.len(), |at| self.span.end + at + 1);
            self.seek(end)?;
        } else if self.is(')') {
            self.bump()?;
        } else {
            return Err(unclosed('(', ')', opened));
        }
        Ok(inner.kind)
    }

    /// Reads `<0x7ffe@gmem o (8, 5):(5, 1)>` behind `Tensor`, as a tensor of the host prints.
    fn runtime_tensor(&mut self, at: Span) -> Result<ExprKind, Diagnostic> {
        let opened = self.span;
        let hint = "a printed tensor is `Tensor<0x400@gmem o (8,5):(5,1)>`";
        let address = self.raw_until('@', hint)?;
        let Token::Name(_) = self.token else { return Err(self.expected("a memory").hint(hint)) };
        let memory = Span::new(at.start, self.span.end);
        self.bump()?;
        if self.at_compose()? {
            self.bump()?;
        } else {
            return Err(self.expected("` o `").hint(hint));
        }
        let (mut items, _) = self.items(opened, ('<', '>'), Self::expr)?;
        let (Some(layout), true) = (items.pop(), items.is_empty()) else {
            return Err(wrong_count("Tensor", at, "an address and a layout").hint(hint));
        };
        let pointer = Pointer { address: address_bits(address.trim()), ..Pointer::default() };
        let pointer = Expr { kind: ExprKind::Pointer(pointer), span: memory };
        Ok(ExprKind::Compose(vec![pointer, layout]))
    }

    /// Reads what stands between the bracket here and a mark.
    fn raw_until(&mut self, mark: char, hint: &str) -> Result<String, Diagnostic> {
        let from = self.span.end;
        let inside = self.text[from..].split(mark).next().unwrap_or_default();
        if from + inside.len() == self.text.len()
            || !(stands_for_address(inside.trim()) || address_bits(inside.trim()).is_some())
        {
            let end = from + inside.chars().next().map_or(0, char::len_utf8);
            return Err(Diagnostic::error("syntax", "an address is expected here")
                .at(Span::new(from.min(end), end))
                .hint(hint));
        }
        let inside = inside.to_owned();
        self.seek(from + inside.len() + mark.len_utf8())?;
        Ok(inside)
    }
}

/// Reads what the DSL says about a pointer: its element type, memory, alignment and swizzle.
fn pointer_of(items: &[Expr], at: Span) -> Result<Pointer, Diagnostic> {
    let mut pointer = Pointer::default();
    for (i, item) in items.iter().enumerate() {
        match &item.kind {
            ExprKind::Name(name) if i == 0 => {
                pointer.bits = Some(element_bits(name).ok_or_else(|| {
                    Diagnostic::error("syntax", format!("unknown element type `{name}`"))
                        .at(item.span)
                        .hint("e.g. `f16`, `bf16`, `f8E4M3FN`, `i32`")
                })?);
            }
            ExprKind::Swizzle { bits, base, shift } => {
                pointer.swizzle = Some((*bits, *base, *shift));
            }
            _ => {}
        }
    }
    if pointer.bits.is_none() {
        return Err(wrong_count("ptr", at, "an element type first"));
    }
    Ok(pointer)
}

impl Parser<'_> {
    /// Reads brackets whose inside is not of this notation.
    fn raw(&mut self, open: char, close: char) -> Result<(String, Span), Diagnostic> {
        if !self.is(open) || !self.touches() {
            return Err(self
                .expected(&format!("`{open}`"))
                .hint("a printed pointer is written `smem_ptr[16b](0x400)`"));
        }
        let from = self.span.end;
        let Some(len) = self.text[from..].find(close) else {
            return Err(unclosed(open, close, self.span));
        };
        let inside = self.text[from..from + len].to_owned();
        self.seek(from + len + close.len_utf8())?;
        Ok((inside, Span::new(from, from + len)))
    }

    /// Skips `{}` of a C++ value and what the DSL knows about an integer, as in `{div=8}`.
    pub(super) fn skip_braces(&mut self) -> Result<(), Diagnostic> {
        let empty = || self.text[self.span.end..].trim_start().starts_with('}');
        if !self.is('{') || !(self.touches() || empty()) {
            return Ok(());
        }
        let open = self.span;
        let rest = &self.text[open.end..];
        let Some(len) = rest.find('}') else { return Err(unclosed('{', '}', open)) };
        let inside = &rest[..len];
        let known = |c: char| c.is_ascii_alphanumeric() || c == '=' || c == ' ';
        if !inside.chars().all(known) {
            return Err(Diagnostic::error("syntax", format!("unexpected `{{{inside}}}`"))
                .at(Span::new(open.start, open.end + len + 1))
                .hint("only `{}` and suffixes such as `{div=8}` may follow a value"));
        }
        self.seek(open.end + len + 1)
    }
}

/// Takes `cute.`, `cute::UMMA::` and the like off a name.
fn without_namespace(name: &str) -> &str {
    let name = name.rsplit("::").next().unwrap_or(name);
    ["cutlass.cute.", "cute.", "cutlass."]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name)
}

/// Returns the value in front of methods: `A` of `A.with_shape`.
fn before_methods(name: &str) -> Option<&str> {
    let (head, methods) = name.split_once('.')?;
    let known = methods.split('.').all(|method| METHODS.contains(&method));
    (known && !matches!(head, "cute" | "cutlass") && !head.contains(':')).then_some(head)
}

/// Returns whether this can only be an integer.
const fn is_integer(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Int(_) | ExprKind::Name(_) | ExprKind::Arithmetic { .. } | ExprKind::Call { .. }
    )
}

/// Returns whether a text stands for an address: one in hexadecimal, `unset`, `0x...` or any word.
fn stands_for_address(text: &str) -> bool {
    let word = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.chars().all(|c| is_word(c) || matches!(c, '.' | ':'))
    };
    word(text) || matches!(text, "..." | "0x..." | "0x\u{2026}" | "\u{2026}")
}

fn is_pointer(name: &str) -> bool {
    name == "tmem_" || name.ends_with("ptr")
}

/// Reads `0x400`, `0x400.4` (a bit inside of the byte) and `0x0010.0020` (lane and column), in bits.
fn address_bits(digits: &str) -> Option<u128> {
    let hex = digits.strip_prefix("0x")?;
    let (bytes, bit) = hex.split_once('.').unwrap_or((hex, "0"));
    let bytes = u64::from_str_radix(bytes, 16).ok()?;
    let bit = u64::from_str_radix(bit, 16).ok()?;
    Some(u128::from(bytes) * 8 + u128::from(bit))
}

/// Reads the width out of a type name of the DSL: `f16`, `bf16`, `f8E4M3FN`.
fn element_bits(name: &str) -> Option<u32> {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let known =
        name.len() > digits.len() && matches!(&name[..1], "f" | "b" | "i" | "u" | "s" | "t");
    digits[..end].parse().ok().filter(|bits| known && (1..=128).contains(bits))
}

fn wrong_count(name: &str, at: Span, wanted: &str) -> Diagnostic {
    Diagnostic::error("syntax", format!("`{name}<...>` takes {wanted}")).at(at)
}
