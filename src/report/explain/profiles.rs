//! The profiles of the policy, explained.

use super::Topic;

/// Every profile, in the order of [`crate::drift::Profile::ALL`].
pub static PROFILES: [Topic; 3] = [
    Topic {
        name: "balanced",
        title: "pinwatch's own table of severities, the default",
        means: "A drift is as bad as what it changes: a text that a model reads is moderate, a loosened safety hint or a finding \
                that it brought is critical, a version number is info. `pinwatch explain TYPE` says it of each type.",
        advice: "Keep it unless another tool's table has to be met. Single types, rules and definitions are rated otherwise with \
                 [[policy.override]] and [[policy.suppress]].",
    },
    Topic {
        name: "strict",
        title: "the higher of pinwatch's table and MCPTrust's",
        means: "Each drift has the higher severity of `balanced` and `capability-identity`: every new tool and every changed input \
                schema is critical, and findings raise as they do under `balanced`.",
        advice: "Use it where every new tool and every changed parameter has to stop a build, however harmless it looks.",
    },
    Topic {
        name: "capability-identity",
        title: "MCPTrust's published table only",
        means: "The severities are those of MCPTrust's capability-identity table alone; what it does not name is info. Findings are \
                shown and do not raise: a description that now orders a model about is `safe` in that table.",
        advice: "Use it to compare with MCPTrust's own reports. As the only gate of a build it lets poisoned descriptions through: \
                 name rules with --fail-on, or choose `strict`.",
    },
];
