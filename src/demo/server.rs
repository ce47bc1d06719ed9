//! One demo server: MCP 2025-11-25 over standard streams, as small as a real one can be.

use super::script::{Act, START_VARIABLE, STEPS, Step, surface};
use crate::held::held;
use serde_json::{Value, json};
use std::io::{self, BufRead as _, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Serves `name` on standard input and output until the input ends. Without [`START_VARIABLE`] nothing changes, which
/// is how the baselines were recorded.
///
/// # Errors
/// No server has this name, or the streams broke.
pub fn serve(name: &str) -> io::Result<()> {
    let Some(start) = surface(name) else {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no demo server `{name}`")));
    };
    let began = std::env::var(START_VARIABLE).ok().and_then(|text| text.parse::<u64>().ok());
    let state = Arc::new(Mutex::new(start));
    if let Some(began) = began {
        let mut mine: Vec<Step> = STEPS.into_iter().filter(|step| step.server == name).collect();
        mine.sort_by(|a, b| a.at.total_cmp(&b.at));
        // What is past is done before the first answer, as a real server's change outlives its restart.
        mine.retain(|step| !catch_up(step, elapsed(began), &state));
        let shared = Arc::clone(&state);
        thread::spawn(move || play(&mine, began, &shared));
    }
    answer(&state)
}

/// Seconds since the demo began.
fn elapsed(began: u64) -> f64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.saturating_sub(Duration::from_millis(began)).as_secs_f64()
}

/// Does a step that is past already; says whether it was.
fn catch_up(step: &Step, now: f64, state: &Mutex<Value>) -> bool {
    if step.at > now {
        return false;
    }
    match step.act {
        Act::Edit(edit) => edit(&mut held(state)),
        Act::Down { until } if now < until => go_down(),
        Act::Down { .. } => {}
    }
    true
}

fn play(steps: &[Step], began: u64, state: &Mutex<Value>) {
    for step in steps {
        thread::sleep(Duration::try_from_secs_f64(step.at - elapsed(began)).unwrap_or_default());
        match step.act {
            Act::Edit(edit) => {
                edit(&mut held(state));
                // The watcher has gone when nothing can be written: then the input ends as well.
                let _ = send(&json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}));
            }
            Act::Down { .. } => go_down(),
        }
    }
}

fn go_down() -> ! {
    let _ = writeln!(io::stderr(), "weather: lost the connection to the forecast service");
    std::process::exit(1)
}

fn send(message: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{message}")?;
    out.flush()
}

fn answer(state: &Mutex<Value>) -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let Ok(request) = serde_json::from_str::<Value>(&line?) else { continue };
        // A notification wants no answer.
        let Some(id) = request.get("id") else { continue };
        let state = held(state);
        let mut reply = json!({"jsonrpc": "2.0", "id": id});
        match result(request["method"].as_str().unwrap_or_default(), &state) {
            Some(result) => reply["result"] = result,
            None => reply["error"] = json!({"code": -32601, "message": "method not found"}),
        }
        drop(state);
        send(&reply)?;
    }
    Ok(())
}

fn result(method: &str, state: &Value) -> Option<Value> {
    match method {
        "initialize" => Some(json!({
            "protocolVersion": "2025-11-25",
            "capabilities": state["capabilities"],
            "serverInfo": state["server_info"],
            "instructions": state["instructions"],
        })),
        "ping" => Some(json!({})),
        "tools/list" => Some(json!({"tools": state["tools"]})),
        "prompts/list" if state["prompts"].is_array() => Some(json!({"prompts": state["prompts"]})),
        _ => None,
    }
}
