//! The words that an identifier is made of.

/// The words of an identifier, lower case: parted at everything but letters, between letters and digits, and where
/// camelCase starts a word (`runSQLQuery2` is run, sql, query).
pub fn words(name: &str) -> Vec<String> {
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
}
