//! The word of an enum in files, reports and on the command line. `strum` derives it from the variant's name; this gives
//! it one name, `word`, and a type that does not depend on the caller.

/// `word!(Kind)`: `Kind::word`, which is also how a `Kind` is printed. `word!(ref Accepts)` is for an enum that is not `Copy`.
macro_rules! word {
    (ref $name:ident) => {
        impl $name {
            /// The stable word of files and reports.
            pub fn word(&self) -> &'static str {
                self.into()
            }
        }
    };
    ($name:ident) => {
        impl $name {
            /// The stable word of files and reports.
            pub fn word(self) -> &'static str {
                self.into()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }
    };
}
