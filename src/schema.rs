//! What inputs a JSON Schema accepts, and how two schemas compare. Knows nothing of MCP.
