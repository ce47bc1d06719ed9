//! Whether a text is a regular expression of ECMAScript with the `u` flag (ECMA-262, 22.2.1): there an escape without a
//! meaning (`\_`), a lone brace and the inline flags of other dialects (`(?i)`) are errors. Names of Unicode properties are
//! not looked up.

use std::collections::BTreeSet;

pub(super) fn is_expression(pattern: &str) -> bool {
    let mut reader = ExpressionReader {
        rest: pattern.chars().collect::<Vec<_>>().into_iter().peekable(),
        ..ExpressionReader::default()
    };
    reader.read().is_some()
}

/// What an atom of a class stands for.
#[derive(Clone, Copy)]
enum Atom {
    One(u32),
    Many,
}

struct ExpressionReader {
    rest: std::iter::Peekable<std::vec::IntoIter<char>>,
    /// For each open group, whether it may be repeated: looking ahead may not.
    open: Vec<bool>,
    groups: u32,
    names: BTreeSet<String>,
    /// What is referred to, by number and by name.
    highest: u32,
    named: Vec<String>,
}

impl Default for ExpressionReader {
    fn default() -> Self {
        Self {
            rest: Vec::new().into_iter().peekable(),
            open: Vec::new(),
            groups: 0,
            names: BTreeSet::new(),
            highest: 0,
            named: Vec::new(),
        }
    }
}

impl ExpressionReader {
    /// Reads to the end; none where it is no expression.
    fn read(&mut self) -> Option<()> {
        let mut repeatable = false;
        while let Some(letter) = self.rest.next() {
            repeatable = match letter {
                '(' => {
                    let kind = self.group()?;
                    self.open.push(kind);
                    false
                }
                ')' => self.open.pop()?,
                '|' | '^' | '$' => false,
                '*' | '+' | '?' | '{' => {
                    if !repeatable || (letter == '{' && self.bounds().is_none()) {
                        return None;
                    }
                    self.rest.next_if_eq(&'?');
                    false
                }
                '}' | ']' => return None,
                '[' => {
                    self.class()?;
                    true
                }
                '\\' => self.escape()?,
                _ => true,
            };
        }
        let known = self.highest <= self.groups && self.named.iter().all(|name| self.names.contains(name));
        (self.open.is_empty() && known).then_some(())
    }

    /// What follows `(`; whether the group may be repeated.
    fn group(&mut self) -> Option<bool> {
        if self.rest.next_if_eq(&'?').is_none() {
            self.groups += 1;
            return Some(true);
        }
        match self.rest.next()? {
            ':' => Some(true),
            '=' | '!' => Some(false),
            '<' if self.rest.next_if(|next| matches!(next, '=' | '!')).is_some() => Some(false),
            '<' => {
                self.groups += 1;
                let name = self.name()?;
                self.names.insert(name).then_some(true)
            }
            _ => None,
        }
    }

