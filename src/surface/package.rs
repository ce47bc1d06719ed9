//! Which package or image a launch names, and whether it names one exact version: by its text alone. What a runner makes
//! of a version that is not exact is known only where it ran.

use super::{Launch, Transport};

/// A package or an image, as a launch names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Its place among the arguments.
    pub at: usize,
    /// How the runner spells it.
    pub spelling: Spelling,
    /// Its name, without a version.
    pub name: String,
    /// The version, tag or digest; empty where there is none.
    pub version: String,
}

impl Package {
    /// The package of a command line; none where it is not one of a known runner, or a path, a URL or an alias.
    pub fn of(command: &str, arguments: &[String]) -> Option<Self> {
        let (at, spelling) = package_at(command, arguments)?;
        let (name, version) = spelling.part(arguments.get(at)?)?;
        Some(Self { at, spelling, name: name.to_owned(), version: version.to_owned() })
    }

    /// Whether the same text always means the same version: a full version number, or the digest of an image. A registry
    /// may still serve other bytes under a number.
    pub fn is_exact(&self) -> bool {
        match self.spelling {
            Spelling::Npm => is_full_version(&self.version, 3),
            Spelling::Python => is_full_version(&self.version, 1),
            Spelling::Image => self.version.starts_with("sha256:"),
        }
    }
}

impl Launch {
    /// The package or image that it names.
    pub fn package(&self) -> Option<Package> {
        match &self.transport {
            Transport::Stdio { command, args, .. } => Package::of(command, args),
            Transport::Http { .. } => None,
        }
    }

    /// Whether it names one exact version of what it runs, in words; none where it names no package.
    pub fn pinning(&self) -> Option<String> {
        let package = self.package()?;
        let what = match package.spelling {
            Spelling::Npm => "the npm package",
            Spelling::Python => "the Python package",
            Spelling::Image => "the image",
        };
        let name = &package.name;
        Some(if package.is_exact() {
            format!("{what} `{name}` in one exact version, `{}`", package.version)
        } else if package.version.is_empty() {
            format!(
                "{what} `{name}` in no version: what runs may be another one at each start, while the launch stays the same"
            )
        } else {
            format!(
                "{what} `{name}` as `{}`, which is not an exact version; each start may run another one, while the \
                 launch stays the same",
                package.version.trim_start_matches(':')
            )
        })
    }
}

/// The command's own name, without folder and Windows ending.
pub fn program_name(command: &str) -> &str {
    let name = command.rsplit(['/', '\\']).next().unwrap_or_default();
    let ending = [".cmd", ".exe", ".bat", ".CMD", ".EXE", ".BAT"].iter().find_map(|ending| name.strip_suffix(ending));
    ending.unwrap_or(name)
}

/// Programs whose own content says nothing of the server.
const RUNNERS: [&str; 20] = [
    "npx", "bunx", "pnpx", "pnpm", "yarn", "npm", "bun", "uvx", "uv", "pipx", "docker", "podman", "nerdctl", "node",
    "deno", "python", "python3", "sh", "bash", "cmd",
];

/// Whether a program's own content says nothing of what it runs.
pub fn only_runs_others(command: &str) -> bool {
    RUNNERS.contains(&program_name(command))
}

/// How a runner spells a package with its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `name@version`, `@scope/name@version`.
    Npm,
    /// `name==version`, `name@version`.
    Python,
    /// `image:tag`, `image@sha256:…`.
    Image,
}

