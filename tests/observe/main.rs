//! What the MCP client makes of servers of both eras and transports, well-behaved and not: the state or notice that
//! DESIGN.md names, exact bytes, bounded memory and time, and nothing left running.

#![expect(clippy::expect_used, clippy::panic, reason = "a test stops where it cannot go on")]

#[path = "../common/fixture.rs"]
mod fixture;

#[path = "../common/needs.rs"]
mod needs;

#[path = "../support/origin.rs"]
#[expect(dead_code, reason = "these tests show no page")]
mod origin;
#[path = "../support/spoken.rs"]
mod spoken;

#[path = "../fixture/surface.rs"]
mod recording;

mod changes;
mod corpus;
mod documents;
mod endings;
mod eras;
mod hostile;
mod http;
mod kit;
mod lost;
mod nobody;
mod surface;
