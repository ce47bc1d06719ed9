//! How large gzip makes a text, without packing it: SARIF has a bound on that.
//!
//! The size that a plain packer of the same form (RFC 1951) would reach: it takes the first match that it finds, where zlib
//! looks for better ones, and each block has codes of its own. So zlib at its usual level stays below it.

/// How far back a match may lie, and how long one may be (RFC 1951, section 3.2.5).
const WINDOW: usize = 32 * 1024;
const LONGEST: usize = 258;
/// The shortest match that is looked for.
const SHORTEST: usize = 4;
/// Symbols of a block: about as many as zlib puts in one.
const BLOCK: usize = 16 * 1024;
/// Bits of a block's head with its code lengths, at the most.
const HEAD: f64 = 300.0 * 7.0;
/// Places that are remembered, by the hash of what stands there.
const TABLE_BITS: u32 = 15;

/// At most so many bytes are left of a text. A text that is no larger than `enough` is not looked at.
pub(super) fn packed_size(text: &[u8], enough: usize) -> usize {
    if text.len() <= enough {
        return text.len();
    }
    let mut table = vec![usize::MAX; 1 << TABLE_BITS];
    let (mut block, mut bits) = (Block::default(), 0.0);
    let mut at = 0;
    while at < text.len() {
        let length = if let Some((distance, length)) = found(text, at, &mut table) {
            block.take_match(distance, length);
            // Every place inside is one that a later match may start from.
            for inside in at + 1..at + length {
                remembered(text, inside, &mut table);
            }
            length
        } else {
            block.literals[usize::from(text[at])] += 1;
            1
        };
        at += length;
        block.symbols += 1;
        if block.symbols == BLOCK {
            bits += std::mem::take(&mut block).bits();
        }
    }
    bits += block.bits();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size, and no negative one")]
    let bytes = (bits / 8.0).ceil() as usize;
    // gzip's own head and end (RFC 1952).
    bytes + 18
}

/// The last place where something of the same hash stood; remembers this one.
fn remembered(text: &[u8], at: usize, table: &mut [usize]) -> Option<usize> {
    let four: [u8; SHORTEST] = text.get(at..at + SHORTEST)?.try_into().ok()?;
    let slot = (u32::from_le_bytes(four).wrapping_mul(0x9E37_79B1) >> (32 - TABLE_BITS)) as usize;
    Some(std::mem::replace(&mut table[slot], at))
}

/// How far back a match starts, and how long it is.
fn found(text: &[u8], at: usize, table: &mut [usize]) -> Option<(usize, usize)> {
    let before = remembered(text, at, table)?;
    let distance = at.checked_sub(before).filter(|distance| (1..=WINDOW).contains(distance))?;
    let most = LONGEST.min(text.len() - at);
    let length = (0..most).take_while(|step| text[before + step] == text[at + step]).count();
    (length >= SHORTEST).then_some((distance, length))
}

struct Block {
    symbols: usize,
    literals: [u32; 256],
    /// Lengths and distances by the codes of RFC 1951, which stand for ranges of powers of two.
    lengths: [u32; 32],
    distances: [u32; 32],
    extra: u64,
}

impl Default for Block {
    fn default() -> Self {
        Self { symbols: 0, literals: [0; 256], lengths: [0; 32], distances: [0; 32], extra: 0 }
    }
}

impl Block {
    fn take_match(&mut self, distance: usize, length: usize) {
        // Lengths have four codes a power of two, distances two.
        let (code, extra) = range(length - 3, 2);
        self.lengths[code] += 1;
        self.extra += extra;
        let (code, extra) = range(distance - 1, 1);
        self.distances[code] += 1;
        self.extra += extra;
    }

    /// The bits of a block: no code of whole bits is more than a bit a symbol above the entropy, and one for text hardly a
    /// tenth.
    fn bits(self) -> f64 {
        let symbols: Vec<u32> = self.literals.iter().chain(&self.lengths).copied().chain([1]).collect();
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let extra = self.extra as f64;
        HEAD + (entropy(&symbols) + entropy(&self.distances)) * 1.03 + extra
    }
}