    /// A name up to `>`.
    fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        loop {
            match self.rest.next()? {
                '>' => break,
                letter => name.push(letter),
            }
        }
        let starts = name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'));
        (starts && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))).then_some(name)
    }

    /// What follows `{`: `2}`, `2,}`, `2,5}`.
    fn bounds(&mut self) -> Option<()> {
        let least = self.number()?;
        if self.rest.next_if_eq(&',').is_some() && self.number().is_some_and(|most| most < least) {
            return None;
        }
        self.rest.next_if_eq(&'}').map(|_| ())
    }

    /// Digits; none where there are none.
    fn number(&mut self) -> Option<u64> {
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        (!digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
    }

    /// What follows `\` outside a class; whether it may be repeated.
    fn escape(&mut self) -> Option<bool> {
        match self.rest.peek()? {
            'b' | 'B' => {
                self.rest.next();
                Some(false)
            }
            'k' => {
                self.rest.next();
                self.rest.next_if_eq(&'<')?;
                let name = self.name()?;
                self.named.push(name);
                Some(true)
            }
            '1'..='9' => {
                let mut number = 0_u32;
                while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
                    number = number.saturating_mul(10).saturating_add(digit.to_digit(10)?);
                }
                self.highest = self.highest.max(number);
                Some(true)
            }
            _ => self.character().map(|_| true),
        }
    }

    /// An escape that stands for characters, in and outside a class.
    fn character(&mut self) -> Option<Atom> {
        let one = |letter: char| Some(Atom::One(u32::from(letter)));
        match self.rest.next()? {
            'd' | 'D' | 's' | 'S' | 'w' | 'W' => Some(Atom::Many),
            'p' | 'P' => {
                self.rest.next_if_eq(&'{')?;
                let mut length = 0;
                while self.rest.next_if(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '=')).is_some() {
                    length += 1;
                }
                self.rest.next_if_eq(&'}').filter(|_| length > 0).map(|_| Atom::Many)
            }
            'f' => one('\u{c}'),
            'n' => one('\n'),
            'r' => one('\r'),
            't' => one('\t'),
            'v' => one('\u{b}'),
            'c' => self.rest.next_if(char::is_ascii_alphabetic).map(|letter| Atom::One(u32::from(letter) % 32)),
            '0' => self.rest.peek().is_none_or(|next| !next.is_ascii_digit()).then_some(Atom::One(0)),
            'x' => self.hex(2).map(Atom::One),
            'u' if self.rest.next_if_eq(&'{').is_some() => {
                let mut number = 0_u32;
                let mut length = 0;
                while let Some(digit) = self.rest.next_if(char::is_ascii_hexdigit) {
                    number = number.saturating_mul(16).saturating_add(digit.to_digit(16)?);
                    length += 1;
                }
                self.rest.next_if_eq(&'}').filter(|_| length > 0 && number <= 0x10_FFFF).map(|_| Atom::One(number))
            }
            'u' => self.hex(4).map(Atom::One),
            letter if "^$\\.*+?()[]{}|/".contains(letter) => one(letter),
            _ => None,
        }
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let mut number = 0;
        for _ in 0..digits {
            number = number * 16 + self.rest.next()?.to_digit(16)?;
        }
        Some(number)
    }

    /// What follows `[`.
    fn class(&mut self) -> Option<()> {
        self.rest.next_if_eq(&'^');
        loop {
            if self.rest.next_if_eq(&']').is_some() {
                return Some(());
            }
            let from = self.class_atom()?;
            if self.rest.next_if_eq(&'-').is_none() {
                continue;
            }
            if self.rest.next_if_eq(&']').is_some() {
                return Some(());
            }
            match (from, self.class_atom()?) {
                (Atom::One(from), Atom::One(to)) if from <= to => {}
                _ => return None,
            }
        }
    }

    fn class_atom(&mut self) -> Option<Atom> {
        match self.rest.next()? {
            '\\' if self.rest.next_if_eq(&'b').is_some() => Some(Atom::One(8)),
            '\\' if self.rest.next_if_eq(&'-').is_some() => Some(Atom::One(u32::from('-'))),
            '\\' => self.character(),
            letter => Some(Atom::One(u32::from(letter))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_expression;

    /// Executed with `new RegExp(pattern, "u")` of node 20.
    #[test]
    fn an_expression_is_what_ecmascript_takes() {
        for pattern in [
            "",
            "a|b",
            "^(?:a|b)+$",
            "a{2}",
            "a{2,}?",
            "a{2,3}",
            "(?<=a)b(?!c)",
            "(?<n>a)\\k<n>",
            "(a)\\1",
            "\\1(a)",
            "[a-z\\-_]",
            "[\\w-]",
            "[-a]",
            "[^]",
            "[]",
            "\\p{L}+",
            "\\u{1F600}",
            "\\u00e9",
            "\\x41",
            "\\cA",
            "\\0",
            "\\/",
            "[$.{]",
            "é+",
            "|",
            "()",
            "(?=a)",
        ] {
            assert!(is_expression(pattern), "{pattern}");
        }
        for pattern in [
            "(",
            ")",
            "[",
            "]",
            "a{",
            "}",
            "{2}",
            "a{3,2}",
            "*a",
            "a**",
            "(?i)a",
            "(?P<n>a)",
            "\\_",
            "\\A",
            "\\z",
            "\\-",
            "\\k<n>",
            "\\1",
            "(?=a)*",
            "^*",
            "\\b+",
            "[b-a]",
            "[\\w-z]",
            "\\u{110000}",
            "\\u12",
            "\\x4",
            "\\c1",
            "\\01",
            "\\p",
            "\\p{}",
            "\\",
            "(?<1>a)",
            "(?<n>a)(?<n>b)",
            "[\\B]",
            "a{,2}",
            "(?#x)",
        ] {
            assert!(!is_expression(pattern), "{pattern}");
        }
    }
}
