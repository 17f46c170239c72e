//! Element types: their names in the field, and their widths in bits.
//!
//! In: a name as CuTe's C++, the CuTe DSL or a printout spells it. Out: the type. Invariant: a type
//! has one short name (`f16`), which is what figures print.

use crate::diagnostic::Diagnostic;
use crate::suggest::nearest;
use std::fmt;

macro_rules! element_types {
    ($($variant:ident $name:literal $bits:literal $dsl:literal [$($alias:literal),*];)*) => {
        /// An element type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ElementType {
            $(#[doc = concat!("`", $name, "`, ", $bits, " bits wide.")] $variant,)*
        }

        impl ElementType {
            /// Every type, widest floating-point type first.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the short name, as in `f16`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns the DSL's name, as in `Float16`.
            #[must_use]
            pub const fn dsl_name(self) -> &'static str {
                match self { $(Self::$variant => $dsl,)* }
            }

            /// Returns the width in bits.
            #[must_use]
            pub const fn bits(self) -> i64 {
                match self { $(Self::$variant => $bits,)* }
            }

            /// Returns the other spellings, the C++ name first.
            #[must_use]
            pub const fn aliases(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($alias),*],)* }
            }
        }
    };
}

element_types! {
    F64 "f64" 64 "Float64" ["double"];
    F32 "f32" 32 "Float32" ["float", "single"];
    Tf32 "tf32" 32 "TFloat32" ["tfloat32_t"];
    F16 "f16" 16 "Float16" ["half_t", "half", "__half"];
    Bf16 "bf16" 16 "BFloat16" ["bfloat16_t", "__nv_bfloat16", "bfloat16"];
    E4m3 "e4m3" 8 "Float8E4M3FN" ["float_e4m3_t", "f8E4M3FN", "fp8_e4m3", "__nv_fp8_e4m3"];
    E5m2 "e5m2" 8 "Float8E5M2" ["float_e5m2_t", "f8E5M2", "fp8_e5m2", "__nv_fp8_e5m2"];
    E8m0 "e8m0" 8 "Float8E8M0FNU" ["float_ue8m0_t", "f8E8M0FNU", "ue8m0"];
    Ue4m3 "ue4m3" 8 "Float8E4M3" ["float_ue4m3_t", "f8E4M3"];
    E3m2 "e3m2" 6 "Float6E3M2FN" ["float_e3m2_t", "f6E3M2FN", "fp6_e3m2"];
    E2m3 "e2m3" 6 "Float6E2M3FN" ["float_e2m3_t", "f6E2M3FN", "fp6_e2m3"];
    E2m1 "e2m1" 4 "Float4E2M1FN" ["float_e2m1_t", "f4E2M1FN", "fp4_e2m1"];
    I128 "i128" 128 "Int128" ["int128_t"];
    I64 "i64" 64 "Int64" ["int64_t", "long"];
    I32 "i32" 32 "Int32" ["int32_t", "int"];
    I16 "i16" 16 "Int16" ["int16_t", "short"];
    I8 "i8" 8 "Int8" ["int8_t", "char"];
    I4 "i4" 4 "Int4" ["int4_t", "int4b_t"];
    U256 "u256" 256 "Uint256" ["uint256_t"];
    U128 "u128" 128 "Uint128" ["uint128_t"];
    U64 "u64" 64 "Uint64" ["uint64_t"];
    U32 "u32" 32 "Uint32" ["uint32_t", "uint"];
    U16 "u16" 16 "Uint16" ["uint16_t"];
    U8 "u8" 8 "Uint8" ["uint8_t", "byte"];
    U4 "u4" 4 "Uint4" ["uint4_t", "uint4b_t"];
    U1 "u1" 1 "Uint1" ["uint1b_t", "b1"];
    Bool "bool" 1 "Boolean" ["i1"];
}

impl ElementType {
    /// Finds a type by any of its names; `cutlass::`, `cute::` and `cutlass.` in front are ignored.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim();
        let name = ["cutlass::", "cute::", "cutlass."]
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix))
            .unwrap_or(name);
        Self::ALL
            .iter()
            .copied()
            .find(|ty| ty.name() == name || ty.dsl_name() == name || ty.aliases().contains(&name))
    }

    /// As [`Self::parse`].
    ///
    /// # Errors
    /// A name that is no type; the hint is one that is near, or a few that there are.
    pub fn read(name: &str) -> Result<Self, Diagnostic> {
        Self::parse(name).ok_or_else(|| {
            let error = Diagnostic::error("dtype", format!("unknown element type `{name}`"));
            error.hint(match Self::near(name) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "for example `f16`, `half_t` or `Float16`".to_owned(),
            })
        })
    }

    /// Returns the name in C++.
    #[must_use]
    pub fn cxx_name(self) -> &'static str {
        self.aliases().first().copied().unwrap_or(self.name())
    }

    /// Returns how a `name` that is no type should have been spelled, if anything is near.
    #[must_use]
    fn near(name: &str) -> Option<&'static str> {
        let names = Self::ALL.iter().flat_map(|ty| {
            [ty.name(), ty.dsl_name()].into_iter().chain(ty.aliases().iter().copied())
        });
        nearest(name, names)
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::ElementType;

    #[test]
    fn names_lead_to_one_type_each() {
        for &ty in ElementType::ALL {
            for name in [ty.name(), ty.dsl_name()].iter().chain(ty.aliases()) {
                assert_eq!(ElementType::parse(name), Some(ty), "{name}");
            }
        }
        assert_eq!(ElementType::parse("cutlass::half_t"), Some(ElementType::F16));
        assert_eq!(ElementType::parse("f17"), None);
        assert_eq!(ElementType::near("fp8_e4m4"), Some("fp8_e4m3"));
    }
}
