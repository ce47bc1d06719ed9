//! The words of a name, and which of them say that something runs commands.

/// Words of a tool's name that make a new tool critical (DESIGN.md, Drift types and severity).
pub(super) const TOOL_WORDS: [&str; 7] = ["exec", "execute", "run", "shell", "bash", "eval", "spawn"];

/// Words of a parameter's name that make a new parameter critical.
pub(super) const PARAMETER_WORDS: [&str; 5] = ["exec", "shell", "bash", "eval", "spawn"];

/// The words of an identifier, lower case: parted at everything but letters, between letters and digits, and where
/// camelCase starts a word (`runSQLQuery2` is run, sql, query).
pub(super) fn words(name: &str) -> Vec<String> {
    let characters: Vec<char> = name.chars().collect();
    let mut found = Vec::new();
    let mut word = String::new();
    for (at, character) in characters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| characters[at]);
        let after = characters.get(at + 1);
        let starts = character.is_uppercase()
            && (before.is_some_and(char::is_lowercase) || after.is_some_and(|after| after.is_lowercase()));
        if (!character.is_alphabetic() || starts) && !word.is_empty() {
            found.push(std::mem::take(&mut word));
        }
        if character.is_alphabetic() {
            word.extend(character.to_lowercase());
        }
    }
    if !word.is_empty() {
        found.push(word);
    }
    found
}

/// The first of `list` that is a word of `name`.
pub(super) fn word_of(name: &str, list: &[&'static str]) -> Option<&'static str> {
    let words = words(name);
    list.iter().copied().find(|listed| words.iter().any(|word| word == listed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_part_into_words() {
        for (name, parts) in [
            ("run_shell", vec!["run", "shell"]),
            ("runSQLQuery2", vec!["run", "sql", "query"]),
            ("bash2", vec!["bash"]),
            ("EXEC", vec!["exec"]),
            ("files.exec-now", vec!["files", "exec", "now"]),
            ("evaluate", vec!["evaluate"]),
            ("", vec![]),
        ] {
            assert_eq!(words(name), parts, "{name}");
        }
    }

    #[test]
    fn only_a_whole_word_counts() {
        assert_eq!(word_of("ShellTool", &TOOL_WORDS), Some("shell"));
        for name in ["executor", "prune", "evaluation", "trunk", "bashful"] {
            assert_eq!(word_of(name, &TOOL_WORDS), None, "{name}");
        }
    }
}
