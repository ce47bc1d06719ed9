//! How a text is written: characters, letters, places and codes that hide what it says. No rule here reads sentences.

pub(super) mod confusable;
pub(super) mod encoded;
pub(super) mod escape;
pub(super) mod hidden;
pub(super) mod out_of_sight;
mod runs;
pub(super) mod unmask;
