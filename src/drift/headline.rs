//! A drift in one line: what a list of drifts says of each, on the screen and in reports alike.

use super::{Drift, DriftType, Finding, Group, Severity};

impl Drift {
    /// What happened, in one line without a full stop and without a severity: the worst finding that the change brought, else
    /// the worst change. May quote the server.
    pub fn headline(&self) -> &str {
        let worst = self.changes.iter().map(|change| change.severity).max().unwrap_or(Severity::Safe);
        let brought = |finding: &&Finding| finding.added && finding.severity > Severity::Safe;
        // Of several of one severity the first, in the order in which they are listed.
        let finding = self.findings.iter().filter(brought).rev().max_by_key(|finding| finding.severity);
        // Of two faces that there are two is what happened; what one of them says comes next.
        let of_faces = self.drift_type == DriftType::SplitView;
        let outweighs = |severity: Severity| if of_faces { severity > worst } else { severity >= worst };
        if let Some(finding) = finding.filter(|finding| outweighs(finding.severity)) {
            return &finding.text;
        }
        let change = self.changes.iter().rev().max_by_key(|change| (change.severity, change.change.rank()));
        change.map(|change| change.headline.as_str()).or(self.reasons.first().map(String::as_str)).unwrap_or_default()
    }
}

impl Group {
    /// What the members have in common, in one line. May quote the server.
    pub fn headline(&self) -> String {
        match self.causes.as_slice() {
            [] => String::new(),
            [cause] => cause.clone(),
            [cause, rest @ ..] => format!("{cause} and {} more", rest.len()),
        }
    }
}
