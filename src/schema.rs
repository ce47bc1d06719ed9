//! What inputs a JSON Schema accepts, and how two schemas compare. Knows nothing of MCP.
//!
//! [`compare`] says *not included* only with an instance that was evaluated again, *included* only by sound rules, and
//! otherwise that it is not decided, and why. It fetches nothing and stays within its [`Budget`].

mod ajv;
mod annotation;
mod automaton;
mod budget;
mod change;
mod compare;
mod dangling;
mod decimal;
mod declared;
mod dialect;
mod evaluate;
mod guess;
mod keyword;
mod node;
mod parameters;
mod pattern;
mod read;
mod resolve;
mod search;

pub use ajv::ajv_stops_at;
pub use annotation::AnnotationChange;
pub use budget::Budget;
pub use change::{ChangeDirection, Direction, SchemaChange, SchemaChangeKind};
pub use compare::{Accepts, Answer, Comparison, Declares, OnDeclared, Witnesses, compare, effect};
pub use dangling::{Dangling, dangling};
pub use dialect::Dialect;
pub use keyword::{Holds, holds, is_bound, is_set};
pub use parameters::{Parameter, parameters};
