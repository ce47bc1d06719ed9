//! The clients: where each keeps its servers, on which system, and in which shape. Data only.
//!
//! Left out, because no public documentation says enough of them: extension bundles of Claude Desktop (MCPB), servers of
//! a VS Code dev container (they run in it), projects that opencode keeps in its database.

use super::Level::{Project, System, User};
use super::place::System::{Linux, Macos, Windows};
use super::shape::Shape;
use super::shapes::{
    AGENT, AMP, CLAUDE_CODE, CLAUDE_DESKTOP, CLAUDE_MANIFEST, CLAUDE_PLUGIN, CODEX, CODEX_PLUGIN, COMMON_SHAPE,
    CONTINUE, CONTINUE_JSON, CURSOR_PLUGIN, CURSOR_SETTINGS, EDITOR, GEMINI, GOOSE, MCP_JSON, OPENCODE, SERVER_URL,
    SHELL, VIBE, VSCODE, VSCODE_SETTINGS, ZED,
};
use super::{Client, File, Level, place};

const fn at(client: &'static str, level: Level, path: &'static str, shape: &'static Shape) -> File {
    File { client, level, path, shape, systems: &[Linux, Macos, Windows] }
}

const fn on(systems: &'static [place::System], file: File) -> File {
    File { systems, ..file }
}

const fn client(word: &'static str, name: &'static str) -> Client {
    Client { word, name }
}

/// Every client. The order decides whose server has the name alone where two say different things under it.
pub(in crate::config) static CLIENTS: [Client; 31] = [
    client("claude-code", "Claude Code"),
    client("claude-desktop", "Claude Desktop"),
    client("cursor", "Cursor"),
    client("vscode", "VS Code"),
    client("windsurf", "Windsurf"),
    client("zed", "Zed"),
    client("cline", "Cline"),
    client("roo", "Roo Code"),
    client("gemini", "Gemini CLI"),
    client("antigravity", "Antigravity"),
    client("codex", "Codex"),
    client("opencode", "opencode"),
    client("goose", "goose"),
    client("continue", "Continue"),
    client("lm-studio", "LM Studio"),
    client("kiro", "Kiro"),
    client("amazon-q", "Amazon Q Developer"),
    client("junie", "JetBrains Junie"),
    client("copilot-jetbrains", "GitHub Copilot in JetBrains"),
    client("copilot-cli", "GitHub Copilot CLI"),
    client("amp", "Amp"),
    client("trae", "Trae"),
    client("factory", "Factory"),
    client("kimi", "Kimi CLI"),
    client("qoder", "Qoder"),
    client("vibe", "Mistral Vibe"),
    client("grok", "Grok CLI"),
    client("qwen", "Qwen Code"),
    client("warp", "Warp"),
    client("mcporter", "MCPorter"),
    client("inspector", "MCP Inspector"),
];

