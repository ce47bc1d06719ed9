//! Completions and the manual page, as they are generated, and as a real shell takes them.

use super::needs::skipped;
use super::project::Project;
use std::process::Command;

/// What is generated, word for word: a change of the command line shows here.
#[test]
fn what_is_generated_is_as_reviewed() {
    let project = Project::new();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for what in ["bash", "zsh", "fish", "powershell", "elvish", "man"] {
            insta::assert_snapshot!(format!("generated__{what}"), project.expect(0, &["generate", what]).out);
        }
        let page = project.expect(0, &["generate", "man", "check"]).out;
        insta::assert_snapshot!("generated__man_check", page);
    });
    assert!(project.expect(2, &["generate", "man", "chek"]).err.contains("no command `chek`"));
    // Not offered: it is for whoever makes packages.
    assert!(!project.expect(0, &["--help"]).out.contains("generate"));
}

#[test]
fn bash_completes() {
    let project = Project::new();
    project.write("pinwatch.bash", &project.expect(0, &["generate", "bash"]).out);
    let script = "source ./pinwatch.bash\n\
                  complete_line() { COMP_WORDS=($1 ''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()\n\
                  [ -n \"$2\" ] && COMP_WORDS[$COMP_CWORD]=$2\n\
                  _pinwatch pinwatch \"$2\" \"${COMP_WORDS[$((COMP_CWORD - 1))]}\"; echo \"${COMPREPLY[*]}\"; }\n\
                  complete_line pinwatch re\n\
                  complete_line 'pinwatch check' --f\n\
                  complete -p pinwatch\n";
    let shell = Command::new("bash")
        .args(["--norc", "--noprofile", "-eu", "-c", script])
        .current_dir(project.path(""))
        .output();
    let Ok(shell) = shell else { return skipped("bash_completes", "bash is absent") };
    let said = String::from_utf8_lossy(&shell.stdout).into_owned();
    let lines: Vec<_> = said.lines().collect();
    assert!(shell.status.success(), "{}", String::from_utf8_lossy(&shell.stderr));
    assert_eq!(lines[0], "record reject review rename");
    assert_eq!(lines[1], "--fail-on --format");
    assert!(lines[2].contains("_pinwatch"), "{said}");
}
