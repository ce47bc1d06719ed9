//! A thin MCP client that keeps the exact bytes of every item.