impl Spelling {
    /// Name and version, where the text is plainly those; a path, a URL or an alias is not.
    fn part(self, text: &str) -> Option<(&str, &str)> {
        let (name, version) = match self {
            Self::Npm => {
                let at = text.get(1..)?.find('@').map(|at| at + 1);
                at.map_or((text, ""), |at| (&text[..at], &text[at + 1..]))
            }
            Self::Python => text.split_once("==").or_else(|| text.split_once('@')).unwrap_or((text, "")),
            Self::Image => match text.split_once('@') {
                Some((image, digest)) => {
                    let hex = digest.strip_prefix("sha256:")?;
                    return (hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
                        .then(|| (untagged(image), digest));
                }
                None => (untagged(text), &text[untagged(text).len()..]),
            },
        };
        let named = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@/._-[],:".contains(&byte));
        let relative = name.starts_with(['.', '/']) || name.contains("://");
        let plain = match self {
            Self::Image => true,
            Self::Npm | Self::Python => version.is_empty() || is_version(version),
        };
        (!name.is_empty() && named && !relative && plain).then_some((name, version))
    }
}

/// An image without its tag: the part after the last `:` is one, unless a port stands before a path.
fn untagged(image: &str) -> &str {
    match image.rsplit_once(':') {
        Some((name, tag)) if !tag.contains('/') => name,
        _ => image,
    }
}

/// A number, or one of the tags that registries move along; not a host, a path or an alias.
fn is_version(text: &str) -> bool {
    let number = text.trim_start_matches(['v', '^', '~', '=']);
    let characters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_');
    (number.starts_with(|c: char| c.is_ascii_digit()) && number.chars().all(characters))
        || ["latest", "next", "beta", "alpha", "canary", "rc", "preview"].contains(&text)
}

/// A version that is no range and no prefix of one: three numbers to npm; to Python every number after `==` is exact.
fn is_full_version(text: &str, least: usize) -> bool {
    let numbers: Vec<_> = text.split(['-', '+']).next().unwrap_or_default().split('.').collect();
    numbers.len() >= least && numbers.iter().all(|part| part.starts_with(|c: char| c.is_ascii_digit()))
}

/// Options of these runners that stand alone.
const ALONE: [&str; 16] = [
    "-y",
    "--yes",
    "-q",
    "--quiet",
    "-i",
    "-t",
    "-it",
    "-ti",
    "-d",
    "--rm",
    "--init",
    "--interactive",
    "--tty",
    "--detach",
    "--privileged",
    "--refresh",
];

/// Where the package or image stands among the arguments of a known runner, which Windows may start by `cmd /c`.
fn package_at(command: &str, arguments: &[String]) -> Option<(usize, Spelling)> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let program = program_name(command);
    if let ("cmd", ["/c" | "/C", runner, ..]) = (program.to_ascii_lowercase().as_str(), words.as_slice()) {
        let (at, spelling) = package_at(runner, arguments.get(2..)?)?;
        return Some((at + 2, spelling));
    }
    let (start, spelling) = match (program, words.as_slice()) {
        ("npx" | "bunx" | "pnpx", _) => (0, Spelling::Npm),
        ("pnpm" | "yarn", ["dlx", ..]) | ("npm", ["exec", ..]) | ("bun", ["x", ..]) => (1, Spelling::Npm),
        ("uvx", _) => (0, Spelling::Python),
        ("uv", ["tool", "run", ..]) => (2, Spelling::Python),
        ("pipx", ["run", ..]) => (1, Spelling::Python),
        ("docker" | "podman" | "nerdctl", ["run", ..]) => (1, Spelling::Image),
        _ => return None,
    };
    let mut at = start;
    while let Some(word) = words.get(at) {
        let names_package = match spelling {
            Spelling::Npm => matches!(*word, "-p" | "--package"),
            Spelling::Python => matches!(*word, "--from" | "--spec"),
            Spelling::Image => false,
        };
        if names_package {
            return (at + 1 < words.len()).then_some((at + 1, spelling));
        }
        if !word.starts_with('-') {
            return Some((at, spelling));
        }
        at += if ALONE.contains(word) || word.contains('=') { 1 } else { 2 };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(line: &str) -> Option<(String, String, bool)> {
        let mut words = line.split(' ').map(str::to_owned);
        let command = words.next().unwrap_or_default();
        let package = Package::of(&command, &words.collect::<Vec<_>>())?;
        let exact = package.is_exact();
        Some((package.name, package.version, exact))
    }

    #[test]
    fn pinned_is_said_only_of_one_exact_version() {
        let digest = format!("sha256:{}", "0f".repeat(32));
        for (line, name, version, exact) in [
            ("npx -y @a/b@1.0.0 .", "@a/b", "1.0.0", true),
            ("npx -y @a/b@1.0.0-rc.1", "@a/b", "1.0.0-rc.1", true),
            ("npx @a/b", "@a/b", "", false),
            ("npx b@latest", "b", "latest", false),
            ("npx b@^1.2.3", "b", "^1.2.3", false),
            ("npx b@1", "b", "1", false),
            ("npx b@1.2", "b", "1.2", false),
            ("uvx b==2026.8.31", "b", "2026.8.31", true),
            ("uvx --from b==1.0 tool", "b", "1.0", true),
            ("uvx b", "b", "", false),
            ("docker run -i --rm -e X ghcr.io/a/b:1.2.3", "ghcr.io/a/b", ":1.2.3", false),
            ("docker run a/b", "a/b", "", false),
            (&format!("docker run a/b@{digest}"), "a/b", &digest, true),
            // COMPLAINTS row 26: what Windows starts.
            ("npx.cmd -y b@1.0.0", "b", "1.0.0", true),
            ("cmd /c npx -y b", "b", "", false),
            ("C:\\nodejs\\npx.cmd b@1.0.0", "b", "1.0.0", true),
        ] {
            assert_eq!(package(line), Some((name.to_owned(), version.to_owned(), exact)), "{line}");
        }
        for line in ["node server.js", "npx ./local", "npx b@npm:evil@1", "python -m server", "cmd /c"] {
            assert_eq!(package(line), None, "{line}");
        }
    }
}
