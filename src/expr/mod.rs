//! Floor 1: the notation in which layouts are written and computed.
//!
//! In: the text of an expression and a [`Scope`] of functions and names. Out: an [`Evaluated`] value
//! or a message with its place. Invariant: any text gives one of the two; nothing in it can panic or
//! run for long.
//!
//! ```
//! use mdbook_cute::expr::{Functions, Scope};
//!
//! let functions = Functions::core();
//! let scope = Scope::new(&functions);
//! let divided = scope.evaluate("zipped_divide((12,32):(1,12), <4,8>)").unwrap();
//! assert_eq!(divided.value.to_string(), "((4,8),(3,4)):((1,12),(4,96))");
//! ```
//!
//! The modules in reading order: `lexer`, [`syntax`], `statement`, `parser`, `pasted`,
//! `template`; [`value`]; [`function`],
//! [`scope`], `evaluator`; `builtin` with the functions; `from_text`, [`report`].

mod builtin;
mod evaluator;
mod from_text;
pub mod function;
mod lexer;
pub mod limits;
mod parser;
mod pasted;
pub mod report;
pub mod scope;
mod statement;
pub mod syntax;
mod template;
mod unit;
pub mod value;

pub use function::{Argument, Call, Function, Functions, Operand};
pub use scope::{Evaluated, Scope};
pub use statement::{parse, statements};
pub use value::{Entry, Value};
