//! The shapes of the clients' files: what each is written in, where in it the servers stand, and what their fields are
//! called. Data only; [`super::shape`] reads by it.

use super::shape::{Fields, Shape};
use crate::config::document::Syntax;
use crate::config::expand::Dialect;

/// The fields that most clients agree on.
const COMMON: Fields = Fields {
    command: "command",
    argv: false,
    args: "args",
    env: "env",
    env_names: None,
    env_file: None,
    cwd: "cwd",
    url: &["url"],
    sse_url: None,
    headers: &["headers"],
    header_variables: None,
    bearer_variable: None,
    inside: &[],
};

/// `{"mcpServers": {NAME: {…}}}`, with comments, no variables: the shape that most clients took over.
pub(super) const COMMON_SHAPE: Shape = Shape {
    syntax: Syntax::Jsonc,
    tables: &[&["mcpServers"]],
    list: false,
    settings: false,
    flat: false,
    fields: COMMON,
    dialect: Dialect::Literal,
    root_variable: None,
};

/// `.mcp.json` of a project, and Claude Code's managed file: strict JSON.
pub(super) const MCP_JSON: Shape = Shape { syntax: Syntax::Json, dialect: Dialect::Shell, ..COMMON_SHAPE };

/// `~/.claude.json`: servers of the user, and of each project by its path.
pub(super) const CLAUDE_CODE: Shape =
    Shape { tables: &[&["mcpServers"], &["projects", "*", "mcpServers"]], settings: true, ..MCP_JSON };

/// A plugin's `.mcp.json`, wrapped or flat, or the manifest that holds the servers itself.
pub(super) const CLAUDE_PLUGIN: Shape = Shape {
    tables: &[&["mcpServers"], &["mcp_servers"]],
    settings: true,
    flat: true,
    root_variable: Some("CLAUDE_PLUGIN_ROOT"),
    ..MCP_JSON
};

/// A plugin's manifest.
pub(super) const CLAUDE_MANIFEST: Shape = Shape { flat: false, ..CLAUDE_PLUGIN };

/// Claude Desktop: strict JSON, and beside the servers what else it is set to.
pub(super) const CLAUDE_DESKTOP: Shape = Shape { syntax: Syntax::Json, settings: true, ..COMMON_SHAPE };

/// The common shape with an editor's variables: Cursor, Windsurf, Cline, Roo Code.
pub(super) const EDITOR: Shape =
    Shape { dialect: Dialect::Editor, fields: Fields { env_file: Some("envFile"), ..COMMON }, ..COMMON_SHAPE };

/// A plugin of Cursor.
pub(super) const CURSOR_PLUGIN: Shape = Shape { settings: true, flat: true, ..EDITOR };

/// `settings.json` of Cursor.
pub(super) const CURSOR_SETTINGS: Shape =
    Shape { tables: &[&["mcpServers"], &["mcp", "servers"], &["mcp.servers"]], settings: true, ..EDITOR };

/// `mcp.json` of VS Code: `{"servers": {…}, "inputs": […]}`.
pub(super) const VSCODE: Shape = Shape { tables: &[&["servers"]], ..EDITOR };

/// `settings.json` of VS Code, and a `.code-workspace`, where servers were kept before.
pub(super) const VSCODE_SETTINGS: Shape = Shape {
    tables: &[&["mcp", "servers"], &["mcp.servers"], &["settings", "mcp", "servers"], &["settings", "mcp.servers"]],
    settings: true,
    ..EDITOR
};

/// Windsurf and Antigravity call the address `serverUrl`.
pub(super) const SERVER_URL: Shape = Shape { fields: Fields { url: &["serverUrl", "url"], ..EDITOR.fields }, ..EDITOR };

/// `context_servers` of Zed's settings. A server that an extension brings has no launch here.
pub(super) const ZED: Shape = Shape {
    tables: &[&["context_servers"]],
    settings: true,
    fields: Fields { inside: &["settings"], ..COMMON },
    ..COMMON_SHAPE
};

/// `settings.json` of Gemini CLI and of Qwen Code, which came from it.
pub(super) const GEMINI: Shape = Shape {
    settings: true,
    dialect: Dialect::Dollar,
    fields: Fields { url: &["httpUrl", "url"], sse_url: Some("url"), ..COMMON },
    ..COMMON_SHAPE
};

/// `mcp_servers` of Codex.
pub(super) const CODEX: Shape = Shape {
    syntax: Syntax::Toml,
    tables: &[&["mcp_servers"]],
    settings: true,
    fields: Fields {
        env_names: Some("env_vars"),
        headers: &["http_headers"],
        header_variables: Some("env_http_headers"),
        bearer_variable: Some("bearer_token_env_var"),
        ..COMMON
    },
    ..COMMON_SHAPE
};

/// A plugin of Codex: JSON, wrapped or flat.
pub(super) const CODEX_PLUGIN: Shape =
    Shape { tables: &[&["mcpServers"], &["mcp_servers"]], settings: true, flat: true, ..COMMON_SHAPE };

/// `mcp` of opencode; its second version nests `servers`.
pub(super) const OPENCODE: Shape = Shape {
    tables: &[&["mcp", "servers"], &["mcp"]],
    settings: true,
    dialect: Dialect::Braces,
    fields: Fields { argv: true, env: "environment", ..COMMON },
    ..COMMON_SHAPE
};

/// `extensions` of goose.
pub(super) const GOOSE: Shape = Shape {
    syntax: Syntax::Yaml,
    tables: &[&["extensions"]],
    settings: true,
    fields: Fields {
        command: "cmd",
        env: "envs",
        env_names: Some("env_keys"),
        url: &["uri"],
        inside: &["builtin", "platform", "frontend", "inline_python"],
        ..COMMON
    },
    ..COMMON_SHAPE
};

/// `mcpServers` of Continue: a list.
pub(super) const CONTINUE: Shape =
    Shape { syntax: Syntax::Yaml, list: true, settings: true, dialect: Dialect::Secrets, ..COMMON_SHAPE };

/// The older `config.json` of Continue.
pub(super) const CONTINUE_JSON: Shape = Shape { syntax: Syntax::Jsonc, ..CONTINUE };

/// The common shape with `${NAME}`: Kiro, Copilot CLI, Factory, MCPorter.
pub(super) const SHELL: Shape = Shape { dialect: Dialect::Shell, ..COMMON_SHAPE };

/// The same among other settings: Amazon Q's agents.
pub(super) const AGENT: Shape = Shape { settings: true, ..SHELL };

/// `settings.json` of Amp: one key with a dot in it.
pub(super) const AMP: Shape = Shape { tables: &[&["amp.mcpServers"]], ..AGENT };

/// `config.toml` of Mistral Vibe: a list of tables.
pub(super) const VIBE: Shape =
    Shape { syntax: Syntax::Toml, tables: &[&["mcp_servers"]], list: true, settings: true, ..COMMON_SHAPE };
