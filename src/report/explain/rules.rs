//! The rules of findings, explained. Each says what honest text does, too: no rule is a verdict.

use super::Topic;
use crate::finding;
use std::sync::LazyLock;

/// Every rule of findings that is built in, by name. The rules that are patterns explain themselves in their files.
pub static RULES: LazyLock<Vec<Topic>> = LazyLock::new(|| {
    let patterns = finding::RULES.iter().map(|rule| Topic {
        name: &rule.name,
        title: &rule.title,
        means: &rule.explain,
        advice: &rule.advice,
    });
    let mut topics: Vec<Topic> = patterns.chain(OF_CODE).collect();
    topics.sort_unstable_by_key(|topic| topic.name);
    topics
});

/// The rules that are no patterns.
static OF_CODE: [Topic; 15] = [
    Topic {
        name: "ambiguous-definition",
        title: "readers of this JSON do not agree on what it says",
        means: "A member stands twice, a number is beyond what doubles hold, a surrogate is alone, or the like. Two programs can \
                read two different tools out of the same bytes, so that a reviewer may see one and the client use the other. \
                Numbers alone are info: honest servers carry 64-bit limits.",
        advice: "Report it to the author. It can be approved, singly, by the exact characters received.",
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
        name: "out-of-sight",
        title: "text that stands where nobody looks",
        means: "Words stand behind a long run of blanks, in a comment or a fold, or at the end of a very long line.",
        advice: "Scroll to it and read it as the first line of the description.",
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
        name: "terminal-escapes",
        title: "holds sequences that a terminal obeys",
        means: "Colours, cursor moves, links or clipboard writes stand in the text. Where a client prints it raw, the screen shows \
                something else than what is there. pinwatch shows them escaped.",
        advice: "Reject it: a definition has no reason to move a cursor.",
    },
    Topic {
        name: "tool-not-admitted",
        title: "a tool is outside of the server's closed list",
        means: "[servers.X] tools in pinwatch.toml is a closed list, and the server shows a tool that does not stand in it. It is \
                told at first contact, too.",
        advice: "Add the tool to the list if you want it; do not pin it otherwise.",
    },
];
