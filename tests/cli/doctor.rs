//! `doctor`: each thing that can be wrong is said, with the way out, and nothing is started or written.

use super::project::{Project, two_tools};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

/// The lines that are not `ok`, each with its way out.
fn told(project: &Project, code: i32) -> String {
    let out = project.expect(code, &["doctor"]).out;
    out.lines().filter(|line| !line.starts_with("ok ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn doctor_on_a_new_project_starts_nothing() {
    let project = Project::with_files();
    insta::assert_snapshot!(told(&project, 0), @r"
    warn     root         it is not in a repository
                          -> baselines are meant to be committed and reviewed: git init
    warn     consent      files: needed before its first start
                          -> review it with pinwatch servers, then agree in pinwatch watch or with --yes
    warn     baseline     files: none yet
                          -> pinwatch record files
    warn     terminal     pinwatch cannot draw on this one
                          -> the screen needs one; check, record, review and approve do not
    nothing is broken; 4 to know of
    ");
    assert!(!project.was_started("files"));
    assert_eq!(fs::read_dir(project.home()).expect("the home").count(), 0, "nothing is written");
    fs::create_dir(project.path(".git")).expect("a folder");
    project.expect(0, &["record", "--yes"]);
    let out = project.expect(0, &["doctor"]).out;
    for part in [
        "ok       baseline     files: 5 pins, 0 rejections, all digests correct",
        "ok       policy       balanced",
        "ok       server       files:",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let empty = Project::new().expect(0, &["doctor"]).out;
    assert!(empty.contains("no server is configured here") && empty.contains("pinwatch demo"), "{empty}");
}

#[test]
fn doctor_finds_what_is_broken() {
    let project = Project::with_files();
    fs::create_dir(project.path(".git")).expect("a folder");
    project.expect(0, &["record", "--yes"]);
    let config = project.read("pinwatch.toml");
    let state = project.home().join("state/pinwatch");
    let chmod = |name: &str, mode: u32| {
        fs::set_permissions(state.join(name), fs::Permissions::from_mode(mode)).expect("the mode changes");
    };

    project.write("pinwatch.toml", &format!("{config}[servers.gone]\ncommand = \"npx-that-is-not-here\"\n[servers.far]\nurl = \"http://127.0.0.1:1:2/\"\n"));
    let said = told(&project, 2);
    assert!(said.contains("problem  server       gone: command not found: npx-that-is-not-here, in PATH /"), "{said}");
    assert!(said.contains("problem  server       far: ") && said.contains("broken: 2"), "{said}");
    project.write("pinwatch.toml", "intervall = 3\n");
    let said = told(&project, 2);
    assert!(said.contains("problem  config       pinwatch.toml:1") && said.contains("`intervall`"), "{said}");
    project.write("pinwatch.toml", &config);

    let baseline = project.read("snapshots/files/baseline.json");
    project.write("snapshots/files/baseline.json", &baseline.replace("Read a file.", "Read any file."));
    assert!(told(&project, 2).contains("problem  baseline     files: refused: "));
    project.write("snapshots/files/baseline.json", &baseline);

    fs::write(state.join("machine.key"), [7; 32]).expect("a key");
    chmod("machine.key", 0o644);
    let said = told(&project, 2);
    assert!(said.contains("problem  machine key") && said.contains("chmod 600"), "{said}");
    chmod("machine.key", 0o600);
    chmod("", 0o777);
    let said = told(&project, 2);
    assert!(said.contains("has mode 777") && said.contains("chmod go-w"), "{said}");
    chmod("", 0o700);

    project.surface("docs", &two_tools());
    project.write("pinwatch.toml", &Project::entry("docs", &[]));
    let said = told(&project, 0);
    assert!(
        said.contains(
            "files has one and is not watched: it has a baseline here, and no file that is read here names it"
        ) && said.contains("pinwatch rename files ID"),
        "{said}"
    );
}
