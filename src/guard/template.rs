//! Whether a URI is one that a template (RFC 6570) stands for. Read narrowly: an expression without an operator stays
//! within one part of a path.

/// A part of a template.
enum Part<'a> {
    Literal(&'a [u8]),
    /// What an expression may stand for.
    Expression {
        /// What it begins with, where it is there at all.
        first: Option<u8>,
        /// Whether it may go on past a `/`.
        reserved: bool,
        /// Whether nothing may stand in its place.
        optional: bool,
    },
}

/// The parts; none where a brace is left open.
fn parts(template: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some((literal, after)) = rest.split_once('{') {
        parts.push(Part::Literal(literal.as_bytes()));
        let (expression, behind) = after.split_once('}')?;
        parts.push(match expression.bytes().next()? {
            b'+' => Part::Expression { first: None, reserved: true, optional: false },
            first @ (b'#' | b'?' | b'&') => Part::Expression { first: Some(first), reserved: true, optional: true },
            first @ (b'.' | b'/' | b';') => {
                let several = expression.contains([',', '*']) && first == b'/';
                Part::Expression { first: Some(first), reserved: several, optional: true }
            }
            _ => Part::Expression { first: None, reserved: false, optional: false },
        });
        rest = behind;
    }
    parts.push(Part::Literal(rest.as_bytes()));
    Some(parts)
}

/// Whether a template stands for this URI. One without an expression is no template.
pub(super) fn matches(template: &str, uri: &str) -> bool {
    let Some(parts) = parts(template).filter(|parts| parts.len() > 1) else { return false };
    let uri = uri.as_bytes();
    // Where in the URI the parts so far can end.
    let mut ends = vec![false; uri.len() + 1];
    ends[0] = true;
    for part in &parts {
        let mut next = vec![false; uri.len() + 1];
        for start in (0..=uri.len()).filter(|at| ends[*at]) {
            match part {
                Part::Literal(literal) => {
                    if uri[start..].starts_with(literal) {
                        next[start + literal.len()] = true;
                    }
                }
                Part::Expression { first, reserved, optional } => {
                    next[start] |= optional;
                    let mut at = start;
                    if let Some(first) = first {
                        if uri.get(at) != Some(first) {
                            continue;
                        }
                        at += 1;
                    }
                    while at < uri.len() && (*reserved || !b"/?#".contains(&uri[at])) {
                        at += 1;
                        next[at] = true;
                    }
                }
            }
        }
        ends = next;
    }
    ends[uri.len()]
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn an_expression_stays_in_its_part_of_a_path() {
        for (template, uri, fits) in [
            ("note://{id}", "note://7", true),
            ("note://{id}", "note://", false),
            ("note://{id}", "note://7/secret", false),
            ("note://{id}", "note://7?x=1", false),
            ("note://{id}", "file://7", false),
            ("demo://resource/dynamic/text/{resourceId}", "demo://resource/dynamic/text/1", true),
            ("file:///{+path}", "file:///etc/passwd", true),
            ("a/{x}/b/{y}", "a/1/b/2", true),
            ("a/{x}/b/{y}", "a/1/c/2", false),
            ("a{/x}", "a", true),
            ("a{/x}", "a/b", true),
            ("a{/x}", "a/b/c", false),
            ("a{/x*}", "a/b/c", true),
            ("s{?q,n}", "s?q=a/b&n=2", true),
            ("s{?q,n}", "s", true),
            ("s{?q,n}", "sx", false),
            ("plain", "plain", false),
            ("open{", "open{", false),
        ] {
            assert_eq!(matches(template, uri), fits, "{template} {uri}");
        }
    }
}