/// Their files, in the order in which each client's are read.
pub(in crate::config) static FILES: [File; 89] = [
    at("claude-code", Project, ".mcp.json", &MCP_JSON),
    at("claude-code", User, "${CLAUDE_CONFIG_DIR:-~}/.claude.json", &CLAUDE_CODE),
    at("claude-code", User, "${CLAUDE_CONFIG_DIR:-~/.claude}/plugins/cache/**/.mcp.json", &CLAUDE_PLUGIN),
    at(
        "claude-code",
        User,
        "${CLAUDE_CONFIG_DIR:-~/.claude}/plugins/cache/**/.claude-plugin/plugin.json",
        &CLAUDE_MANIFEST,
    ),
    on(&[Linux], at("claude-code", System, "/etc/claude-code/managed-mcp.json", &MCP_JSON)),
    on(&[Macos], at("claude-code", System, "/Library/Application Support/ClaudeCode/managed-mcp.json", &MCP_JSON)),
    on(&[Windows], at("claude-code", System, "<program-files>/ClaudeCode/managed-mcp.json", &MCP_JSON)),
    at("claude-desktop", User, "<config>/Claude/claude_desktop_config.json", &CLAUDE_DESKTOP),
    at("cursor", Project, ".cursor/mcp.json", &EDITOR),
    at("cursor", User, "~/.cursor/mcp.json", &EDITOR),
    at("cursor", User, "<config>/Cursor/User/mcp.json", &EDITOR),
    at("cursor", User, "<config>/Cursor/User/settings.json", &CURSOR_SETTINGS),
    at("cursor", User, "~/.cursor/plugins/*/**/mcp.json", &CURSOR_PLUGIN),
    at("cursor", User, "~/.cursor/plugins/*/**/.mcp.json", &CURSOR_PLUGIN),
    at("vscode", Project, ".vscode/mcp.json", &VSCODE),
    at("vscode", Project, ".vscode/settings.json", &VSCODE_SETTINGS),
    at("vscode", Project, "*.code-workspace", &VSCODE_SETTINGS),
    at("vscode", User, "<code>/User/mcp.json", &VSCODE),
    at("vscode", User, "<code>/User/profiles/*/mcp.json", &VSCODE),
    at("vscode", User, "<code>/User/settings.json", &VSCODE_SETTINGS),
    at("vscode", User, "~/.vscode/mcp.json", &VSCODE),
    at("windsurf", Project, ".windsurf/mcp.json", &SERVER_URL),
    at("windsurf", User, "~/.codeium/windsurf/mcp_config.json", &SERVER_URL),
    at("windsurf", User, "~/.codeium/mcp_config.json", &SERVER_URL),
    at("zed", Project, ".zed/settings.json", &ZED),
    on(&[Linux], at("zed", User, "<config>/zed/settings.json", &ZED)),
    on(&[Macos], at("zed", User, "~/.config/zed/settings.json", &ZED)),
    on(&[Macos, Windows], at("zed", User, "<config>/Zed/settings.json", &ZED)),
    at(
        "cline",
        User,
        "<code-or-cursor>/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        &EDITOR,
    ),
    at("cline", User, "${CLINE_DIR:-~/.cline}/data/settings/cline_mcp_settings.json", &EDITOR),
    at("roo", Project, ".roo/mcp.json", &EDITOR),
    at(
        "roo",
        User,
        "<code-or-cursor>/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
        &EDITOR,
    ),
    at("gemini", Project, ".gemini/settings.json", &GEMINI),
    at("gemini", User, "~/.gemini/settings.json", &GEMINI),
    on(&[Linux], at("gemini", System, "/etc/gemini-cli/settings.json", &GEMINI)),
    on(&[Macos], at("gemini", System, "/Library/Application Support/GeminiCli/settings.json", &GEMINI)),
    on(&[Windows], at("gemini", System, "<program-data>/gemini-cli/settings.json", &GEMINI)),
    at("antigravity", User, "~/.gemini/antigravity/mcp_config.json", &SERVER_URL),
    at("antigravity", User, "~/.gemini/config/mcp_config.json", &SERVER_URL),
    at("codex", Project, ".codex/config.toml", &CODEX),
    at("codex", User, "${CODEX_HOME:-~/.codex}/config.toml", &CODEX),
    at("codex", User, "${CODEX_HOME:-~/.codex}/*.config.toml", &CODEX),
    at("codex", User, "${CODEX_HOME:-~/.codex}/plugins/**/.mcp.json", &CODEX_PLUGIN),
    on(&[Linux, Macos], at("codex", System, "/etc/codex/config.toml", &CODEX)),
    on(&[Windows], at("codex", System, "<program-data>/OpenAI/Codex/config.toml", &CODEX)),
    at("opencode", Project, "opencode.json", &OPENCODE),
    at("opencode", Project, "opencode.jsonc", &OPENCODE),
    at("opencode", User, "${OPENCODE_CONFIG}", &OPENCODE),
    at("opencode", User, "${OPENCODE_CONFIG_DIR}/opencode.json", &OPENCODE),
    at("opencode", User, "${OPENCODE_CONFIG_DIR}/opencode.jsonc", &OPENCODE),
    at("opencode", User, "<dot-config>/opencode/opencode.json", &OPENCODE),
    at("opencode", User, "<dot-config>/opencode/opencode.jsonc", &OPENCODE),
    on(&[Linux], at("opencode", System, "/etc/opencode/opencode.json", &OPENCODE)),
    on(&[Macos], at("opencode", System, "/Library/Application Support/opencode/opencode.json", &OPENCODE)),
    on(&[Windows], at("opencode", System, "<program-data>/opencode/opencode.json", &OPENCODE)),
    on(&[Linux, Macos], at("goose", User, "<dot-config>/goose/config.yaml", &GOOSE)),
    on(&[Windows], at("goose", User, "<config>/Block/goose/config/config.yaml", &GOOSE)),
    at("continue", Project, ".continue/config.yaml", &CONTINUE),
    at("continue", Project, ".continue/mcpServers/*.yaml", &CONTINUE),
    at("continue", User, "~/.continue/config.yaml", &CONTINUE),
    at("continue", User, "~/.continue/config.json", &CONTINUE_JSON),
    at("lm-studio", User, "~/.lmstudio/mcp.json", &EDITOR),
    on(&[Macos], at("lm-studio", User, "~/.cache/lm-studio/mcp.json", &EDITOR)),
    at("kiro", Project, ".kiro/settings/mcp.json", &SHELL),
    at("kiro", User, "~/.kiro/settings/mcp.json", &SHELL),
    at("amazon-q", Project, ".amazonq/default.json", &AGENT),
    at("amazon-q", Project, ".amazonq/mcp.json", &SHELL),
    at("amazon-q", User, "~/.aws/amazonq/default.json", &AGENT),
    at("amazon-q", User, "~/.aws/amazonq/mcp.json", &SHELL),
    at("amazon-q", User, "~/.aws/amazonq/agents/default.json", &AGENT),
    at("amazon-q", User, "~/.aws/amazonq/agents/mcp.json", &AGENT),
    at("junie", Project, ".junie/mcp/mcp.json", &COMMON_SHAPE),
    at("junie", User, "~/.junie/mcp/mcp.json", &COMMON_SHAPE),
    on(&[Linux, Macos], at("copilot-jetbrains", User, "<dot-config>/github-copilot/intellij/mcp.json", &VSCODE)),
    on(&[Windows], at("copilot-jetbrains", User, "<local>/github-copilot/intellij/mcp.json", &VSCODE)),
    at("copilot-cli", User, "${COPILOT_HOME:-~/.copilot}/mcp-config.json", &SHELL),
    on(&[Linux, Macos], at("amp", User, "<dot-config>/amp/settings.json", &AMP)),
    on(&[Windows], at("amp", User, "<config>/amp/settings.json", &AMP)),
    at("trae", User, "<config>/Trae/User/mcp.json", &EDITOR),
    at("factory", User, "~/.factory/mcp.json", &SHELL),
    at("kimi", User, "~/.kimi/mcp.json", &COMMON_SHAPE),
    at("qoder", User, "~/.qoder/mcp.json", &COMMON_SHAPE),
    at("vibe", User, "~/.vibe/config.toml", &VIBE),
    at("grok", User, "~/.grok/config.toml", &CODEX),
    at("qwen", User, "~/.qwen/settings.json", &GEMINI),
    at("warp", User, "~/.warp/mcp.json", &COMMON_SHAPE),
    at("mcporter", User, "~/.mcporter/mcporter.json", &SHELL),
    at("mcporter", User, "~/.mcporter/mcporter.jsonc", &SHELL),
    at("inspector", User, "~/.mcp-inspector/mcp.json", &COMMON_SHAPE),
];
