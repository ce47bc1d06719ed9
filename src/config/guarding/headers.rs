//! Puts a guard's URL and headers in the place of a server's URL in a file's text, and takes them away again. Whether an edit
//! did what it should is its caller's to check, by reading the text again.

use super::edit::{ClientText, Edit};
use crate::config::clients::{NamedSpot, Spot, Spots};
use crate::config::document::Syntax;
use crate::config::guarded::{AUTHORIZATION, KEPT, UPSTREAM};

impl ClientText<'_> {
    /// Puts `url` in the place of the one at `spots`, which stays as a header beside `authorization`; with the text of those
    /// headers. None where their place is none that is understood.
    pub fn redirect(&self, spots: &Spots, url: &str, authorization: &str) -> Option<(Vec<Edit>, String)> {
        let address = spots.url.as_ref()?;
        let old = self.text.get(address.value.clone()).filter(|old| !old.contains('\n'))?;
        let pairs = [(AUTHORIZATION, self.quoted(authorization)), (UPSTREAM, old.to_owned())];
        let headers = match &spots.headers {
            Some(headers) => self.first_members(headers, &pairs)?,
            None => self.addition(address, self.headers, &self.table(address, &pairs)),
        };
        let added = headers.with.clone();
        let kept = own_headers(spots, AUTHORIZATION).map(|own| Edit::insert(self.letters(own), KEPT.to_owned()));
        // Headers stand before the name that is changed where both are at one place.
        let edits = [Edit { at: address.value.clone(), with: self.quoted(url) }, headers].into_iter().chain(kept);
        Some((edits.collect(), added))
    }

    /// Gives an entry its own URL back, and takes the guard's headers away: `added`, or whatever became of them.
    pub fn direct(&self, spots: &Spots, added: &[String]) -> Option<Vec<Edit>> {
        let (address, headers) = (spots.url.as_ref()?, spots.headers.as_ref()?);
        let upstream = headers.members.iter().find(|one| one.name.eq_ignore_ascii_case(UPSTREAM))?;
        let own = self.text.get(upstream.value.clone())?;
        let whole = added.iter().find_map(|added| {
            let mut places = self.text.match_indices(added.as_str()).map(|(at, _)| at..at + added.len());
            places.find(|place| place.contains(&upstream.key.start))
        });
        let removed = match whole {
            Some(at) => vec![Edit { at, with: String::new() }],
            None => self.without_members(headers, &[AUTHORIZATION, UPSTREAM]),
        };
        let name = format!("{KEPT}{AUTHORIZATION}");
        let kept = own_headers(spots, &name);
        let freed = kept.map(|own| {
            let at = self.letters(own);
            Edit { at: at..at + KEPT.len(), with: String::new() }
        });
        let address = Edit { at: address.value.clone(), with: own.to_owned() };
        Some(std::iter::once(address).chain(removed).chain(freed).collect())
    }

    fn member(&self, (name, value): &(&str, String), between: &str) -> String {
        let quote = if self.is_json() { "\"" } else { "" };
        format!("{quote}{name}{quote}{between}{value}")
    }

    /// A table on one line, spaced like the member that it stands beside.
    fn table(&self, beside: &Spot, pairs: &[(&str, String)]) -> String {
        let between = self.between(beside.key.end..beside.value.start);
        let members: Vec<_> = pairs.iter().map(|pair| self.member(pair, between)).collect();
        match self.syntax {
            Syntax::Toml => format!("{{ {} }}", members.join(", ")),
            _ => format!("{{{}}}", members.join(", ")),
        }
    }

    /// Members before the first one of a table.
    fn first_members(&self, table: &Spot, pairs: &[(&str, String)]) -> Option<Edit> {
        let is_flow = self.text.get(table.value.clone())?.starts_with('{');
        let Some(first) = table.members.first() else {
            let between = self.between(table.key.end..table.key.end);
            let members: Vec<_> = pairs.iter().map(|pair| self.member(pair, between)).collect();
            return is_flow.then(|| Edit::insert(table.value.start + 1, members.join(", ")));
        };
        let between = self.between(first.key.end..first.value.start);
        let members = pairs.iter().map(|pair| self.member(pair, between));
        if is_flow {
            let lead = self.lead(first.key.start);
            let tail = if lead.contains('\n') { lead } else { " " };
            return Some(Edit::insert(first.key.start, members.map(|member| member + "," + tail).collect()));
        }
        // The tables that a dotted key of TOML goes down stand on its line.
        let line = self.line_start(first.key.start);
        let prefix = &self.text[line..first.key.start];
        let is_plain = match self.syntax {
            Syntax::Toml => !prefix.contains(['{', '[', '=', '#']),
            _ => prefix.trim_start_matches(' ').is_empty(),
        };
        let end = self.line_break();
        is_plain.then(|| Edit::insert(line, members.map(|member| [prefix, &member, end].concat()).collect()))
    }

    /// A table loses the members with these names.
    fn without_members(&self, table: &Spot, names: &[&str]) -> Vec<Edit> {
        let members = &table.members;
        let goes = |one: &NamedSpot| names.iter().any(|name| one.name.eq_ignore_ascii_case(name));
        let is_flow = self.text[table.value.clone()].starts_with('{');
        let mut edits = Vec::new();
        let mut at = 0;
        while at < members.len() {
            let many = members[at..].iter().take_while(|one| goes(one)).count();
            if many == 0 {
                at += 1;
                continue;
            }
            let (first, final_one) = (&members[at], &members[at + many - 1]);
            let (next, previous) = (members.get(at + many), at.checked_sub(1).map(|at| &members[at]));
            let range = match (next, previous) {
                _ if !is_flow => {
                    let end = self.line_end(final_one.value.end);
                    let rest = &self.text[end..];
                    let broken = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
                    self.line_start(first.key.start)..end + broken
                }
                (Some(next), _) => first.key.start..next.key.start,
                (None, Some(previous)) => previous.value.end..final_one.value.end,
                (None, None) => first.key.start..final_one.value.end,
            };
            edits.push(Edit { at: range, with: String::new() });
            at += many;
        }
        edits
    }

    /// Where the letters of a name begin, behind its quote.
    fn letters(&self, one: &NamedSpot) -> usize {
        one.key.start + usize::from(self.text[one.key.start..].starts_with(['"', '\'']))
    }
}

/// The headers of this name that the entry has.
fn own_headers<'a>(spots: &'a Spots, name: &str) -> impl Iterator<Item = &'a NamedSpot> {
    let tables = spots.headers.iter().chain(&spots.header_variables);
    tables.flat_map(|table| &table.members).filter(move |one| one.name.eq_ignore_ascii_case(name))
}
