//! TMA data formats: what a descriptor calls an element type.
//!
//! In: the element type and the type that the descriptor counts in. Out: the format as CuTe prints
//! it and the driver's enumerator. Source: CuTe's default formats, `cuda.h`.

use crate::hardware::dtype::ElementType;

/// A descriptor's data format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TmaFormat {
    /// As CuTe prints it, e.g. `F16_RN`.
    pub name: &'static str,
    /// The end of `CU_TENSOR_MAP_DATA_TYPE_...`.
    pub driver: &'static str,
    /// Whether shared memory gets one byte for each narrow element.
    unpacks: bool,
}

impl TmaFormat {
    /// Returns the format of a copy.
    #[must_use]
    pub const fn of(dtype: ElementType, internal: Option<ElementType>) -> Self {
        use ElementType as E;
        let narrow = dtype.bits() < 8 && dtype.bits() > 1;
        let unpack = match internal {
            Some(internal) => internal.bits() == 8 && narrow,
            None => dtype.bits() == 6,
        };
        let (name, driver) = match (unpack, dtype) {
            (true, E::E3m2 | E::E2m3) => ("U6_UNPACK_U8", "16U6_ALIGN16B"),
            (true, _) => ("U4_UNPACK_U8", "16U4_ALIGN16B"),
            (false, _) => match if let Some(internal) = internal { internal } else { dtype } {
                E::F16 => ("F16_RN", "FLOAT16"),
                E::Bf16 => ("BF16_RN", "BFLOAT16"),
                E::F32 => ("F32_RN", "FLOAT32"),
                E::Tf32 => ("TF32_RN", "TFLOAT32"),
                E::F64 => ("F64_RN", "FLOAT64"),
                E::E2m1 | E::I4 | E::U4 => ("U4", "16U4_ALIGN8B"),
                E::I16 | E::U16 => ("U16", "UINT16"),
                E::I32 | E::U32 => ("U32", "UINT32"),
                E::I64 | E::U64 | E::I128 | E::U128 | E::U256 => ("U64", "UINT64"),
                _ => ("U8", "UINT8"),
            },
        };
        Self { name, driver, unpacks: unpack }
    }

    /// Returns whether shared memory gets one byte for each narrow element.
    #[must_use]
    pub const fn unpacks(self) -> bool {
        self.unpacks
    }
}
