//! The command line: what can be asked for, and one file a command.
