//! What a tool is for, by its name and the first sentence of its description. What is asked beside that is worse: a
//! calculator has no use for keys, a key store has.

use super::lexicon::{Class, Set};
use super::place::Place;
use super::reading::Reading;
use super::signal::{Rule, Signal, Strength};
use super::{consent, context, destroy, plant, secret, send, shadow, supply, weaken};
use serde_json::Value;

/// Characters of a description that say what it is for, where its first sentence is longer.
const HEAD: usize = 240;

/// What rules are about.
struct Domain {
    rules: &'static [&'static Rule],
    /// Classes whose words make a tool one of this domain.
    classes: Set,
    /// How words begin that do, too.
    words: &'static str,
}

static DOMAINS: [Domain; 8] = [
    Domain {
        rules: &[&weaken::RULE],
        classes: Class::Shield.set(),
        words: "access auth certif firewall iam permission policy role secur tls user",
    },
    Domain {
        rules: &[&secret::RULE],
        classes: Class::Secret
            .set()
            .and(Class::SecretFile)
            .and(Class::ConfigFile)
            .and(Class::Encode)
            .and(Class::Detect),
        words: "access account api auth backup browser cert client cloud command config connect cookie crypt \
            database db deploy docker env exec export file git host import init install key kube log mount \
            persona profile register remote repo run scan secur server session setting setup shell sign sql \
            ssh sudo terminal user vault vpn wallet workspace anmeld connexion compte cuenta conexi conta \
            zugang пользов учет подключ 登录 账户 账号 连接 接続 ログイン アカウント 로그인 계정",
    },
    Domain {
        rules: &[&context::RULE],
        classes: Class::Context.set().and(Class::Turn).and(Class::Memory).and(Class::Agent),
        words: "agent ask assist chat context convers feedback history log memor message note plan prompt \
            reason record remember report search session summar support task think thought thread ticket \
            transcript user",
    },
    Domain {
        rules: &[&send::RULE],
        classes: Class::Mail.set().and(Class::Email).and(Class::Url),
        words: "api browser call contact export feedback fetch forward http invite mail message navigate notif \
            post proxy publish report request send share sync telemetry upload url web",
    },
    Domain {
        rules: &[&shadow::RULE],
        classes: Class::OtherTool.set(),
        words: "batch gateway mcp orchestr proxy rout tool workflow",
    },
    Domain {
        rules: &[&destroy::RULE],
        classes: Class::Destroy.set(),
        words: "archiv backup branch cache clean clear delet drop drain git manag migrat prune purg rebuild remov reset \
            restor rotat roll snapshot stop sync undo uninstall wipe",
    },
    Domain {
        rules: &[&supply::RULE],
        classes: Class::Code.set().and(Class::Ingredient),
        words: "api build cli code compon deploy doc framework generat install lib lint package project repo \
            scaffold script sdk setup template test ui",
    },
    Domain {
        rules: &[&consent::RULE, &plant::RULE],
        classes: Class::Approve.set().and(Class::Memory),
        words: "approv config confirm consent memor permission policy remember rule setting",
    },
];

/// What a tool is for.
pub(super) struct Topic {
    words: String,
    classes: Set,
}

impl Topic {
    /// That of a tool; of what has no name and no description there is none.
    pub(super) fn of(tool: &Value) -> Option<Self> {
        let text = |member: &str| tool.get(member).and_then(Value::as_str).unwrap_or_default();
        let description = text("description").trim_start();
        let end = description.char_indices().nth(HEAD).map_or(description.len(), |(end, _)| end);
        let first =
            description[..end].split(['。', '\n']).next().unwrap_or_default().split(". ").next().unwrap_or_default();
        let (name, first) = (Reading::of(text("name"), Place::Name), Reading::of(first, Place::Prose));
        let words = format!("{} {}", name.folded, first.folded);
        let marks = name.marks.iter().chain(&first.marks);
        let classes = marks.fold(Set::NONE, |classes, mark| classes.and(mark.class));
        (!first.folded.is_empty()).then_some(Self { words, classes })
    }

    /// The signals of a text, one step stronger where they are about something else than the tool. What a parameter takes
    /// of a conversation may be anybody's.
    pub(super) fn weigh(&self, place: Place, signals: &mut [Signal]) {
        for signal in signals {
            let apart = place != Place::Prose && *signal.rule == context::RULE;
            // What a tool destroys by another is said of that one.
            let apart = apart || *signal.rule == destroy::RULE;
            let grave = signal.strength == Strength::Strong
                || (signal.strength == Strength::Some && *signal.rule == secret::RULE);
            if grave && !apart && self.is_beside(signal.rule) {
                signal.strength = signal.strength.more();
            }
        }
    }

    /// What says something only beside what the tool is for, where it is.
    pub(super) fn hints(&self, signals: &[Signal]) -> Vec<Signal> {
        let hints = signals.iter().filter(|signal| signal.strength == Strength::Hint && self.is_beside(signal.rule));
        hints.map(|signal| Signal { strength: Strength::Some, ..signal.clone() }).collect()
    }

    fn is_beside(&self, rule: &Rule) -> bool {
        let domain = DOMAINS.iter().find(|domain| domain.rules.contains(&rule));
        domain.is_some_and(|domain| {
            let begins = |word: &str| domain.words.split(' ').any(|known| word.starts_with(known));
            !self.classes.meets(domain.classes) && !self.words.split(|c: char| !c.is_alphanumeric()).any(begins)
        })
    }
}
