//! Text for the screen with a role a stretch, measured in cells and cut on graphemes.
//!
//! Our own words enter by `put`; whatever a server, a file or a person wrote enters by `quote` and its like, which pass
//! the escaping seam.

mod role;

pub use role::Role;

use crate::drift::is_of_the_server;
use crate::review::RowId;
use crate::surface::{ItemId, Kind};
use crate::text::{Stretch, Told, Visible, visible};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// A blank run longer than this is counted instead of shown, so that nothing hides behind it.
const LONGEST_BLANK: usize = 8;

/// A stretch of one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub role: Role,
    /// Printable text.
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub pieces: Vec<Piece>,
}

impl Line {
    /// A line of our own words.
    pub fn of(role: Role, text: impl Into<String>) -> Self {
        let mut line = Self::default();
        line.put(role, text);
        line
    }

    /// A line of text from elsewhere.
    pub fn quoted(role: Role, text: &str) -> Self {
        let mut line = Self::default();
        line.quote(role, text);
        line
    }

    /// Appends our own words.
    pub fn put(&mut self, role: Role, text: impl Into<String>) -> &mut Self {
        let text = text.into();
        match self.pieces.last_mut() {
            Some(piece) if piece.role == role => piece.text.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.pieces.push(Piece { role, text }),
        }
        self
    }

    /// Appends text from elsewhere, on one line: what could not be seen is shown in its own role.
    pub fn quote(&mut self, role: Role, text: &str) -> &mut Self {
        self.shown_as(role, &visible(text), Told::Run)
    }

    /// Appends the name of an item: the key alone for a tool, the kind before it for others.
    pub fn item(&mut self, [of_kind, of_key]: [Role; 2], item: &ItemId) -> &mut Self {
        if is_of_the_server(item) {
            return self.put(of_key, item.key.replace('_', " "));
        }
        let kind = match item.kind {
            Kind::Tool => "",
            Kind::Prompt => "prompt ",
            Kind::Resource => "resource ",
            Kind::ResourceTemplate => "template ",
            Kind::Instructions => "instructions",
            Kind::Capabilities => "capabilities",
            Kind::ServerInfo => "server info",
            Kind::Launch => "launch",
        };
        self.put(of_kind, kind).quote(of_key, if kind.ends_with(' ') || kind.is_empty() { &item.key } else { "" })
    }

    /// The same of a row, with its number.
    pub fn row(&mut self, roles: [Role; 2], row: &RowId) -> &mut Self {
        self.item(roles, &row.item).number(row)
    }

    /// Appends the number of a row where several items have one name, but for the first.
    pub fn number(&mut self, row: &RowId) -> &mut Self {
        self.put(Role::Dim, if row.copy > 0 { format!(" #{}", row.copy + 1) } else { String::new() })
    }

    /// Appends text from elsewhere that quotes what is shown beside it: runs of hidden characters are only counted.
    pub fn counted(&mut self, role: Role, text: &str) -> &mut Self {
        self.shown_as(role, &visible(text), Told::Count)
    }

    /// Appends text from elsewhere with each hidden character by itself: where no key opens a mark.
    pub fn spelt(&mut self, role: Role, text: &str) -> &mut Self {
        self.shown_as(role, &visible(text), Told::Open)
    }

    /// Appends text that passed the seam already, runs of hidden characters in this form.
    pub fn shown_as(&mut self, role: Role, text: &Visible, told: Told) -> &mut Self {
        for stretch in text.stretches() {
            match stretch {
                Stretch::Plain(text) => {
                    self.put_visible(role, text);
                }
                Stretch::Hidden(hidden) => {
                    self.put(Role::Hidden, hidden.told(told));
                }
            }
        }
        self
    }

    /// Appends a stretch without anything hidden of text that passed the seam; a long blank is counted.
    pub fn put_visible(&mut self, role: Role, text: &str) -> &mut Self {
        let mut rest = text;
        while let Some(start) = rest.find(&" ".repeat(LONGEST_BLANK + 1)) {
            let blanks = rest[start..].bytes().take_while(|byte| *byte == b' ').count();
            self.put(role, &rest[..start]);
            self.put(Role::Hidden, format!("⟦{blanks} spaces⟧"));
            rest = &rest[start + blanks..];
        }
        self.put(role, rest)
    }

    pub fn join(&mut self, other: Self) -> &mut Self {
        for piece in other.pieces {
            self.put(piece.role, piece.text);
        }
        self
    }

    /// Cells it takes.
    pub fn width(&self) -> usize {
        self.pieces.iter().map(|piece| piece.text.width()).sum()
    }

