//! The memory model and the shared-memory atoms against recorded facts, worked cases, and a second
//! model that was written independently.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at the first surprise")]

mod advice;
mod atoms;
mod brute;
mod cases;
#[path = "../common/mod.rs"]
mod common;
mod text;
