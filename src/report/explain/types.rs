//! The drift types, explained; DESIGN.md's table says how bad each is.

use super::Topic;

/// Every drift type, in the order of [`crate::drift::DriftType::ALL`].
pub static TYPES: [Topic; 25] = [
    Topic {
        name: "tool_added",
        title: "a new tool that is not approved",
        means: "The server serves a tool that its baseline does not pin. A model may call it, and its description is in the \
                model's context already. It is moderate; critical with a critical finding, or when its name says as its verb \
                that it runs commands (run, exec, shell) and nothing approved before it did.",
        advice: "Read its description and parameters as instructions that your model will read. Approve it to pin it, or \
                 reject it so that the same definition is flagged wherever the baseline is used.",
    },
    Topic {
        name: "tool_removed",
        title: "an approved tool is no longer served",
        means: "A complete list lacks a tool that is pinned. Callers that use it break. Its pin stays until you approve its \
                absence: if it comes back unchanged, it is approved; if it comes back changed, it is drift.",
        advice: "If it went for good, approve its absence, which deletes the pin. If other tools appeared in its place, read \
                 those as new ones.",
    },
    Topic {
        name: "tool_changed",
        title: "an approved tool changed",
        means: "Description, parameters, annotations or another field differ from what was approved. Its severity is that of the worst \
                of its changes; a schema change says what it accepts now, with an instance that shows the difference where \
                one was found.",
        advice: "Read the changes from the top. A text that a model reads is a prompt: ask what it makes a model do that the old \
                 one did not. Approve, or reject and talk to whoever runs the server.",
    },
    Topic {
        name: "tool_renamed",
        title: "an approved tool was renamed",
        means: "A new tool has the body of a pinned one, exactly or nearly. A rename defeats permissions given by name, \
                so it is at least moderate.",
        advice: "Check that the rest is unchanged, and update allow lists that name the tool.",
    },
    Topic {
        name: "risk_level_changed",
        title: "MCPTrust's keyword level changed",
        means: "The published keyword rule of MCPTrust gives the tool another level (LOW, MEDIUM, HIGH). The rule counts words, \
                and honest releases flip it often; so it is info here, and critical under the profile capability-identity.",
        advice: "Read the change that brought the word. Nothing needs to be decided for this alone.",
    },
    Topic {
        name: "prompt_added",
        title: "a new prompt that is not approved",
        means: "The server offers a prompt template that is not pinned. People choose prompts; a model does not see it before.",
        advice: "Read its description and arguments, then approve or reject it.",
    },
    Topic {
        name: "prompt_removed",
        title: "an approved prompt is no longer served",
        means: "A complete list lacks a prompt that is pinned.",
        advice: "Approve its absence if it went for good.",
    },
    Topic {
        name: "prompt_changed",
        title: "an approved prompt changed",
        means: "Its description or its arguments differ. They are judged like the text and the parameters of a tool.",
        advice: "Read the change, then approve or reject it.",
    },
    Topic {
        name: "template_added",
        title: "a new resource template that is not approved",
        means: "The server offers a family of resources that is not pinned. One that reaches wide, such as file:///{+path}, is \
                moderate.",
        advice: "Ask what addresses the template can be filled with, then approve or reject it.",
    },
    Topic {
        name: "template_removed",
        title: "an approved resource template is no longer served",
        means: "A complete list lacks a resource template that is pinned.",
        advice: "Approve its absence if it went for good.",
    },
    Topic {
        name: "template_changed",
        title: "an approved resource template changed",
        means: "Its text differs from what was approved. Clients show it, and models read it.",
        advice: "Read the change, then approve or reject it.",
    },
    Topic {
        name: "resource_added",
        title: "a new resource that is not approved",
        means: "The server lists a resource that is not pinned. Resource lists are often a user's own data and change with it.",
        advice: "Approve it; or set ignore-kinds = [\"resources\"] for a server whose resources are data.",
    },
    Topic {
        name: "resource_removed",
        title: "an approved resource is no longer listed",
        means: "A complete list lacks a resource that is pinned. Resource lists are often a user's own data and change with it.",
        advice: "Approve its absence; or set ignore-kinds = [\"resources\"] for a server whose resources are data.",
    },
    Topic {
        name: "resource_changed",
        title: "the description of an approved resource changed",
        means: "Its name, description or type differs from what was approved.",
        advice: "Read the change, then approve it; or set ignore-kinds = [\"resources\"] where resources are data.",
    },
    Topic {
        name: "instructions_changed",
        title: "the server's instructions to the model changed",
        means: "Many clients put a server's instructions into the model's context for the whole session, without showing them. \
                A change there reaches every tool of every server.",
        advice: "Read the whole text as if you were the model. Approve it, or reject it.",
    },
    Topic {
        name: "capabilities_changed",
        title: "the server's capabilities changed",
        means: "What the server says it can do differs. It is moderate if a kind of list appears that it did not have.",
        advice: "Approve it once you know which release brought it.",
    },
    Topic {
        name: "server_changed",
        title: "the server's name or version changed",
        means: "Its name, version or title in the handshake differs. A version is info; another name is moderate, since it may be \
                another program.",
        advice: "Compare the version with the release that you meant to run, then approve it.",
    },
    Topic {
        name: "launch_changed",
        title: "the server's command or address changed",
        means: "The command, its arguments, its folder, its URL or the names of its variables differ from what was approved. Only \
                another version of the same package or image is info; other variable or header names are moderate; else it is \
                critical, because everything that follows comes from another program.",
        advice: "Find who changed the config and why. Approve it when the new launch is the one that you want.",
    },
    Topic {
        name: "anchor_changed",
        title: "the baseline's anchor changed",
        means: "A baseline is tied to who the server was: its attestation, the key that signed it, the principal that it declares. \
                Another one, or none where there was one, is critical under every profile. One that the baseline is not tied \
                to yet is info.",
        advice: "Find out from its publisher why before you approve it: what was approved was approved for the other one.",
    },
    Topic {
        name: "admission_refused",
        title: "the server is not admitted",
        means: "[trust] names a trust root, and the server's attestation is refused by it, or a level is required and the server \
                shows none. The rule that failed stands with its number.",
        advice: "Run `pinwatch admit SERVER` to see each rule. It is settled by the server's publisher, or in pinwatch.toml; \
                 approving does not settle it.",
    },
    Topic {
        name: "tool_not_admitted",
        title: "a tool is outside of the server's closed list",
        means: "[servers.X] tools is a closed list, and the server shows a tool that does not stand in it. That a server is \
                admitted admits none of its tools.",
        advice: "Add the tool to the list if you want it, or find out why the server shows it. Approving does not settle it.",
    },
    Topic {
        name: "split_view",
        title: "the server shows clients different things",
        means: "`check --as`, or the key in the details of a server, looked at it under the names and capabilities of known clients. \
                One definition that differs between them, or one that is shown to a client and hidden from another that \
                declares as much, is critical. What only clients with more capabilities are shown is info: servers may \
                do that. Each client was shown the same at every look; what changes by itself is not decided.",
        advice: "What you approved is not what your client is shown. Stop using the server, and ask whoever runs it why. \
                 Approving does not settle it.",
    },
    Topic {
        name: "protocol_upgraded",
        title: "the protocol version changed",
        means: "The handshake, or what comes with it on all tools (a schema dialect, an execution member), differs. It is one \
                drift, however many items it touches.",
        advice: "Approve it as one group. Other changes of an item are shown apart from it.",
    },
    Topic {
        name: "name_collision",
        title: "two tool names collide in a client",
        means: "A tool that nobody pinned has a name that becomes another tool's once clients have rewritten it, or that looks \
                like it. Of the two, one is shown and the other may be called.",
        advice: "Find out which server the name belongs to; reject the other one's tool and remove it from your client.",
    },
    Topic {
        name: "surface_unstable",
        title: "the definition differs from look to look",
        means: "The server shows the same few variants in turn (replicas of two releases), or a text that differs at each start (a \
                folder, a clock, an order). Such an item would always be drift, and real drift would hide in it.",
        advice: "Approve it with the values that differ left to vary: --varies POINTER, or v in the dialog. If replicas differ, wait \
                 until the roll-out is done.",
    },
];
