//! What just happened, as lines: beside the hints where it is short, else in rows of its own above them. It never takes the
//! place of the keys.

use super::line::{Line, Role};
use super::model::Model;
use super::motion::KEPT;
use crate::text::shortened;

/// Rows that a notice takes at most: a page turn keeps as many lines, so that what it covered is not passed over.
const ROWS: usize = KEPT;
/// Characters of a notice that are looked at: two rows of the widest screen have not more.
const LONGEST: usize = 1_000;

fn line(model: &Model) -> Option<Line> {
    let notice = model.notice.as_ref()?;
    let role = if notice.warning { Role::Warning } else { Role::Notice };
    let mut line = Line::of(role, " ");
    line.quote(role, &shortened(&notice.text, LONGEST));
    Some(line)
}

/// The notice where half of the last row holds it.
pub fn beside_hints(model: &Model) -> Option<Line> {
    line(model).filter(|line| line.width() * 2 <= usize::from(model.size.0))
}

/// Its rows above the hints where it is longer; what two rows do not hold is cut.
pub fn rows(model: &Model) -> Vec<Line> {
    let Some(line) = line(model).filter(|_| beside_hints(model).is_none()) else { return Vec::new() };
    let width = usize::from(model.size.0).saturating_sub(1);
    // Of a dialog it may cover the edge alone.
    let most = if model.is_covered() { 1 } else { ROWS };
    let mut rows = line.wrap(width, 1);
    if rows.len() > most {
        rows.truncate(most);
        if let Some(last) = rows.last_mut() {
            let cut = model.setup.glyphs.ellipsis;
            *last = std::mem::take(last).pad(width.saturating_sub(1), cut);
            last.put(Role::Dim, cut);
        }
    }
    rows
}
