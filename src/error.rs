//! The top error: exit codes and one hint line a variant.
