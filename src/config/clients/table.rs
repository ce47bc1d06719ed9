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

const ANY: &[place::System] = &[Linux, Macos, Windows];

const fn at(level: Level, path: &'static str, shape: &'static Shape) -> File {
    File { level, path, shape, systems: ANY }
}

const fn on(systems: &'static [place::System], level: Level, path: &'static str, shape: &'static Shape) -> File {
    File { level, path, shape, systems }
}

const fn client(word: &'static str, name: &'static str, files: &'static [File]) -> Client {
    Client { word, name, files }
}

/// Every client. The order decides whose server has the name alone where two say different things under it.
pub(in crate::config) static CLIENTS: [Client; 31] = [
    client(
        "claude-code",
        "Claude Code",
        &[
            at(Project, ".mcp.json", &MCP_JSON),
            at(User, "${CLAUDE_CONFIG_DIR:-~}/.claude.json", &CLAUDE_CODE),
            at(User, "${CLAUDE_CONFIG_DIR:-~/.claude}/plugins/cache/**/.mcp.json", &CLAUDE_PLUGIN),
            at(User, "${CLAUDE_CONFIG_DIR:-~/.claude}/plugins/cache/**/.claude-plugin/plugin.json", &CLAUDE_MANIFEST),
            on(&[Linux], System, "/etc/claude-code/managed-mcp.json", &MCP_JSON),
            on(&[Macos], System, "/Library/Application Support/ClaudeCode/managed-mcp.json", &MCP_JSON),
            on(&[Windows], System, "<program-files>/ClaudeCode/managed-mcp.json", &MCP_JSON),
        ],
    ),
    client(
        "claude-desktop",
        "Claude Desktop",
        &[at(User, "<config>/Claude/claude_desktop_config.json", &CLAUDE_DESKTOP)],
    ),
    client(
        "cursor",
        "Cursor",
        &[
            at(Project, ".cursor/mcp.json", &EDITOR),
            at(User, "~/.cursor/mcp.json", &EDITOR),
            at(User, "<config>/Cursor/User/mcp.json", &EDITOR),
            at(User, "<config>/Cursor/User/settings.json", &CURSOR_SETTINGS),
            at(User, "~/.cursor/plugins/*/**/mcp.json", &CURSOR_PLUGIN),
            at(User, "~/.cursor/plugins/*/**/.mcp.json", &CURSOR_PLUGIN),
        ],
    ),
    client(
        "vscode",
        "VS Code",
        &[
            at(Project, ".vscode/mcp.json", &VSCODE),
            at(Project, ".vscode/settings.json", &VSCODE_SETTINGS),
            at(Project, "*.code-workspace", &VSCODE_SETTINGS),
            at(User, "<code>/User/mcp.json", &VSCODE),
            at(User, "<code>/User/profiles/*/mcp.json", &VSCODE),
            at(User, "<code>/User/settings.json", &VSCODE_SETTINGS),
            at(User, "~/.vscode/mcp.json", &VSCODE),
        ],
    ),
    client(
        "windsurf",
        "Windsurf",
        &[
            at(Project, ".windsurf/mcp.json", &SERVER_URL),
            at(User, "~/.codeium/windsurf/mcp_config.json", &SERVER_URL),
            at(User, "~/.codeium/mcp_config.json", &SERVER_URL),
        ],
    ),
    client(
        "zed",
        "Zed",
        &[
            at(Project, ".zed/settings.json", &ZED),
            on(&[Linux], User, "<config>/zed/settings.json", &ZED),
            on(&[Macos], User, "~/.config/zed/settings.json", &ZED),
            on(&[Macos, Windows], User, "<config>/Zed/settings.json", &ZED),
        ],
    ),
    client(
        "cline",
        "Cline",
        &[
            at(
                User,
                "<code-or-cursor>/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
                &EDITOR,
            ),
            at(User, "${CLINE_DIR:-~/.cline}/data/settings/cline_mcp_settings.json", &EDITOR),
        ],
    ),
    client(
        "roo",
        "Roo Code",
        &[
            at(Project, ".roo/mcp.json", &EDITOR),
            at(
                User,
                "<code-or-cursor>/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
                &EDITOR,
            ),
        ],
    ),
    client(
        "gemini",
        "Gemini CLI",
        &[
            at(Project, ".gemini/settings.json", &GEMINI),
            at(User, "~/.gemini/settings.json", &GEMINI),
            on(&[Linux], System, "/etc/gemini-cli/settings.json", &GEMINI),
            on(&[Macos], System, "/Library/Application Support/GeminiCli/settings.json", &GEMINI),
            on(&[Windows], System, "<program-data>/gemini-cli/settings.json", &GEMINI),
        ],
    ),
    client(
        "antigravity",
        "Antigravity",
        &[
            at(User, "~/.gemini/antigravity/mcp_config.json", &SERVER_URL),
            at(User, "~/.gemini/config/mcp_config.json", &SERVER_URL),
        ],
    ),
    client(
        "codex",
        "Codex",
        &[
            at(Project, ".codex/config.toml", &CODEX),
            at(User, "${CODEX_HOME:-~/.codex}/config.toml", &CODEX),
            at(User, "${CODEX_HOME:-~/.codex}/*.config.toml", &CODEX),
            at(User, "${CODEX_HOME:-~/.codex}/plugins/**/.mcp.json", &CODEX_PLUGIN),
            on(&[Linux, Macos], System, "/etc/codex/config.toml", &CODEX),
            on(&[Windows], System, "<program-data>/OpenAI/Codex/config.toml", &CODEX),
        ],
    ),
    client(
        "opencode",
        "opencode",
        &[
            at(Project, "opencode.json", &OPENCODE),
            at(Project, "opencode.jsonc", &OPENCODE),
            at(User, "${OPENCODE_CONFIG}", &OPENCODE),
            at(User, "${OPENCODE_CONFIG_DIR}/opencode.json", &OPENCODE),
            at(User, "${OPENCODE_CONFIG_DIR}/opencode.jsonc", &OPENCODE),
            at(User, "<dot-config>/opencode/opencode.json", &OPENCODE),
            at(User, "<dot-config>/opencode/opencode.jsonc", &OPENCODE),
            on(&[Linux], System, "/etc/opencode/opencode.json", &OPENCODE),
            on(&[Macos], System, "/Library/Application Support/opencode/opencode.json", &OPENCODE),
            on(&[Windows], System, "<program-data>/opencode/opencode.json", &OPENCODE),
        ],
    ),
    client(
        "goose",
        "goose",
        &[
            on(&[Linux, Macos], User, "<dot-config>/goose/config.yaml", &GOOSE),
            on(&[Windows], User, "<config>/Block/goose/config/config.yaml", &GOOSE),
        ],
    ),
    client(
        "continue",
        "Continue",
        &[
            at(Project, ".continue/config.yaml", &CONTINUE),
            at(Project, ".continue/mcpServers/*.yaml", &CONTINUE),
            at(User, "~/.continue/config.yaml", &CONTINUE),
            at(User, "~/.continue/config.json", &CONTINUE_JSON),
        ],
    ),
    client(
        "lm-studio",
        "LM Studio",
        &[at(User, "~/.lmstudio/mcp.json", &EDITOR), on(&[Macos], User, "~/.cache/lm-studio/mcp.json", &EDITOR)],
    ),
    client(
        "kiro",
        "Kiro",
        &[at(Project, ".kiro/settings/mcp.json", &SHELL), at(User, "~/.kiro/settings/mcp.json", &SHELL)],
    ),
    client(
        "amazon-q",
        "Amazon Q Developer",
        &[
            at(Project, ".amazonq/default.json", &AGENT),
            at(Project, ".amazonq/mcp.json", &SHELL),
            at(User, "~/.aws/amazonq/default.json", &AGENT),
            at(User, "~/.aws/amazonq/mcp.json", &SHELL),
            at(User, "~/.aws/amazonq/agents/default.json", &AGENT),
            at(User, "~/.aws/amazonq/agents/mcp.json", &AGENT),
        ],
    ),
    client(
        "junie",
        "JetBrains Junie",
        &[at(Project, ".junie/mcp/mcp.json", &COMMON_SHAPE), at(User, "~/.junie/mcp/mcp.json", &COMMON_SHAPE)],
    ),
    client(
        "copilot-jetbrains",
        "GitHub Copilot in JetBrains",
        &[
            on(&[Linux, Macos], User, "<dot-config>/github-copilot/intellij/mcp.json", &VSCODE),
            on(&[Windows], User, "<local>/github-copilot/intellij/mcp.json", &VSCODE),
        ],
    ),
    client("copilot-cli", "GitHub Copilot CLI", &[at(User, "${COPILOT_HOME:-~/.copilot}/mcp-config.json", &SHELL)]),
    client(
        "amp",
        "Amp",
        &[
            on(&[Linux, Macos], User, "<dot-config>/amp/settings.json", &AMP),
            on(&[Windows], User, "<config>/amp/settings.json", &AMP),
        ],
    ),
    client("trae", "Trae", &[at(User, "<config>/Trae/User/mcp.json", &EDITOR)]),
    client("factory", "Factory", &[at(User, "~/.factory/mcp.json", &SHELL)]),
    client("kimi", "Kimi CLI", &[at(User, "~/.kimi/mcp.json", &COMMON_SHAPE)]),
    client("qoder", "Qoder", &[at(User, "~/.qoder/mcp.json", &COMMON_SHAPE)]),
    client("vibe", "Mistral Vibe", &[at(User, "~/.vibe/config.toml", &VIBE)]),
    client("grok", "Grok CLI", &[at(User, "~/.grok/config.toml", &CODEX)]),
    client("qwen", "Qwen Code", &[at(User, "~/.qwen/settings.json", &GEMINI)]),
    client("warp", "Warp", &[at(User, "~/.warp/mcp.json", &COMMON_SHAPE)]),
    client(
        "mcporter",
        "MCPorter",
        &[at(User, "~/.mcporter/mcporter.json", &SHELL), at(User, "~/.mcporter/mcporter.jsonc", &SHELL)],
    ),
    client("inspector", "MCP Inspector", &[at(User, "~/.mcp-inspector/mcp.json", &COMMON_SHAPE)]),
];
