//! The terminal UI: one loop, one model, one way for data.
