//! What becomes of a client's file, told, and written where that was asked for.

use super::{Act, Setup, Told};
use crate::cli::out;
use crate::config::{EntryAt, Guarding, Level, Outcome, Side, Wanted};
use crate::decisions::BaselineState;
use crate::store::GuardSecret;
use crate::store::redact::mask_url;
use crate::text::{shell_word, visible};
use std::os::unix::fs::PermissionsExt as _;

impl Setup {
    /// Tells what becomes of a file, and writes it where that is asked for.
    pub(super) fn tell(&self, file: &Guarding, write: bool, told: &mut Told) -> anyhow::Result<()> {
        for problem in file.problems() {
            told.problem(problem);
        }
        if file.outcomes.is_empty() {
            return Ok(());
        }
        out::line(&file.path.to_string_lossy());
        if file.real != file.path {
            out::line(&format!("  it is a link; what is changed is {}", file.real.display()));
        }
        for one in &file.outcomes {
            let name = self.project.redactor.mask(&one.name);
            match &one.outcome {
                Outcome::Done | Outcome::Redirected => told.changed += 1,
                // Who named it meant it.
                Outcome::Aside(_) if self.named.is_some() => told.left += 1,
                Outcome::Already | Outcome::Aside(_) => told.settled += 1,
                Outcome::Left(_) | Outcome::ByHand(_) | Outcome::AddressByHand { .. } => told.left += 1,
            }
            out::line(&format!("  line {}, {name}: {}", one.line, self.sentence(&one.outcome)));
            if let Outcome::ByHand(words) = &one.outcome {
                for (at, word) in words.iter().enumerate() {
                    let word = serde_json::Value::from(&*self.project.redactor.mask(word));
                    out::line(&format!("    {} {word}", if at == 0 { "command" } else { "   args" }));
                }
            }
            if let Outcome::AddressByHand { url, upstream } = &one.outcome {
                let upstream = file.masked(&mask_url(upstream), &self.project.redactor);
                let secret = GuardSecret::path(self.places());
                out::line(&format!("        url {url}"));
                out::line(&format!("    headers Authorization: Bearer SECRET, which is in {}", secret.display()));
                out::line(&format!("            Pinwatch-Upstream: {upstream}"));
                out::line("            and Pinwatch-Authorization for an Authorization that is there");
            }
        }
        if !file.is_changed() {
            return Ok(());
        }
        for line in file.excerpts(&self.project.redactor, GuardSecret::hidden) {
            let mark = if line.side == Side::Before { '-' } else { '+' };
            out::print(&format!("  {mark} {:>4} {}\n", line.number, line.text));
        }
        self.notes(file);
        if write {
            self.write(file)?;
        }
        Ok(())
    }

    fn sentence(&self, outcome: &Outcome) -> String {
        match (outcome, self.act) {
            (Outcome::Done, Act::Install) => "goes behind a guard".to_owned(),
            (Outcome::Redirected, _) => "goes behind a guard that listens".to_owned(),
            (Outcome::Done, Act::Uninstall) => "its guard is taken away".to_owned(),
            (Outcome::Already, _) => "a guard stands before it already".to_owned(),
            (Outcome::Aside(why) | Outcome::Left(why), _) => format!("left as it is: {why}"),
            (Outcome::ByHand(words), _) if words.is_empty() => {
                "its guard has to be taken away by hand: its entry is written in a way that cannot be changed in place"
                    .to_owned()
            }
            (Outcome::ByHand(_) | Outcome::AddressByHand { .. }, _) => {
                "left as it is: its entry is written in a way that cannot be changed in place. Write there".to_owned()
            }
        }
    }

    /// What a person should know before they write.
    fn notes(&self, file: &Guarding) {
        if self.act == Act::Uninstall {
            return;
        }
        if file.level == Level::Project {
            out::line("  note: it is the project's file, and the guard's paths are those of this machine");
        }
        if file.is_cache {
            out::line("  note: it is a plugin's file: its client may put another one in its place");
        }
        let is_changed = |outcome: &Outcome| matches!(outcome, Outcome::Done | Outcome::Redirected);
        if file.outcomes.iter().any(|one| one.outcome == Outcome::Redirected)
            && let Ok(mode) = file.real.metadata().map(|data| data.permissions().mode() & 0o777)
            && mode & 0o077 != 0
        {
            let path = shell_word(&file.real.to_string_lossy());
            out::line(&format!(
                "  note: others may read this file (mode {mode:04o}), and the secret of your guards will stand in it: \
                 chmod 600 {path}"
            ));
        }
        let again = self.global.again(None, &self.project.redactor);
        for one in file.outcomes.iter().filter(|one| is_changed(&one.outcome)) {
            let entry = EntryAt { name: &one.name, line: one.line, project: None };
            let Wanted::Guard(id) = self.wanted(&file.path, file.level, entry) else { continue };
            if matches!(self.project.baseline(&id), BaselineState::Absent) {
                out::print(&format!(
                    "  note: `{}` has no baseline yet, and its guard is closed until {}\n",
                    visible(&id),
                    again.record(&id, "")
                ));
            }
            if let Some(address) = self.listen.filter(|_| one.outcome == Outcome::Redirected) {
                let (id, root) = (shell_word(&id), shell_word(&self.project.config.root.path().to_string_lossy()));
                out::line(&format!(
                    "  note: the client reaches the server while its guard runs: pinwatch guard {id} --root {root} \
                     --listen {address}"
                ));
            }
        }
    }

    fn write(&self, file: &Guarding) -> anyhow::Result<()> {
        let (before, mut after) = (file.before(), file.after());
        match self.act {
            Act::Install => {
                let kept = self.configs.put(&file.real, (before, &after), &file.added)?;
                out::line(&format!("  written; what it said before is in {}", kept.display()));
                out::line("  start the client anew: it reads the file when it starts");
            }
            Act::Uninstall => {
                let is_last = file.is_unguarded();
                let original = if is_last { self.configs.original(&file.real, before)? } else { None };
                // A backup that was made over guards of an earlier time is none to go back to.
                let original = original.filter(|original| file.with(original).is_ok_and(|one| one.is_unguarded()));
                let is_original = original.as_ref() == Some(&after);
                if let Some(original) = original {
                    after = original;
                }
                self.configs.take_back(&file.real, (before, &after), is_last)?;
                let said = if is_original { "; it is what it was before, byte for byte" } else { "" };
                out::line(&format!("  written{said}"));
            }
        }
        Ok(())
    }
}
