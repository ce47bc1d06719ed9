//! The same values the UI shows, as text and as JSON.
