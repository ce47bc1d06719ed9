//! Forms of English verbs and nouns, and phrases with a choice of words, so that the lexicon names each once.

/// The phrases of an entry. `copy~` is copy, copies, copied, copying, before whatever follows; `{a,b} c` is `a c` and
/// `b c`. An entry without either is itself, one like `{name}` too.
pub(super) fn forms(entry: &str) -> Vec<String> {
    let chosen = entry.split_once('{').and_then(|(before, rest)| {
        let (choice, after) = rest.split_once('}').filter(|(choice, _)| choice.contains(','))?;
        Some(choice.split(',').flat_map(|word| forms(&format!("{before}{word}{after}"))).collect())
    });
    chosen.unwrap_or_else(|| inflected(entry))
}

fn inflected(entry: &str) -> Vec<String> {
    let Some((before, rest)) = entry.split_once('~') else { return vec![entry.to_owned()] };
    let (lead, word) = before.rfind(' ').map_or(("", before), |at| before.split_at(at + 1));
    let last = word.chars().next_back().unwrap_or_default();
    let (third, past, going) = if let Some(stem) = word.strip_suffix('e') {
        (format!("{word}s"), format!("{word}d"), format!("{stem}ing"))
    } else if let Some(stem) = word.strip_suffix('y').filter(|stem| !stem.ends_with(is_vowel)) {
        (format!("{stem}ies"), format!("{stem}ied"), format!("{word}ing"))
    } else {
        let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| word.ends_with(end));
        let third = if hisses { format!("{word}es") } else { format!("{word}s") };
        let double = if is_short(word) { last.to_string() } else { String::new() };
        (third, format!("{word}{double}ed"), format!("{word}{double}ing"))
    };
    [word.to_owned(), third, past, going].map(|form| format!("{lead}{form}{rest}")).into()
}

fn is_vowel(character: char) -> bool {
    matches!(character, 'a' | 'e' | 'i' | 'o' | 'u')
}

/// Whether a word doubles its last letter: one syllable that ends in one vowel and one consonant.
fn is_short(word: &str) -> bool {
    let mut letters = word.chars().rev();
    let (Some(last), Some(middle)) = (letters.next(), letters.next()) else { return false };
    !is_vowel(last) && !matches!(last, 'w' | 'x' | 'y') && is_vowel(middle) && !letters.any(is_vowel)
}

#[cfg(test)]
mod tests {
    use super::forms;

    #[test]
    fn words_take_their_forms() {
        for (entry, all) in [
            ("copy~", "copy copies copied copying"),
            ("delete~", "delete deletes deleted deleting"),
            ("drop~", "drop drops dropped dropping"),
            ("attach~", "attach attaches attached attaching"),
            ("end~ with", "end with,ends with,ended with,ending with"),
            ("sent", "sent"),
            (
                "the {one,two} file~",
                "the one file,the one files,the one filed,the one filing,the two file,the two files,the two filed,the two filing",
            ),
        ] {
            let joined = if all.contains(',') { "," } else { " " };
            assert_eq!(forms(entry).join(joined), all);
        }
    }
}
