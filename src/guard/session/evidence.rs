//! Tells the witness what becomes of calls of tools.

use super::{Call, Held, Pending, Session};
use crate::canon::scan::Span;
use crate::digest::DefinitionCluster;
use crate::guard::call::UNNAMED;
use crate::guard::envelope::{self, Envelope, members};
use crate::guard::{Decided, Ending, Refusal, Ruling, Skim};
use crate::surface::Kind;

/// Where a version is said by servers of the discover era.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

impl Session {
    /// What a request is as a call of a tool; none of any other, and where nobody is told.
    pub(super) fn call_of(&self, method: &str, envelope: &Envelope, message: &[u8]) -> Option<Call> {
        if method != "tools/call" || self.witness.is_none() {
            return None;
        }
        // What cannot be told apart is refused; it was tried all the same.
        let parts = crate::guard::ask::params(envelope, message, ["name", "arguments"]);
        let [name, arguments] = parts.unwrap_or_default();
        let tool = envelope::text(message, name.as_ref()).filter(|name| !name.trim().is_empty());
        Some(Call { tool: tool.unwrap_or_else(|| UNNAMED.to_owned()), arguments })
    }

    /// Tells how a call was decided; why it must not pass, where no evidence could be taken of it. Once for each call.
    pub(super) fn bear_witness(&mut self, held: &mut Held, ruling: Ruling<'_>) -> Result<(), Refusal> {
        let Some(call) = held.call.take() else { return Ok(()) };
        let definition = if ruling.is_by_list() { self.definition_of(&call.tool) } else { None };
        self.calls += 1;
        let number = self.calls;
        let Some(witness) = &mut self.witness else { return Ok(()) };
        let arguments = call.arguments.map(|span| &held.message[span]);
        witness
            .decided(&Decided { number, tool: &call.tool, arguments, definition, ruling })
            .map_err(Refusal::NoEvidence)?;
        held.request.call = ruling.passes().then_some(number);
        Ok(())
    }

    /// The digest of what is served under a name; of several, which all were looked at, the one that they share.
    fn definition_of(&self, tool: &str) -> Option<DefinitionCluster> {
        let approvals = self.approvals.as_ref().ok()?;
        let mut served = self.listing(Kind::Tool).of(tool).iter().map(|item| approvals.definition(item));
        let first = served.next()??;
        served.all(|other| other == Some(first)).then_some(first)
    }

    /// Tells how a request ended that was passed on.
    pub(super) fn ended(&mut self, request: &Pending, ending: Ending<'_>) {
        if let (Some(number), Some(witness)) = (request.call, &mut self.witness) {
            witness.ended(number, ending);
        }
    }

    /// Tells of the answer to a call.
    pub(super) fn answered(&mut self, request: &Pending, envelope: &Envelope, message: &[u8]) {
        let ending = match (&envelope.result, &envelope.error) {
            (Some(text), None) => Ending::Answered { is_error: false, text: &message[text.clone()] },
            (None, Some(text)) => Ending::Answered { is_error: true, text: &message[text.clone()] },
            _ => Ending::Unreadable,
        };
        self.ended(request, ending);
    }

    /// Tells of an answer that passed in pieces.
    pub(super) fn answered_in_pieces(&mut self, request: &Pending, skim: &Skim) {
        self.ended(request, Ending::Long { is_error: skim.has("error"), digest: skim.digest() });
    }

    /// Tells the version that a server says it has.
    pub(super) fn learn_version(&mut self, message: &[u8], result: &Span) {
        let Some(witness) = &mut self.witness else { return };
        let object = |span: &Span| message[span.start] == b'{';
        let Ok([info, meta]) = members(message, result.start, ["serverInfo", "_meta"]) else { return };
        let in_meta = meta.filter(object).and_then(|meta| members(message, meta.start, [SERVER_INFO]).ok());
        let Some(info) = info.or_else(|| in_meta.and_then(|[info]| info)).filter(object) else { return };
        let version = members(message, info.start, ["version"]).ok().and_then(|[version]| version);
        if let Some(version) = envelope::text(message, version.as_ref()) {
            witness.introduced(&version);
        }
    }

    /// Reads a long message that passes in pieces.
    pub fn skim(&self) -> Skim {
        Skim::hashing(self.witness.as_ref().and_then(|witness| witness.hasher()))
    }

    /// Nothing more passes: what waits for an answer gets none, and what waits for a list was never decided.
    pub fn close(&mut self) {
        for mut held in std::mem::take(&mut self.held) {
            // It does not pass anyhow.
            let _ = self.bear_witness(&mut held, Ruling::Refused(&Refusal::CalledOff));
        }
        for request in std::mem::take(&mut self.pending).into_values() {
            self.ended(&request, Ending::Unanswered);
        }
    }
}
