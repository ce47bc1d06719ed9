//! The table for HTTP servers.
