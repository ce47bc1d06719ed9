//! Ways to a clipboard: a tool of the desktop, else the terminal itself (OSC 52), through tmux or screen where one is in
//! between. A terminal does not say whether it took a text, so that is only ever called "sent".

use base64::Engine as _;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;

/// A tool that takes longer is left alone.
const COPYING: Duration = Duration::from_secs(2);

/// More bytes are dropped without a word by terminals that take OSC 52 at all (xterm's limit, which others copied).
pub const MOST: usize = 74_994;

/// What stands between us and the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Between {
    Nothing,
    Tmux,
    Screen,
}

/// How a text is copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clipboard {
    /// The desktop's tool with its arguments; takes the text on its standard input. None on another machine's desktop.
    pub tool: Option<Vec<&'static str>>,
    /// What the terminal's own way passes through.
    pub between: Between,
}

impl Clipboard {
    /// The ways that an environment, read through `variable`, has. `installed` tells whether a program is there.
    pub fn of(variable: &dyn Fn(&str) -> Option<String>, installed: &dyn Fn(&str) -> bool) -> Self {
        let set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        let remote = set("SSH_CONNECTION") || set("SSH_TTY");
        let known: [(bool, &[&'static str]); 5] = [
            (set("WAYLAND_DISPLAY"), &["wl-copy"]),
            (set("DISPLAY"), &["xclip", "-selection", "clipboard"]),
            (set("DISPLAY"), &["xsel", "--clipboard", "--input"]),
            (cfg!(target_os = "macos"), &["pbcopy"]),
            (set("WSL_DISTRO_NAME"), &["clip.exe"]),
        ];
        let tool =
            known.iter().find(|(there, words)| *there && !remote && words.first().is_some_and(|word| installed(word)));
        let between = if set("TMUX") {
            Between::Tmux
        } else if set("STY") || variable("TERM").is_some_and(|term| term.starts_with("screen")) {
            Between::Screen
        } else {
            Between::Nothing
        };
        Self { tool: tool.map(|(_, words)| words.to_vec()), between }
    }
}

/// Hands a text to the desktop's tool; which one took it, or why none did.
pub async fn copy(tool: Option<&[&'static str]>, text: &str) -> Result<&'static str, String> {
    let Some((program, arguments)) = tool.and_then(<[_]>::split_first) else {
        return Err("no clipboard tool found".to_owned());
    };
    let piped = tokio::process::Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let copied = async {
        let mut child = piped?;
        if let Some(mut input) = child.stdin.take() {
            input.write_all(text.as_bytes()).await?;
        }
        child.wait().await
    };
    match tokio::time::timeout(COPYING, copied).await {
        Ok(Ok(status)) if status.success() => Ok(program),
        Ok(Ok(status)) => Err(format!("{program}: {status}")),
        Ok(Err(error)) => Err(format!("{program}: {error}")),
        Err(_) => Err(format!("{program} does not answer")),
    }
}

/// What makes a terminal copy `text`.
pub fn sequence(text: &str, between: Between) -> String {
    let payload = base64::engine::general_purpose::STANDARD.encode(text);
    match between {
        Between::Nothing => format!("\u{1b}]52;c;{payload}\u{7}"),
        // tmux hands on what stands in its own string, with each escape doubled.
        Between::Tmux => format!("\u{1b}Ptmux;\u{1b}\u{1b}]52;c;{payload}\u{7}\u{1b}\\"),
        // screen takes 768 bytes in one string, so that a text goes in pieces.
        Between::Screen => {
            let whole = format!("\u{1b}]52;c;{payload}\u{7}");
            let pieces: Vec<_> = whole.as_bytes().chunks(500).map(String::from_utf8_lossy).collect();
            format!("\u{1b}P{}\u{1b}\\", pieces.join("\u{1b}\\\u{1b}P"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)], tools: &[&str]) -> Clipboard {
        let variable = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Clipboard::of(&variable, &|tool| tools.contains(&tool))
    }

    #[test]
    fn desktop_clipboard_comes_first_but_not_over_ssh() {
        let both = ["wl-copy", "xclip"];
        assert_eq!(of(&[("WAYLAND_DISPLAY", "w"), ("DISPLAY", ":0")], &both).tool, Some(vec!["wl-copy"]));
        assert_eq!(
            of(&[("WAYLAND_DISPLAY", "w"), ("DISPLAY", ":0")], &["xclip"]).tool.map(|words| words[0]),
            Some("xclip")
        );
        assert_eq!(of(&[("WAYLAND_DISPLAY", "w"), ("SSH_TTY", "/dev/pts/1")], &both).tool, None);
        assert_eq!(of(&[], &both).tool.is_some(), cfg!(target_os = "macos") && both.contains(&"pbcopy"));
    }

    #[test]
    fn terminal_clipboard_passes_through_multiplexers() {
        assert_eq!(sequence("hi", Between::Nothing), "\u{1b}]52;c;aGk=\u{7}");
        assert_eq!(sequence("hi", Between::Tmux), "\u{1b}Ptmux;\u{1b}\u{1b}]52;c;aGk=\u{7}\u{1b}\\");
        assert_eq!(of(&[("TMUX", "x"), ("TERM", "screen-256color")], &[]).between, Between::Tmux);
        assert_eq!(of(&[("TERM", "screen")], &[]).between, Between::Screen);
        let long = sequence(&"a".repeat(3_000), Between::Screen);
        assert!(long.split("\u{1b}\\").all(|piece| piece.len() <= 768));
        let joined = long.replace("\u{1b}\\\u{1b}P", "");
        assert_eq!(joined.len(), "\u{1b}P\u{1b}]52;c;".len() + 4_000 + "\u{7}\u{1b}\\".len());
    }
}