/// The code of a value, of `1 << fine` codes a power of two, and the bits behind it.
fn range(value: usize, fine: u32) -> (usize, u64) {
    let width = usize::BITS - value.leading_zeros();
    if width <= fine + 1 {
        return (value, 0);
    }
    let extra = width - fine - 1;
    (((extra as usize) << fine) + (value >> extra), u64::from(extra))
}

/// The bits of symbols that occur so often, by the best code there is.
fn entropy(counts: &[u32]) -> f64 {
    let sum: f64 = counts.iter().map(|count| f64::from(*count)).sum();
    let of = |count: &u32| f64::from(*count) * (sum / f64::from(*count)).log2();
    counts.iter().filter(|count| **count > 0).map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_stands_for_its_range() {
        // RFC 1951, section 3.2.5: length 3 is code 257, 11 is 265 with one bit, 257 is 284 with five; distance 1 is code 0,
        // 5 is code 4 with one bit, 24,577 is 29 with thirteen.
        for (length, code, extra) in [(3, 257, 0), (10, 264, 0), (11, 265, 1), (257, 284, 5)] {
            assert_eq!(range(length - 3, 2), (code - 257, extra));
        }
        for (distance, code, extra) in [(1, 0, 0), (4, 3, 0), (5, 4, 1), (24_577, 29, 13)] {
            assert_eq!(range(distance - 1, 1), (code, extra));
        }
    }

    #[test]
    fn what_repeats_packs_small_and_what_does_not_stays() {
        let text = "{\"ruleId\": \"tool_changed\"}\n".repeat(20_000);
        assert!(packed_size(text.as_bytes(), 0) < text.len() / 50);
        let mut dice = fastrand::Rng::with_seed(1);
        let noise: Vec<u8> = std::iter::repeat_with(|| dice.u8(..)).take(200_000).collect();
        assert!((200_000..215_000).contains(&packed_size(&noise, 0)));
        assert_eq!(packed_size(&noise, 200_000), 200_000);
    }

    /// Against the program itself: never below it, and not far above.
    #[test]
    #[cfg(unix)]
    fn gzip_packs_no_worse() {
        use std::io::Write as _;
        let packs = |text: &[u8]| -> Option<usize> {
            let mut gzip = std::process::Command::new("gzip");
            gzip.args(["-6", "-c"]).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
            let mut gzip = gzip.spawn().ok()?;
            let (mut input, text) = (gzip.stdin.take()?, text.to_vec());
            let writer = std::thread::spawn(move || input.write_all(&text));
            let output = gzip.wait_with_output().ok()?;
            writer.join().ok()?.ok()?;
            Some(output.stdout.len())
        };
        let mut dice = fastrand::Rng::with_seed(1);
        let words = ["reads", "sends", "the", "archive", "file", "of", "a", "team", "größe", "\\n"];
        let mut report = String::new();
        for number in 0..2_000 {
            let digest: String = std::iter::repeat_with(|| dice.char('0'..='9')).take(64).collect();
            let text: Vec<_> = (0..dice.usize(5..60)).map(|_| words[dice.usize(..words.len())]).collect();
            let text = text.join(" ");
            report.extend([format!(
                "  {{\n   \"text\": \"tool_{number}: {text}\",\n   \"now\": \"sha256:{digest}\"\n  }},\n"
            )]);
        }
        let noise: Vec<u8> = std::iter::repeat_with(|| dice.u8(..)).take(100_000).collect();
        let rules = include_bytes!("explain/rules.rs");
        for text in [report.as_bytes(), &noise, rules, &b"ab".repeat(100_000)] {
            let Some(real) = packs(text) else { return };
            let packed = packed_size(text, 0);
            assert!(packed >= real, "{packed} {real}");
            assert!(packed <= real + real * 3 / 10 + 1_000, "{packed} {real}");
        }
    }
}
