//! What was odd on the way, counted: a fixed number of codes, so a flooder cannot make it grow.

use crate::surface::Notice;

/// The notices of one session so far, in the order of their first occurrence.
#[derive(Debug, Default)]
pub(super) struct Notices(Vec<Notice>);

impl Notices {
    /// Counts one more of `code`; the sentence of the first one stays.
    pub fn add(&mut self, code: &'static str, text: impl FnOnce() -> String) {
        self.add_many(code, 1, text);
    }

    /// Counts `count` more of `code`.
    pub fn add_many(&mut self, code: &'static str, count: u64, text: impl FnOnce() -> String) {
        match self.0.iter_mut().find(|notice| notice.code == code) {
            Some(notice) => notice.count += count,
            None => self.0.push(Notice { code, count, text: text() }),
        }
    }

    pub fn all(&self) -> Vec<Notice> {
        self.0.clone()
    }
}
