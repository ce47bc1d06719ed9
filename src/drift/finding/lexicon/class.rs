//! What words do in a sentence: the classes of the lexicon, and sets of them.

/// What a word or phrase does in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::drift::finding) enum Class {
    /// Not, never, without.
    Not,
    /// Must, always, it is required.
    Must,
    /// Tell, mention, inform.
    Tell,
    /// Show, display, ask.
    Show,
    /// The user.
    User,
    /// Know, notice, see.
    Know,
    /// This, that, what you did.
    This,
    /// Hide, keep secret.
    Hide,
    /// Secretly; without anyone's knowledge.
    Secretly,
    /// Silently, quietly: honest of failures.
    Silently,
    /// Before, first.
    Before,
    /// When, whenever, after.
    When,
    /// Any, every, all, other.
    Any,
    /// Any tool of others, in words.
    Tool,
    /// Call, invoke, use.
    Call,
    /// A tool of others.
    OtherTool,
    /// What the user wrote, or has.
    Private,
    /// Nothing goes before it.
    Gate,
    /// What other tools send or write.
    Mail,
    /// A phone or account number, a wallet.
    Literal,
    /// A name as programs write it: `send_email`.
    Identifier,
    /// This tool.
    ThisTool,
    /// Turn, answer, conversation: what a model does without tools.
    Turn,
    /// Ignore, forget, override.
    Ignore,
    /// Previous, above, system.
    Prior,
    /// Instructions, rules, prompt.
    Instruction,
    /// You are now; from now on.
    NewRole,
    /// A token of chat templates.
    ChatToken,
    /// A tag or label that claims the system's voice.
    SystemTag,
    /// A tag that claims weight.
    WeightTag,
    /// Words to the model itself.
    Model,
    /// Read, open, cat, collect.
    Read,
    /// Pass, put, append, include.
    Pass,
    /// Send, upload, forward.
    Send,
    /// Base64, encode.
    Encode,
    /// A file of secrets.
    SecretFile,
    /// A file that may hold secrets.
    ConfigFile,
    /// Password, key, token.
    Secret,
    /// Contents, results, data.
    Content,
    /// The conversation, the system prompt.
    Context,
    /// Whole, verbatim, everything.
    Whole,
    /// Parameter, argument, field.
    Parameter,
    /// Change, replace, redirect.
    Tamper,
    /// Set, use, add: honest of parameters.
    Set,
    /// Recipient, amount, path.
    Target,
    /// Regardless of what the user said.
    Defy,
    /// Redefines, changes how another tool works.
    Redefine,
    /// Instead of, prefer.
    Prefer,
    /// Deprecated, broken, unsafe.
    Bad,
    /// Detects, scans, attack, such as.
    Detect,
    /// Urgent, mandatory, otherwise it fails.
    Pressure,
    /// A shell command that fetches.
    Fetch,
    /// A shell that runs what it is given.
    Shell,
    /// A command that no documentation needs.
    Attack,
    /// Markup that does something when it is shown.
    Active,
    /// Blind copies.
    Copy,
    /// A web address.
    Url,
    /// A mail address.
    Email,
    /// The model, or the program it runs in, as who acts.
    Agent,
    /// It would be good to; please; what makes an infinitive an order.
    Suggest,
    /// A third person that acts: `reads`, `copies`. An order where the model is who acts.
    Does,
    /// A name in code marks or quotes: where a value goes.
    Slot,
    /// Confirmation, approval, consent, a warning.
    Approve,
    /// Skip, disable, turn off.
    Skip,
    /// What outlasts a session: a memory, a file of rules for assistants.
    Memory,
    /// Obey, carry out, comply with.
    Obey,
    /// What a tool gave back.
    Returned,
    /// Takes priority over, outranks.
    Outrank,
    /// Who has a say: the user, the system prompt, safety rules.
    Authority,
    /// From now on, as long as, in every session.
    Standing,
    /// Recommend, promote, speak badly of.
    Promote,
    /// Say what is not so, or only half of it.
    Deceive,
    /// Also, too: beside what the user asked for.
    Also,
    /// The user has agreed, says the text.
    Granted,
    /// Harmless, only, a false alarm: what a cover story says.
    Calm,
    /// Said, wrote: what a user did in the conversation.
    Said,
    /// A path from the root or the home folder.
    Path,
    /// Pays, books, mails, pushes: what a user asks of other tools.
    Deed,
    /// Deletes, wipes, disables.
    Destroy,
    /// What keeps from harm: backups, logs, a firewall.
    Guard,
    /// Best, first, the only sensible choice.
    Rank,
    /// Regardless, even if, no matter.
    Anyway,
    /// What the model says or writes to the user.
    Reply,
    /// At the end of, closes with.
    Append,
    /// Code and files that the model writes.
    Code,
    /// What is put into code: an import, a dependency, a registry.
    Ingredient,
    /// As if the user had said it.
    Voice,
    /// Low, passed, safe, zero: how a report calms.
    Fine,
    /// High, failed, malicious: what a report should not calm down.
    Alarm,
    /// A name that something is done with: `through drop_table`.
    Instrument,
    /// A package with its scope: `@x/y`.
    Package,
    /// Words in quotes or code marks.
    Quoted,
    /// Whatever brings something somewhere: hand, attach, enclose, mirror.
    Move,
    /// What the user gave, as against what is to be used.
    Given,
    /// The user is said to want, accept, trust.
    Wants,
    /// Competitors, alternatives, drawbacks: what a biased answer leaves out.
    Rival,
    /// What is personal: an identity number, an inbox.
    Person,
    /// Below what came back, doubled: a figure that is not the real one.
    Skew,
    /// Only after, on condition that: what has to be there before.
    Needs,
    /// You, your: the reader.
    You,
    /// Worth it, trusted, sensible: praise of whatever.
    Praise,
    /// What, whatever, everything that: what begins a clause that names something without its name.
    Which,
    /// This chat, so far, up to now.
    Session,
    /// Chose, named, asked for: what a user did who wants something.
    Gave,
    /// A file, folder, line, string: what something is kept in.
    Holder,
    /// Keys, sign-in, identity: what is kept there.
    Access,
    /// Something that holds secrets, by what it is for: `the place where keys are kept`.
    Trove,
    /// Public, privileged, unchecked: what makes a thing unsafe.
    Exposed,
    /// Told as, gets to hear: what reaches people of a result.
    Cast,
    /// Below, up to, exceeded: which part of the results.
    Bound,
    /// Forbidden to others, wrong, corrupting: why not another tool.
    Banned,
    /// Say that, reply that: what begins an answer that is given word for word.
    Say,
    /// Unasked, by itself: nobody is asked before it is done.
    Unasked,
    /// Deemed none, treated as settled: a result that is decided beforehand.
    Deemed,
    /// Other, another, built-in: which tools.
    Other,
    /// Translators, converters, search engines: what tools are called by what they do.
    Maker,
    /// Installs, adds a package: what brings foreign code in.
    Install,
    /// People's nerves, a little comfort: what a change for the worse is said to be good for.
    Pretext,
    /// If asked, upon a direct question.
    Questioned,
    /// Leave it out, list only: what users are not told.
    Withhold,
    /// As agreement, counts as a yes: what passes for consent.
    AsConsent,
    /// TLS, authentication, a sandbox: what protects a system.
    Shield,
    /// What lays a system open, as configuration writes it.
    Opening,
}

impl Class {
    /// The set of this class alone.
    pub(in crate::drift::finding) const fn set(self) -> Set {
        Set(1 << self as u128)
    }
}

/// A set of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::drift::finding) struct Set(u128);

impl Set {
    pub(in crate::drift::finding) const NONE: Self = Self(0);

    pub(in crate::drift::finding) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(in crate::drift::finding) const fn and(self, class: Class) -> Self {
        Self(self.0 | class.set().0)
    }

    pub(in crate::drift::finding) const fn has(self, class: Class) -> bool {
        self.0 & class.set().0 != 0
    }
}
