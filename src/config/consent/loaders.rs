//! Variables that decide what code is run.

/// Variables by which a loader, an interpreter, a shell or a package runner is told what code to run.
const LOADERS: [&str; 33] = [
    "PATH",
    "HOME",
    "SHELL",
    "ENV",
    "BASH_ENV",
    "BASHOPTS",
    "SHELLOPTS",
    "PROMPT_COMMAND",
    "PS4",
    "IFS",
    "ZDOTDIR",
    "GCONV_PATH",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_EXTRA_CA_CERTS",
    "PERL5LIB",
    "PERL5OPT",
    "PERL5DB",
    "RUBYOPT",
    "RUBYLIB",
    "GEM_PATH",
    "GEM_HOME",
    "BUNDLE_GEMFILE",
    "CLASSPATH",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "LUA_INIT",
    "LUA_PATH",
    "DOTNET_STARTUP_HOOKS",
    "COMSPEC",
];

const LOADER_PREFIXES: [&str; 13] = [
    "LD_",
    "DYLD_",
    "PYTHON",
    "NPM_CONFIG_",
    "PIP_",
    "UV_",
    "BUN_",
    "DENO_",
    "CORECLR_",
    "DOCKER_",
    "GIT_",
    "YARN_",
    "XDG_",
];

/// Whether a variable decides what code is run; by its name in any case, as Windows and npm read it.
pub fn loads_code(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    LOADERS.contains(&name.as_str()) || LOADER_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
