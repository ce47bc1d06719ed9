//! Wires config, store and monitor to the UI or to a report.
