//! The word of an enum in files, reports and on the command line. `strum` derives it from the variant's name; this gives
//! it one name, `word`, and a type that does not depend on the caller.

/// `word!(Kind)`: `Kind::word`. `word!(ref Accepts)` is for an enum that is not `Copy`.
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
    };
}
