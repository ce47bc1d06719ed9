//! Texts against their reviewed form in `tests/snapshots/`.

/// Fails unless `text` is what `tests/snapshots/NAME.snap` holds. The names say where they come from by themselves, so
/// that a test may move without its snapshots.
pub fn reviewed(name: &str, text: &str) {
    insta::with_settings!({ snapshot_path => "../snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, text);
    });
}
