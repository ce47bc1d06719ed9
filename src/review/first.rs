//! What a first record takes in, what it leaves out, and what a person should look at before it.

use super::state::{Doubt, Review, Row, RowId};
use crate::digest::SurfaceDigest;
use crate::drift::{Severity, is_of_the_server};
use std::cmp::Reverse;

/// A first record as it would be made now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstRecord {
    /// What becomes a pin, by the digest that is served.
    pub pins: Vec<(RowId, SurfaceDigest)>,
    /// Items that stay as they are until somebody names them, the critical ones first.
    pub apart: Vec<(RowId, Doubt)>,
}

/// An item to look at before a first record.
#[derive(Clone, Copy, Debug)]
pub struct FirstLook<'a> {
    /// Its row.
    pub row: &'a Row,
    /// How bad what was found in it is; none where nothing was.
    pub severity: Option<Severity>,
    /// A sentence without a full stop. May quote the server.
    pub why: &'a str,
}

impl Review {
    /// The record that `record` and `B` make of a server of which nothing is pinned.
    pub fn first_record(&self) -> FirstRecord {
        let mut record = FirstRecord::default();
        // What is about the server as a whole is none of its items.
        for row in self.rows.iter().filter(|row| !is_of_the_server(&row.id.item)) {
            match (row.doubt.as_deref(), row.decides_on()) {
                (Some(doubt), _) => record.apart.push((row.id.clone(), doubt.clone())),
                (None, Some(digest)) => record.pins.push((row.id.clone(), digest)),
                (None, None) => {}
            }
        }
        record.apart.sort_by_key(|(_, doubt)| !doubt.is_critical);
        record
    }

    /// The items that stay out of a first record, and those in which something was found; worst first.
    pub fn to_look_at_first(&self) -> Vec<FirstLook<'_>> {
        let items = self.weighed().filter(|(row, _)| row.now.is_some() && !is_of_the_server(&row.id.item));
        let mut first: Vec<_> = items
            .filter_map(|(row, severity)| {
                let severity = severity.filter(|severity| *severity >= Severity::Moderate);
                Some(FirstLook { row, severity, why: self.why_first(row)? })
            })
            .collect();
        first.sort_by_key(|look| Reverse(look.severity));
        first
    }

    /// Why to look at an item before a first record: the worst that was found in it, else what keeps it out.
    pub fn why_first<'a>(&'a self, row: &'a Row) -> Option<&'a str> {
        let findings = self.drift_of(row).map_or(&row.findings, |drift| &drift.findings);
        let found = findings.iter().rev().max_by_key(|finding| finding.severity);
        let found = found.filter(|finding| finding.severity >= Severity::Moderate);
        found.map(|finding| finding.text.as_str()).or(row.doubt.as_ref().map(|doubt| doubt.why.as_str()))
    }
}
