//! What something on the screen is. A theme says how that looks.

use strum::{EnumString, IntoStaticStr, VariantArray};

/// What something on the screen is, so that a theme can say how it looks: by its name in kebab case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
#[expect(missing_docs, reason = "some are what they are called")]
pub enum Role {
    /// What is read first.
    Text,
    /// What is there when looked for.
    Dim,
    /// The program's name.
    Product,
    Title,
    /// Title of the pane that has the keys.
    TitleFocused,
    /// Frame of a pane.
    Border,
    /// Frame of the pane that has the keys.
    BorderFocused,
    Heading,
    Column,
    /// A key in a hint.
    Key,
    /// What a key does.
    Hint,
    /// The selected row of the pane that has the keys.
    Selection,
    /// The selected row of another pane.
    SelectionUnfocused,
    /// Pinned and different.
    StateDrift,
    /// Not pinned.
    StateNew,
    /// Pinned and gone.
    StateGone,
    /// Equal to its pin.
    StateApproved,
    /// Refused by a person.
    StateRejected,
    /// Not readable now.
    StateUnknown,
    /// Shown from an older look.
    Stale,
    SeveritySafe,
    SeverityInfo,
    SeverityModerate,
    SeverityCritical,
    EffectBreaking,
    /// A line only in what is served now.
    Added,
    /// Its words that the pin lacks.
    AddedWord,
    /// A line only in what is pinned.
    Removed,
    /// Its words that are gone.
    RemovedWord,
    /// A stretch of a text that a finding is about.
    Found,
    /// The same, of a critical one.
    FoundCritical,
    /// Line numbers and the mark of a fold.
    Gutter,
    /// A character that would not be seen, written out.
    Hidden,
    /// A digest that is equal on both sides.
    Digest,
    /// A digest that moved.
    DigestMoved,
    /// What a person types.
    Input,
    Button,
    /// The button that has the keys.
    ButtonFocused,
    /// A message that something went well.
    Notice,
    /// A message that something did not.
    Warning,
}

impl Role {
    /// Every role, in the order of a theme file.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in a theme file.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
