//! Types that show nothing of themselves: what they hold is a secret, or of no use to whoever reads a log.

/// `opaque!(Secret)`: the `Debug` of a `Secret` is its name.
macro_rules! opaque {
    ($name:ident) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    };
}