    /// Without roles.
    pub fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    /// At most `width` cells; what is left out shows as `ellipsis`.
    #[must_use]
    pub fn fit(self, width: usize, ellipsis: &str) -> Self {
        if self.width() <= width {
            return self;
        }
        let room = width.saturating_sub(ellipsis.width());
        let mut cut = Self::default();
        let mut used = 0;
        let mut last = Role::Dim;
        'pieces: for piece in self.pieces {
            last = piece.role;
            for grapheme in piece.text.graphemes(true) {
                if used + grapheme.width() > room {
                    break 'pieces;
                }
                used += grapheme.width();
                cut.put(piece.role, grapheme);
            }
        }
        if ellipsis.width() <= width {
            cut.put(last, ellipsis);
        }
        cut
    }

    /// At most `width` cells; what is left out shows as `ellipsis` and how many cells it has.
    #[must_use]
    pub fn fit_counting(self, width: usize, ellipsis: &str) -> Self {
        let all = self.width();
        if all <= width {
            return self;
        }
        // The count takes room itself: with one more digit there may be more to count.
        let mark = |kept: usize| format!("{ellipsis}+{}", all - kept);
        let kept = (0..=width).rev().find(|kept| kept + mark(*kept).width() <= width).unwrap_or(0);
        let mut cut = self.fit(kept, "");
        let mark = mark(cut.width());
        cut.put(Role::Gutter, mark);
        cut.fit(width, "")
    }

    /// The first of several lines that takes at most `width` cells; the last one where none does.
    pub fn first_that_fits(lines: impl IntoIterator<Item = Self>, width: usize) -> Self {
        let mut last = Self::default();
        for line in lines {
            last = line;
            if last.width() <= width {
                break;
            }
        }
        last
    }

    /// `fit`, then blanks up to `width`.
    #[must_use]
    pub fn pad(self, width: usize, ellipsis: &str) -> Self {
        let mut line = self.fit(width, ellipsis);
        let missing = width.saturating_sub(line.width());
        line.put(Role::Text, " ".repeat(missing));
        line
    }

    /// Lines of at most `width` cells, broken at blanks where there are some; all but the first start with `indent`
    /// blanks. At least one line. A width of nothing gives the line as it is.
    pub fn wrap(&self, width: usize, indent: usize) -> Vec<Self> {
        if width == 0 || self.width() <= width {
            return vec![self.clone()];
        }
        let indent = if indent + 8 > width { 0 } else { indent };
        let mut wrap = Wrap { width, indent, lines: Vec::new(), line: Self::default(), used: 0 };
        let words = self.pieces.iter().flat_map(|piece| {
            // An escape or a mark is a word of its own where a line has room: half of one could be read as something else.
            let end: &[char] = match piece.role {
                Role::Hidden if piece.text.width() <= width => &['>', '⟧'],
                Role::Hidden => &['>', '⟧', ' '],
                _ => &[' '],
            };
            piece.text.split_inclusive(end).map(|word| (piece.role, word))
        });
        let mut words = words.peekable();
        while let Some((role, word)) = words.next() {
            // Punctuation of another role belongs to the word before it.
            let next = words.peek().map_or("", |(_, next)| next.trim_end());
            let closes = !word.ends_with(' ') && next.chars().all(|next| ".,;:!?)".contains(next));
            wrap.word(role, word, if closes { next.width() } else { 0 });
        }
        wrap.lines.push(wrap.line);
        wrap.lines
    }
}

struct Wrap {
    width: usize,
    indent: usize,
    lines: Vec<Line>,
    line: Line,
    used: usize,
}

impl Wrap {
    fn next_line(&mut self) {
        self.lines.push(std::mem::take(&mut self.line));
        self.line.put(Role::Text, " ".repeat(self.indent));
        self.used = self.indent;
    }

    /// A word and the blank after it: whole where a line has room for it and the cells that `follow`, else grapheme by
    /// grapheme.
    fn word(&mut self, role: Role, word: &str, follow: usize) {
        let bare = word.trim_end_matches(' ').width() + follow;
        if self.used + bare > self.width && self.used > self.indent && self.indent + bare <= self.width {
            self.next_line();
        }
        for grapheme in word.graphemes(true) {
            let wide = grapheme.width();
            if self.used + wide > self.width && self.used > self.indent {
                // The blank that a line breaks at is not carried over.
                if grapheme == " " {
                    return;
                }
                self.next_line();
            }
            self.line.put(role, grapheme);
            self.used += wide;
        }
    }
}
