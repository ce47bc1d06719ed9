//! From a key to the frame that answers it, over 500 servers of 100 tools: DESIGN.md's budget is 16 ms at the 99th
//! percentile. Run: `cargo bench --bench screen`. Nothing here asserts a time; the table is for a person.

#![expect(clippy::print_stdout, reason = "a benchmark's result is what it prints")]

#[expect(dead_code, reason = "the tests use all of it")]
#[path = "../tests/fixture/looks.rs"]
mod looks;

use crossterm::event::{Event, KeyCode, KeyEvent};
use pinwatch::drift::Severity;
use pinwatch::monitor::ServerLook;
use pinwatch::surface::Kind;
use pinwatch::tui::{Model, Msg, update, view};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::json;
use std::time::{Duration, Instant};

const SERVERS: usize = 500;
const TOOLS: usize = 100;
const ROUNDS: usize = 60;
const SIZE: (u16, u16) = (160, 50);

/// A server of so many tools of about 2 kB, three of them drifted.
fn look(number: usize) -> ServerLook {
    let mut build = looks::Build::default();
    let tool = |at: usize, word: &str| {
        let text = format!("{word} {}", "It looks the record up and returns it. ".repeat(50));
        let schema = json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]});
        let name = format!("tool_{at:03}");
        looks::item(Kind::Tool, &json!({"name": name, "description": text, "inputSchema": schema}))
    };
    for at in 0..TOOLS {
        if at < 3 {
            build.drifted(&tool(at, "Reads."), &tool(at, "Changes."), |drift| drift.severity = Severity::Moderate);
        } else {
            build.equal(&tool(at, "Reads."));
        }
    }
    build.look(&format!("server_{number:03}"), true)
}

fn frame(model: &Model) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, SIZE.0, SIZE.1));
    view(model, &mut buffer);
    std::hint::black_box(buffer);
}

/// Time of a message until its frame stands in the buffer.
fn answer(model: &mut Model, msg: Msg) -> Duration {
    let start = Instant::now();
    update(model, msg);
    frame(model);
    update(model, Msg::Drawn);
    start.elapsed()
}

fn report(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)].as_secs_f64() * 1000.0;
    println!("{name:40} median {:7.3} ms   99th {:7.3} ms   budget 16 ms", at(50), at(99));
}

fn main() {
    let servers: Vec<_> = (0..SERVERS).map(look).collect();
    let again = servers[0].clone();
    let mut model = pinwatch::tui::start(looks::setup("ansi", servers), SIZE);
    for event in looks::events() {
        update(&mut model, Msg::Happened(event));
    }
    let mut keys = Vec::new();
    for _ in 0..ROUNDS {
        for code in [
            KeyCode::Char('2'),
            KeyCode::Char('j'),
            KeyCode::Char('j'),
            KeyCode::PageDown,
            KeyCode::Char('N'),
            KeyCode::Enter,
            KeyCode::PageDown,
            KeyCode::Char('q'),
            KeyCode::Char(']'),
            KeyCode::Char('o'),
            KeyCode::Tab,
            KeyCode::Char('1'),
        ] {
            keys.push(answer(&mut model, Msg::Terminal(Event::Key(KeyEvent::from(code)))));
        }
    }
    report("key to frame, 500 servers x 100 tools", keys);
    let news = (0..ROUNDS).map(|_| answer(&mut model, Msg::Server(Box::new(again.clone())))).collect();
    report("a server's news to frame", news);
}
