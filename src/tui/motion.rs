//! Moves a selection or a scroll position: the same rules for every list. Pure.

use crate::tui::action::Action;

/// Lines that a page turn keeps on the screen.
pub const KEPT: usize = 2;

pub fn is_motion(action: Action) -> bool {
    step(action, 1).is_some()
}

/// How far an action goes in a page of `page` rows; the ends are far.
fn step(action: Action, page: usize) -> Option<isize> {
    let page = isize::try_from(page.max(1)).unwrap_or(isize::MAX);
    Some(match action {
        Action::Down => 1,
        Action::Up => -1,
        Action::PageDown => page,
        Action::PageUp => -page,
        Action::HalfPageDown => (page / 2).max(1),
        Action::HalfPageUp => -(page / 2).max(1),
        Action::Top => isize::MIN,
        Action::Bottom => isize::MAX,
        _ => return None,
    })
}

/// The place after an action among `len`, from `at`; none where there is nothing or the action does not move.
pub fn place(action: Action, at: Option<usize>, len: usize, page: usize) -> Option<usize> {
    let by = step(action, page)?;
    let last = len.checked_sub(1)?;
    let Some(at) = at else { return Some(0) };
    let moved = if by < 0 { at.saturating_sub(by.unsigned_abs()) } else { at.saturating_add(by.unsigned_abs()) };
    Some(moved.min(last))
}

/// A scroll position after an action over `len` lines, `page` of them shown. A page turn keeps two lines: the eye finds its
/// place, and a notice that goes with the key has covered no line that is now passed over.
pub fn scroll(action: Action, at: usize, len: usize, page: usize) -> usize {
    place(action, Some(at), len.saturating_sub(page) + 1, page.saturating_sub(KEPT)).unwrap_or(at)
}

/// The scroll position nearest to `scroll` that shows row `at` and leaves no empty rows below.
pub fn keep(scroll: usize, at: Option<usize>, len: usize, height: usize) -> usize {
    let scroll = scroll.min(len.saturating_sub(height));
    match at {
        Some(at) if at < scroll => at,
        Some(at) if height > 0 && at >= scroll + height => at + 1 - height,
        _ => scroll,
    }
}
