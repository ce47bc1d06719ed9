//! Figures: phone numbers, accounts and wallets, and shares that are put on them.

use super::super::{Class, Mark};
use super::words_with;
use memchr::memmem;

/// Verbs that make a figure another one.
const SKEWS: [&str; 12] = [
    "add", "added", "plus", "subtract", "deduct", "increase", "raise", "lower", "inflate", "reduce", "multipl",
    "mark up",
];

/// What `add 1,000 to the …` falsifies.
const SUMS: [&str; 10] =
    ["balance", "total", "sum", "price", "amount", "score", "figure", "reading", "count", "rating"];

/// `Add 1,000 to the balance`: a number that is put on a figure.
pub(super) fn sums(folded: &str, found: &mut Vec<Mark>) {
    for verb in ["add ", "adds ", "subtract ", "deduct "] {
        for at in memmem::find_iter(folded.as_bytes(), verb) {
            let rest = &folded[at + verb.len()..];
            let digits = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.');
            let number = rest.char_indices().take(16).find(|(_, c)| !digits(*c)).map_or(0, |(end, _)| end);
            let object = rest[number..].strip_prefix(" to the ").or_else(|| rest[number..].strip_prefix(" from the "));
            if number > 0 && object.is_some_and(|object| SUMS.iter().any(|sum| object.starts_with(sum))) {
                found.push(Mark { class: Class::Skew, start: at, end: at + verb.len() + number, sentence: 0 });
            }
        }
    }
}

/// What is put on a price with good reason, and said.
const DUES: [&str; 7] = ["fee", "vat", "tax", " tip", "discount", "interest", "commission"];

/// `Add 3 % to each price`: a share, and a verb that puts it on a figure.
pub(super) fn shares(folded: &str, found: &mut Vec<Mark>) {
    for sign in ["%", " percent"] {
        for at in memmem::find_iter(folded.as_bytes(), sign) {
            let before = folded[..at].trim_end();
            if !before.ends_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let from = before.char_indices().rev().take(40).last().map_or(0, |(from, _)| from);
            let behind = folded[at..].char_indices().take(30).last().map_or(at, |(last, _)| at + last);
            let due = DUES.iter().any(|due| folded[from..behind].contains(due));
            let from = folded[from..at].rfind(". ").map_or(from, |end| from + end + 2);
            let clause = &folded[from..behind];
            let clause = &clause[..clause[at - from..].find([';', '!']).map_or(clause.len(), |end| at - from + end)];
            // `Only after 2 %`, `within 2 %`: no change of a figure.
            let number = before.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ' '));
            let bound = ["after", "within", "above", "below", "over", "under", "than", "at", "least", "most", "until"]
                .iter()
                .any(|word| number.ends_with(word));
            if !due && !bound && SKEWS.iter().any(|verb| clause.contains(verb)) {
                found.push(Mark { class: Class::Skew, start: from, end: at + sign.len(), sentence: 0 });
            }
        }
    }
}

/// Phone numbers, IBANs and wallets.
pub(super) fn numbers(folded: &str, found: &mut Vec<Mark>) {
    for opener in ["+", "0x"] {
        for start in memmem::find_iter(folded.as_bytes(), opener) {
            let rest = &folded[start + opener.len()..];
            let inside = |c: char| if opener == "+" { c.is_ascii_digit() || c == ' ' } else { c.is_ascii_hexdigit() };
            let end =
                rest.char_indices().take(64).find(|(_, c)| !inside(*c)).map_or(rest.len().min(64), |(end, _)| end);
            let digits = rest.get(..end).unwrap_or_default().bytes().filter(|byte| *byte != b' ').count();
            if digits >= if opener == "+" { 8 } else { 4 } {
                let end = start + opener.len() + rest[..end].trim_end().len();
                found.push(Mark { class: Class::Literal, start, end, sentence: 0 });
            }
        }
    }
}

/// Bank accounts, card and wallet numbers: words of digits, mostly, that no version or date is as long as.
pub(super) fn accounts(folded: &str, found: &mut Vec<Mark>) {
    for (start, body) in words_with(folded, |byte| byte.is_ascii_digit(), |byte| byte.is_ascii_alphanumeric()) {
        let digits = body.bytes().filter(u8::is_ascii_digit).count();
        let iban = body.len() >= 15
            && digits >= 10
            && body.get(..2).is_some_and(|land| land.bytes().all(|b| b.is_ascii_alphabetic()));
        let wallet = ["bc1", "ltc1", "addr1"].iter().any(|start| body.starts_with(start)) && body.len() >= 26;
        if wallet || (iban && body.len() <= 34) || (digits == body.len() && (12..=20).contains(&digits)) {
            found.push(Mark { class: Class::Literal, start, end: start + body.len(), sentence: 0 });
        }
    }
    grouped(folded, found);
    dashed(folded, found);
}

/// Account and phone numbers with dashes; a date has fewer digits.
fn dashed(folded: &str, found: &mut Vec<Mark>) {
    let inside = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    for (start, word) in words_with(folded, |byte| byte.is_ascii_digit(), inside) {
        let body = word.trim_end_matches('-');
        let digits = body.bytes().filter(u8::is_ascii_digit).count();
        let dashes = body.bytes().filter(|byte| *byte == b'-').count();
        if (9..=20).contains(&digits) && dashes >= 2 && digits + dashes == body.len() {
            found.push(Mark { class: Class::Literal, start, end: start + body.len(), sentence: 0 });
        }
    }
}

/// Bank accounts in groups of four, as people write them.
fn grouped(folded: &str, found: &mut Vec<Mark>) {
    let mut groups: Vec<usize> = Vec::new();
    let mut close = |groups: &mut Vec<usize>, last: Option<usize>| {
        if groups.len() >= 3
            && let (Some(start), Some(to)) = (groups.first(), groups.last())
        {
            let end = last.unwrap_or(to + 4);
            found.push(Mark { class: Class::Literal, start: *start, end, sentence: 0 });
        }
        groups.clear();
    };
    for (start, word) in words_with(folded, |byte| byte.is_ascii_digit(), |byte| byte != b' ') {
        if groups.last().is_some_and(|last| last + 5 != start) {
            close(&mut groups, None);
        }
        let body = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let digits = body.bytes().filter(u8::is_ascii_digit).count();
        if body.len() == 4 && digits >= 2 && body.is_ascii() && word.len() <= 5 {
            groups.push(start);
        } else {
            close(&mut groups, Some(start + body.len()).filter(|_| digits > 0 && body.len() < 4));
        }
    }
    close(&mut groups, None);
}
