//! The rules of findings, explained. Each says what honest text does, too: no rule is a verdict.

use super::Topic;

/// Every rule of findings, by name.
pub static RULES: [Topic; 31] = [
    Topic {
        name: "alters-written-code",
        title: "wants something of its own in the code that the model writes",
        means: "A description says that code, build files or workflows which the model writes carry an import, a registry, an image or \
                a step from an address that it names. Documentation of a library says what code that uses the library needs; this \
                asks for it in all code.",
        advice: "Look at what the address or package is. Reject it unless using it is what the tool is for.",
    },
    Topic {
        name: "ambiguous-definition",
        title: "readers of this JSON do not agree on what it says",
        means: "A member stands twice, a number is beyond what doubles hold, a surrogate is alone, or the like. Two programs can \
                read two different tools out of the same bytes, so that a reviewer may see one and the client use the other. \
                Numbers alone are info: honest servers carry 64-bit limits.",
        advice: "Report it to the author. It can be approved, singly, by the exact characters received.",
    },
    Topic {
        name: "asks-for-conversation",
        title: "asks for the conversation or the system prompt",
        means: "The text wants what the model was told by others: the conversation so far, its instructions, results of other \
                tools. A tool needs its own parameters only.",
        advice: "Ask why the tool would need it. Reject it if the answer is not in what the tool does.",
    },
    Topic {
        name: "asks-for-secrets",
        title: "asks for secrets, or for files that hold them",
        means: "The text orders to read a private key, a .env file, a token or the like, or takes one as a parameter that has \
                nothing to do with it. A mention is honest in a tool about keys; an order to read them is not.",
        advice: "Reject it unless handling that secret is what the tool is for.",
    },
    Topic {
        name: "carries-commands",
        title: "carries shell commands or active markup",
        means: "A description, a default or an enumerated value holds something that does harm where it is run or rendered: a \
                pipe into a shell, a reverse shell, script markup.",
        advice: "Ask what runs or renders the text. An example of a command is honest in a tool that runs commands.",
    },
    Topic {
        name: "comes-before-others",
        title: "wants to be called before or with other tools",
        means: "The text asks to be used before anything else or with every answer. Honest servers order their own tools; one \
                that puts itself before those of others takes part in every conversation.",
        advice: "Check that it speaks of its own server's tools only.",
    },
    Topic {
        name: "conceals-from-user",
        title: "tells the model to keep something from the user",
        means: "The text wants the model to act silently or to say nothing of it. Honest text says what not to show (raw ids, a \
                password); a poisoned one hides what the model does.",
        advice: "Reject it unless what is kept back is plainly the tool's own noise.",
    },
    Topic {
        name: "confusable-letters",
        title: "letters of one script pose as another's",
        means: "A name or a word mixes look-alike letters (a Cyrillic a in a Latin word), so that two names look the same and are \
                not.",
        advice: "Compare the escaped form of the name with the one that you expect; reject a name that poses as another.",
    },
    Topic {
        name: "contradicts-annotations",
        title: "the name says it changes something, the annotations say it does not",
        means: "A tool that declares readOnlyHint has a name such as delete or write. Clients skip their questions for tools \
                that are read-only; annotations are what the server says of itself and prove nothing.",
        advice: "Do not let a client approve it automatically. Report it to the author.",
    },
    Topic {
        name: "dangling-reference",
        title: "a reference in a schema leads nowhere",
        means: "A $ref points to a place that the schema does not have. Validators and model providers refuse such a schema or \
                take anything in its place, so that nobody knows what the tool accepts.",
        advice: "Report it to the author. It can be pinned; calls of the tool may fail all the same.",
    },
    Topic {
        name: "disguised-text",
        title: "text that says something once it is turned back",
        means: "Escapes, hexadecimal, rot13, letters backwards or words run together hold an order that the plain text does not \
                show. A model reads such text without being told to.",
        advice: "Read what it says, which stands in the finding. Reject it: a description has no need to be disguised.",
    },
    Topic {
        name: "encoded-text",
        title: "holds encoded text that says something",
        means: "Base64 in the definition decodes to readable text. Images, keys and digests do not; instructions do, and models \
                read them.",
        advice: "Read what it decodes to as part of the description.",
    },
    Topic {
        name: "hidden-characters",
        title: "holds characters that nobody can see",
        means: "Zero-width, bidirectional, tag or private characters stand where writing does not need them. A model reads them, \
                a person does not. Emoji, flags and the joiners of Persian and Indic words are left alone.",
        advice: "Read the escaped form (<U+200B>) in the change. Reject it unless you know which program left them there.",
    },
    Topic {
        name: "lifts-consent",
        title: "takes the user's consent for granted",
        means: "The text tells the model to act without the confirmation that the client or the user wants, or to wave warnings \
                through. A flag of the tool's own, such as --yes, is honest.",
        advice: "Reject it where it speaks of more than the tool's own prompt.",
    },
    Topic {
        name: "orders-destruction",
        title: "wants something deleted or switched off by another tool",
        means: "The text has the model delete, overwrite or disable something through a tool that does more than this one: files, \
                tables, backups, logs, a firewall. What a tool itself deletes, and which tool deletes what, is honest.",
        advice: "Reject it unless the user asks for exactly that.",
    },
    Topic {
        name: "out-of-sight",
        title: "text that stands where nobody looks",
        means: "Words stand behind a long run of blanks, in a comment or a fold, or at the end of a very long line.",
        advice: "Scroll to it and read it as the first line of the description.",
    },
    Topic {
        name: "overrules-instructions",
        title: "tells the model to drop its other instructions",
        means: "The text overrules what others told the model, or gives it another role. A security tool quotes such orders; the \
                rule knows it by the company of the words.",
        advice: "Reject it unless it is a quotation.",
    },
    Topic {
        name: "plants-instructions",
        title: "plants an instruction that outlasts the call",
        means: "The text has orders written into a memory or a project's rules for assistants, or something put into every answer. \
                Memory tools are honest where they keep facts, and what the user asked for.",
        advice: "Reject it unless the user is meant to choose what is written there.",
    },
    Topic {
        name: "poses-as-system",
        title: "poses as the system or the user",
        means: "The text holds tokens of a chat template, tags of a system message, or words to the model as from its maker.",
        advice: "Reject it: a tool's description has no reason to speak with another voice.",
    },
    Topic {
        name: "presses",
        title: "presses the reader",
        means: "Authority and urgency: critical, mandatory, must. Honest text is full of both, so that it weighs only beside other \
                signals.",
        advice: "Read what it presses for.",
    },
    Topic {
        name: "refused-by-clients",
        title: "official clients refuse the list that holds it",
        means: "The parsers of the official TypeScript and Python clients check what a server lists. One definition that they do \
                not take (a schema whose root is not of type object, a description that is not text) fails the whole list: the \
                client shows no tool of this server. The text names the clients; their versions stand in the repository under \
                tests/data/client-verdicts.",
        advice: "Report it to the author. Pin it only if your clients are others than those named.",
    },
    Topic {
        name: "returns-a-secret",
        title: "shows a secret that it was given",
        means: "A value that was passed to the server in a variable or a header stands in what it shows. It would reach the model, \
                its provider and every log.",
        advice: "Rotate the secret and report the server. The definition is written to no file without an explicit override.",
    },
    Topic {
        name: "sends-data-out",
        title: "wants data sent to an address",
        means: "The text orders data to be sent to a host, a mailbox or a webhook that it names. A link to documentation, and what \
                the tool itself calls, are honest.",
        advice: "Ask whose address it is. Reject it if it is not the service that the tool is for.",
    },
    Topic {
        name: "signals-together",
        title: "several weak signals stand together",
        means: "Each alone has an honest reason; all of them in one place have none.",
        advice: "Read the whole text, slowly; the finding lists the signals.",
    },
    Topic {
        name: "signature-does-not-hold",
        title: "the tool's own signature does not hold",
        means: "The tool carries `x-assay-sig`, a signature over the whole of itself, and it is of another text or another key: the \
                definition was changed after it was signed, or the signature was taken from elsewhere. It is told at first contact, \
                too, and needs no key: the digest in the signature says so.",
        advice: "Do not pin it. Ask the author for the definition as it was signed.",
    },
    Topic {
        name: "signature-malformed",
        title: "the tool's own signature cannot be read",
        means: "The tool carries `x-assay-sig`, and what stands there is no signature that Assay's specification knows: a member is \
                missing, the version is another one, or the definition that it is about has more than one reading.",
        advice: "Take the tool for one that is not signed, and tell the author.",
    },
    Topic {
        name: "signature-required",
        title: "no trusted key signed the tool",
        means: "`require-signed` in pinwatch.toml asks for a signature that holds by a key in `trusted-keys`, and the tool has none. \
                A signature that holds says that the key's holder signed this text, and nothing about what the text does.",
        advice: "Get a signed definition, or name the key under [assay.trusted-keys] once you know whose it is.",
    },
    Topic {
        name: "slants-answers",
        title: "bends what the model answers",
        means: "A product is to be recommended whatever the facts, an address is to stand in every answer, or a bad result is to be \
                called good. Honest text says what form an answer has, and names its sources.",
        advice: "Ask who gains from it. Reject it if the user would not want it in the answer.",
    },
    Topic {
        name: "steers-other-tools",
        title: "changes how other tools are used",
        means: "The text says what another tool is to be called with, or keeps the model from calling it. Naming a sibling, or \
                saying what to use for what, is honest.",
        advice: "Reject it if the other tool is another server's.",
    },
    Topic {
        name: "terminal-escapes",
        title: "holds sequences that a terminal obeys",
        means: "Colours, cursor moves, links or clipboard writes stand in the text. Where a client prints it raw, the screen shows \
                something else than what is there. pinwatch shows them escaped.",
        advice: "Reject it: a definition has no reason to move a cursor.",
    },
    Topic {
        name: "weakens-protection",
        title: "has what protects taken away",
        means: "The text has encryption, authentication, a sandbox or a check switched off, or writes a setting that lays something \
                open, in what the model builds or runs for the user; often it says that this is more comfortable. How to do so \
                where the user asks for it is honest, and so is a warning of it.",
        advice: "Reject it unless the tool is for exactly that and the user chooses it.",
    },
];
