//! What calls a person who looks elsewhere: the bell for a new critical drift, once, and the window's title.

use crate::drift::Severity;
use crate::monitor::ServerLook;
use crate::tui::effect::Effect;
use crate::tui::model::{MAX_REMEMBERED, Model};

/// Rings where a server's state has a critical drift that was not rung for.
pub fn ring(model: &mut Model, look: &ServerLook) {
    // What a first contact brings has not drifted, and whoever records it looks at it now.
    let rings = model.setup.switches.bell && !look.is_first_contact();
    let Some(review) = look.review.as_deref().filter(|_| rings) else { return };
    let waits = review.weighed().filter(|(row, _)| row.state.needs_decision());
    let mut fresh = false;
    for (row, _) in waits.filter(|(_, severity)| *severity == Some(Severity::Critical)) {
        if let Some(digest) = row.decides_on() {
            fresh |= model.session.rung.insert((look.id.clone(), digest));
        }
    }
    if model.session.rung.len() > MAX_REMEMBERED {
        // Who is called twice has lost nothing.
        model.session.rung.clear();
    }
    if fresh {
        model.request(Effect::Bell);
    }
}

/// Says in the window's title what waits, where that moved. A window that had nothing to say keeps its own title.
pub fn title(model: &mut Model) {
    if model.quit || !model.setup.switches.title && model.session.titled.is_empty() {
        return;
    }
    let critical = model.home.counted(Severity::Critical);
    let text = match critical {
        0 if model.session.titled.is_empty() => return,
        _ if !model.setup.switches.title => String::new(),
        0 => "pinwatch".to_owned(),
        many => format!("{} {many} critical - pinwatch", model.setup.glyphs.critical),
    };
    if model.session.titled != text {
        model.session.titled.clone_from(&text);
        model.request(Effect::Title(text));
    }
}
