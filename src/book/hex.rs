//! Hashes as text.
//!
//! In: a hash. Out: its first bytes in hexadecimal digits, two for each. Invariant: lower case, since
//! anchors that are published hold such digits.

/// Returns the first `bytes` bytes of a hash.
pub(super) fn hex(hash: impl AsRef<[u8]>, bytes: usize) -> String {
    hash.as_ref().iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
}
