//! Wires config, store and monitor to the UI or to a report.

mod calls;
mod demo;
mod guards;
mod reload;
mod setup;
mod versions;
mod watch;

use crate::cli::{
    Cli, Command, Exported, Global, Rules, admit, audit, check, compare, decide, diff, doctor, evidence, explain,
    export, forget, generate, guard, help, init, merge_driver, open, out, prune, reading, record, rename, review,
    rules, servers, show, sign_in, themes, unwatch, verify_signature,
};
use crate::error::{Exit, describe};
use crate::pin::DecisionState;
use crate::text::visible;
use clap::Parser as _;
use std::process::ExitCode;
use std::sync::Arc;

/// Threads that read files and compare surfaces. Five hundred servers at once on as many threads would each hold what it
/// parses in memory, and the machine has no more cores for it.
const BLOCKING_THREADS: usize = 16;

/// The word that makes this program its own watchdog. It stands before the command line is read: nobody types it.
#[cfg(unix)]
const WATCHDOG: &str = "--watchdog-of-servers";

/// Likewise the word that makes it the process in which a policy's rules are evaluated.
const RULES: &str = "--rules-of-a-policy";

/// The program: parses the command line, does what it says, and says how that ended.
pub fn main() -> ExitCode {
    #[cfg(unix)]
    {
        if std::env::args_os().nth(1).is_some_and(|word| word == WATCHDOG) {
            crate::mcp::watchdog::run(std::env::args_os().skip(2));
            return ExitCode::SUCCESS;
        }
        crate::mcp::watchdog::enable(vec![WATCHDOG.into()]);
    }
    if std::env::args_os().nth(1).is_some_and(|word| word == RULES) {
        // Who reads the answers says what is missing.
        return crate::monitor::rules::run().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    crate::monitor::rules::enable(vec![RULES.into()]);
    out::escape_panics();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // It quotes what was typed, or what a script made of a name.
        Err(error) if error.use_stderr() && out::is_obeyed(&std::io::stderr()) => {
            let said = error.render().to_string();
            let lines: Vec<_> = said.trim_end().lines().map(|line| visible(line).to_string()).collect();
            out::complain(&lines.join("\n"));
            return Exit::Unknown.into();
        }
        Err(error) => error.exit(),
    };
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = match builder.max_blocking_threads(BLOCKING_THREADS).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            out::note(&format!("error: no threads to run on: {error}"));
            return Exit::Unknown.into();
        }
    };
    let done = runtime.block_on(run(cli));
    // What still reads a dead pipe may not hold up the end.
    runtime.shutdown_background();
    match done {
        Ok(Exit::Fine) if out::is_lost() => Exit::Unknown.into(),
        Ok(exit) => exit.into(),
        Err(error) => {
            out::complain(&describe(&error));
            // What a panic ends has the code that Rust gives it.
            let panicked = matches!(error.downcast_ref(), Some(crate::tui::Error::Panicked));
            if panicked { ExitCode::from(101) } else { Exit::Unknown.into() }
        }
    }
}

async fn run(cli: Cli) -> anyhow::Result<Exit> {
    let Cli { global, command } = cli;
    #[cfg(unix)]
    if starts_servers(command.as_ref()) {
        crate::mcp::watchdog::prepare();
    }
    match command {
        None => watch(&global, &crate::cli::Watch::default()).await,
        Some(Command::Watch(arguments)) => watch(&global, &arguments).await,
        Some(Command::Demo) => demo::run(&global).await,
        Some(Command::DemoServer { name }) => {
            crate::demo::serve(&name)?;
            Ok(Exit::Fine)
        }
        Some(Command::Record(arguments)) => record::run(&global, &arguments).await,
        Some(Command::Check(arguments)) => check::run(&global, &arguments).await,
        Some(Command::Approve(arguments)) => decide::run(&global, &arguments, DecisionState::Approved).await,
        Some(Command::Reject(arguments)) => decide::run(&global, &arguments, DecisionState::Rejected).await,
        Some(Command::Review(arguments)) => review::run(&global, &arguments).await,
        Some(Command::MergeDriver(arguments)) => merge_driver::run(&arguments),
        Some(Command::Generate(arguments)) => generate::run(&arguments),
        Some(Command::Explain(arguments)) => explain::run(&global, &arguments),
        Some(Command::Rules(Rules::Test(arguments))) => rules::test(&arguments),
        Some(Command::Help(arguments)) => reading::through(&arguments.reading, || help::run(&arguments)),
        Some(Command::Diff(arguments)) => reading::through(&arguments.reading, || diff::run(&global, &arguments)),
        Some(Command::Show(arguments)) => reading::through(&arguments.reading, || show::run(&global, &arguments)),
        Some(Command::Compare(arguments)) => compare::run(&global, &arguments).await,
        Some(Command::Admit(arguments)) => admit::run(&global, &arguments).await,
        Some(Command::VerifySignature(arguments)) => Ok(verify_signature::run(&global, &arguments)),
        Some(Command::Export(arguments)) => export::run(&global, &arguments).await,
        Some(Command::Evidence(arguments)) => evidence::run(&global, &arguments),
        Some(Command::Audit(arguments)) => audit::run(&global, &arguments),
        Some(Command::Servers { explain }) => servers::run(&global, explain),
        Some(Command::Doctor) => doctor::run(&global),
        Some(Command::Rename(arguments)) => rename::run(&global, &arguments),
        Some(Command::Prune(arguments)) => prune::run(&global, &arguments),
        Some(Command::Guard(arguments)) => guard::run(&global, &arguments).await,
        Some(Command::Init) => init::run(&global),
        Some(Command::Themes) => themes::run(&global),
        Some(Command::Forget(arguments)) => forget::run(&global, &arguments),
        Some(Command::SignIn(arguments)) => sign_in::sign_in(&global, &arguments).await,
        Some(Command::SignOut(arguments)) => sign_in::sign_out(&global, &arguments).await,
        Some(Command::Unwatch(arguments)) => unwatch::run(&global, &arguments),
    }
}

/// Whether a command starts servers, if there are any.
#[cfg(unix)]
fn starts_servers(command: Option<&Command>) -> bool {
    match command {
        None
        | Some(
            Command::Watch(_)
            | Command::Demo
            | Command::Record(_)
            | Command::Check(_)
            | Command::Guard(_)
            | Command::Review(_)
            | Command::Compare(_),
        ) => true,
        Some(Command::Approve(decide) | Command::Reject(decide)) => decide.snapshot.is_none(),
        Some(Command::Admit(admit)) => admit.server.is_some(),
        Some(Command::Export(export)) => export.what == Exported::AssayObserved,
        Some(_) => false,
    }
}

async fn watch(global: &Global, arguments: &crate::cli::Watch) -> anyhow::Result<Exit> {
    let ad_hoc = arguments.targets.ad_hoc();
    let project = open::open(global, ad_hoc.as_ref())?;
    if arguments.explain_keys {
        out::print(&crate::cli::help::keys(&setup::keymap(&project)?));
        return Ok(Exit::Fine);
    }
    let servers = project.select_with_unwatched(&arguments.targets.servers)?;
    watch::run(Arc::new(project), global, servers, Some((ad_hoc, arguments.targets.servers.clone()))).await
}
