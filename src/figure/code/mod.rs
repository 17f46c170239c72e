//! The same thing as C++ and DSL text.

pub mod snippet;
