//! Home: what needs the person, worst first, and where the selection goes.

use super::driver::Ui;
use super::looks;
use pinwatch::drift::ANCHOR_NOT_CHECKED;
use pinwatch::interop::mcptrust::{Mode, NO_BASELINE, Ruled, Verdict, Verdicts};
use pinwatch::monitor::{Happening, HappeningKind, ServerLook};
use pinwatch::otlp::Standing;
use pinwatch::surface::Reason;
use pinwatch::tui::{Msg, Screen};
use std::sync::Arc;

/// The rows between the title of home and the next one.
fn rows(ui: &Ui) -> Vec<String> {
    let screen = ui.screen();
    let rows = screen.lines().skip(2).take_while(|line| !line.starts_with('─'));
    rows.map(str::to_owned).collect()
}

#[test]
fn home_shows_drift_diff_digest_and_approval() {
    let ui = Ui::home(looks::all(), (120, 36));
    assert_eq!(ui.model.screen(), Screen::Home);
    // Headline, definition digest approved and now, who approved it and when.
    insta::assert_snapshot!(rows(&ui).join("\n"), @r"
    ▸▲ create_issue    github Tells the model to read ~/.ssh/id_rsa and to hid… 8e81cbe0 → f29d1d82 approved 11-02 by ana
     ▲ notes           7 new, 1 to look at first: Tells the model to send a copy to https://collect.example
     ◆ fork_repository github Renamed from fork                                 182b1fdd → 453f0d65 approved 11-02 by ana
     ◆ run_query       search New tool                                          new → 956c40ba      never
     ◇ merge_pr        github Description changed only in white space, case or… 9b216fad → 0e7c2d3a approved 11-02 by ana
     ◇ star            github No longer served                                  6dae3535 → gone     approved 11-02 by ana
     ? deploy          Not started yet; would run npx -y @example/server-deploy@1.2.0 --region eu west
    ");
    // And the diff itself, below.
    assert!(ui.screen().contains("Before calling this"), "{}", ui.screen());
    insta::assert_snapshot!(ui.bottom(), @"enter read  a approve  r reject  s skip  N next  / filter  tab servers  d digests  i details  e events  ? help  q quit");
}

#[test]
fn at_80x24_list_and_diff_are_both_visible() {
    let ui = Ui::home(looks::all(), (80, 24));
    insta::assert_snapshot!(rows(&ui).join("\n"), @r"
    ▸▲ create_issue    github Tells the model to read ~/.ss… f29d1d82 approved 11-02
     ▲ notes           7 new, 1 to look at first: Tells the model to send a copy to…
     ◆ fork_repository github Renamed from fork              453f0d65 approved 11-02
     ◆ run_query       search New tool                       956c40ba never
     ◇ merge_pr        github Description changed only in w… 0e7c2d3a approved 11-02
     ◇ star            github No longer served               gone     approved 11-02
     ? deploy          Not started yet; would run npx -y @example/server-deploy@1.2…
    ");
    assert!(ui.screen().contains("description"), "{}", ui.screen());
}

#[test]
fn the_worst_is_selected_until_the_person_moves() {
    let mut ui = Ui::home(vec![looks::deploy(), looks::search()], (120, 36));
    assert_eq!(ui.selected(), "run_query");
    ui.look(looks::github());
    assert_eq!(ui.selected(), "create_issue", "something worse came");
    let mut ui = Ui::home(vec![looks::deploy(), looks::search()], (120, 36));
    ui.press("down").look(looks::github());
    assert_ne!(ui.selected(), "create_issue", "the person is elsewhere");
    ui.press("home");
    assert_eq!(ui.selected(), "create_issue");
}

#[test]
fn a_list_scrolls_only_when_the_selection_leaves_it() {
    let mut ui = Ui::home(looks::all(), (80, 24));
    ui.press("open, next-undecided, quit");
    assert!(rows(&ui)[0].contains("create_issue"), "the worst stays in view: {}", ui.screen());
    // Where there is less room than rows, those outside are counted.
    let mut ui = Ui::home(looks::all(), (80, 16));
    let shown = rows(&ui).len();
    assert!(shown < 7, "{}", ui.screen());
    assert!(ui.screen().contains(&format!("{} more ↓", 7 - shown)), "{}", ui.screen());
    ui.press("bottom");
    assert!(ui.screen().contains(&format!("{} more ↑", 7 - shown)), "{}", ui.screen());
    ui.press(&format!("up {}", shown - 1));
    assert!(ui.screen().contains(&format!("{} more ↑", 7 - shown)), "the top row is still in view: {}", ui.screen());
    ui.press("up");
    assert!(ui.screen().contains(&format!("{} more ↑", 6 - shown)), "{}", ui.screen());
}

#[test]
fn a_filtered_home_counts_what_is_left_over_all() {
    let mut ui = Ui::home(looks::all(), (120, 36));
    ui.press("filter 'search'");
    assert!(ui.screen().contains("Needs you  1 of 7"), "{}", ui.screen());
    assert!(ui.screen().contains("1 of 7 "), "{}", ui.screen());
    ui.press("back");
    assert!(ui.screen().contains("Needs you  7 ─"), "{}", ui.screen());
}

#[test]
fn a_group_row_can_be_approved_and_rejected() {
    let mut ui = Ui::home(vec![looks::sdk_bump(None)], (120, 36));
    assert!(rows(&ui)[0].contains("6 tools"), "{}", ui.screen());
    assert!(ui.bottom().contains("a approve  r reject  s skip"), "{}", ui.bottom());
    ui.press("open");
    assert!(ui.bottom().contains("a approve  r reject  s skip"), "{}", ui.bottom());
}

#[test]
fn a_key_of_another_screen_says_which() {
    let mut ui = Ui::home(looks::all(), (120, 36));
    ui.press("key 'o'");
    insta::assert_snapshot!(ui.bottom(), @"o is a key of servers: sort the items by the next column   enter read  a approve  r reject  s skip  ? help  q quit");
    for (action, screen) in [("events", Screen::Events), ("details", Screen::Details), ("snapshots", Screen::Versions)]
    {
        let mut ui = Ui::home(looks::all(), (120, 36));
        ui.press(action);
        assert_eq!(ui.model.screen(), screen, "{action}");
        ui.press("quit");
        assert_eq!(ui.model.screen(), Screen::Home, "{action}");
    }
}

#[test]
fn nothing_is_called_fine_that_was_not_compared() {
    let calm = Ui::home(vec![looks::calm()], (120, 36));
    assert!(calm.screen().contains("Nothing needs you."), "{}", calm.screen());
    let mut ui = Ui::home(vec![looks::calm(), looks::waiting("billing")], (120, 36));
    assert!(!ui.screen().contains("Nothing needs you."), "{}", ui.screen());
    insta::assert_snapshot!(rows(&ui)[0], @" Nothing to decide so far; 1 server starting. 2 items are as approved; looked at <1m ago");
    ui.msg(Msg::Removed("billing".into()));
    assert!(ui.screen().contains("Nothing needs you."), "{}", ui.screen());
    let mut in_part = looks::calm();
    let mut review = in_part.review.as_deref().expect("a review").clone();
    review.unchecked = Some(Reason::new(ANCHOR_NOT_CHECKED, "anchor not checked"));
    in_part.review = Some(Arc::new(review));
    let mut refused = looks::calm();
    Arc::make_mut(refused.review.as_mut().expect("a review")).counts.rejected = 1;
    let ui = Ui::home(vec![refused], (120, 36));
    insta::assert_snapshot!(rows(&ui)[0], @" Nothing to decide so far; 1 server with items that you rejected. 2 items are as approved; looked at <1m ago");
    let ui = Ui::home(vec![in_part], (120, 36));
    insta::assert_snapshot!(rows(&ui)[0], @" Nothing to decide so far; 1 server compared only in part. 2 items are as approved; looked at <1m ago");
}

#[test]
fn each_launch_is_shown_before_it_is_agreed_to() {
    let ui = Ui::home(vec![looks::deploy()], (80, 24));
    let first = rows(&ui).remove(0);
    assert!(first.contains("▸? deploy") && first.contains("npx"), "{first}");
    for part in ["runs     npx", "sets     DEPLOY_TOKEN", "named in"] {
        assert!(ui.screen().contains(part), "{part}: {}", ui.screen());
    }
}

/// A server of which one rule came to this.
fn judged(look: ServerLook, outcome: Ruled) -> ServerLook {
    let rule = |rule: &str, mode, ruled| {
        let message = "a tool that writes".to_owned();
        Verdict { rule: rule.to_owned(), mode, ruled, message, waived: None }
    };
    let rules = vec![
        rule("no-writes\u{200B}", Mode::Fail, outcome),
        rule("calm", Mode::Warn, Ruled::Failed),
        rule("pinned", Mode::Fail, Ruled::Passed),
    ];
    ServerLook { verdicts: Some(Arc::new(Verdicts { digest: "sha256:00".to_owned(), rules })), ..look }
}

/// A rule that fails stands beside the first record of its server, and is none of it.
#[test]
fn failed_rule_is_a_row_at_first_contact() {
    let mut ui = Ui::home(vec![judged(looks::notes(), Ruled::Failed)], (80, 24));
    let all = rows(&ui);
    assert!(all.len() == 2 && all[0].contains("▸▲ notes 7 new, 1 to look at first: Tells"), "{all:#?}");
    assert!(all[1].contains("! notes POLICY  no-writes<U+200B>: a tool that writes"), "{all:#?}");
    ui.press("down, approve");
    assert!(ui.model.dialog.is_none() && ui.screen().contains("a rule is nothing to approve"), "{}", ui.screen());
    // The other row stays selected where this one goes.
    ui.look(judged(looks::notes(), Ruled::Passed));
    assert_eq!(rows(&ui).len(), 1);
    ui.look(judged(looks::notes(), Ruled::Failed)).press("top, approve");
    assert!(ui.model.dialog.is_some(), "the first record: {}", ui.screen());
    // What only a first record would tell needs no row beside it.
    let ui = Ui::home(vec![judged(looks::notes(), Ruled::NotVisible(NO_BASELINE.to_owned()))], (80, 24));
    assert_eq!(rows(&ui).len(), 1, "{}", ui.screen());
}

#[test]
fn failed_rule_is_a_row_with_nothing_to_approve() {
    let told = |ruled| judged(looks::search(), ruled);
    let mut ui = Ui::home(vec![told(Ruled::Failed)], (120, 36));
    let all = rows(&ui);
    let row = all.last().expect("a row");
    assert!(row.contains("search") && row.contains("POLICY  no-writes"), "{all:#?}");
    assert!(row.contains("<U+200B>") && row.contains("a tool that writes"), "{row}");
    ui.press("bottom");
    assert!(!ui.bottom().contains("approve"), "{}", ui.bottom());
    ui.press("approve");
    assert!(ui.model.dialog.is_none() && ui.screen().contains("a rule is nothing to approve"), "{}", ui.screen());
    ui.press("open, bottom");
    let details = ui.screen();
    for line in ["fail   no-writes", "warn   calm: a tool that writes", "pass   pinned", "judged on    sha256:00"] {
        assert!(details.contains(line), "{line}: {details}");
    }
    ui.press("quit");
    ui.look(told(Ruled::Passed));
    assert_eq!(rows(&ui).len(), all.len() - 1, "what passes needs nobody: {}", ui.screen());
}

#[test]
fn a_collector_that_is_down_is_one_notice() {
    let mut ui = Ui::home(looks::all(), (120, 36));
    let is_told = |ui: &Ui| ui.screen().contains("the collector is not told: cannot connect");
    let standing = |fault: Option<&str>, lost| Some(Standing { fault: fault.map(str::to_owned), lost });
    ui.msg(Msg::Collector(standing(None, 0)));
    let before = ui.screen();
    ui.msg(Msg::Collector(standing(Some("cannot connect"), 0)));
    assert!(is_told(&ui), "{}", ui.screen());
    ui.press("down, up");
    assert_eq!(ui.screen(), before, "and nothing else");
    ui.msg(Msg::Collector(standing(Some("timed out"), 3)));
    assert_eq!(ui.screen(), before, "another reason of the same absence is not told again");
    ui.press("events");
    assert!(ui.screen().contains("collector: timed out  3 events lost"), "{}", ui.screen());
    ui.msg(Msg::Collector(standing(None, 3)));
    assert!(ui.screen().contains("collector ✓  3 events lost"), "{}", ui.screen());
    ui.msg(Msg::Collector(None));
    assert!(!ui.screen().contains("collector"), "{}", ui.screen());
}

#[test]
fn first_contact_is_as_bad_as_the_worst_of_it() {
    let mut ui = Ui::home(vec![looks::search(), looks::notes()], (100, 30));
    assert!(ui.screen().contains("1 critical"), "{}", ui.screen());
    assert!(ui.effects.is_empty() && ui.model.server.as_deref() == Some("notes"), "{}", ui.screen());
    let screen = ui.screen();
    let preview: Vec<_> = screen.lines().skip(2).take(21).collect();
    insta::assert_snapshot!(preview.join("\n"), @r"
    ▸▲ notes     7 new, 1 to look at first: Tells the model to send a copy to https://collect.example
     ◆ run_query search New tool                                      new → 956c40ba      never
    ─ notes ────────────────────────────────────────────────────────────────────────────────── 1 of 2 ──
     1 item not recorded: decide on each afterwards
       ▲ share_note  Tells the model to send a copy to https://collect.example

     Records 6 items as the baseline; later changes to them are shown. This says what you saw, not that
     it is safe.

     4 tools
       add_note                add note.
       delete_note             delete note.
       list_notes              list notes.
       tag_note                tag note.

     1 resource
       note://today

     + server info

     B asks whether to record them  3 reads them one by one
    ");
    ui.press("pane-servers");
    assert!(ui.screen().contains("NEW 7 ▲"), "{}", ui.screen());
    // Few rows say how many are left out.
    let ui = Ui::home(vec![looks::notes()], (80, 12));
    assert!(ui.screen().contains("more lines"), "{}", ui.screen());
}

#[test]
fn hints_of_a_server_row_say_what_the_keys_do_to_it() {
    let hints = |look| Ui::home(vec![look], (120, 36)).bottom();
    insta::assert_snapshot!(hints(looks::deploy()), @"enter start…  N next  / filter  tab servers  space mark  i details  e events  b snapshots  ? help  q quit");
    let mut marked = Ui::home(vec![looks::deploy()], (120, 36));
    insta::assert_snapshot!(marked.press("mark").bottom(), @"enter start…  A start marked  N next  / filter  tab servers  space mark  i details  e events  ? help  q quit");
    insta::assert_snapshot!(hints(looks::asking()), @"enter answer  N next  / filter  tab servers  i details  e events  b snapshots  ? help  q quit");
    insta::assert_snapshot!(hints(looks::notes()), @"enter record  B record baseline  N next  / filter  tab servers  i details  e events  b snapshots  ? help  q quit");
    insta::assert_snapshot!(hints(looks::retired()), @"enter accept  r leave open  N next  / filter  tab servers  i details  e events  b snapshots  ? help  q quit");
    insta::assert_snapshot!(hints(looks::calm()), @"enter items  / filter  tab servers  i details  ? help  q quit");
}

/// No key of a row that stands for a server acts on an item that is not shown.
#[test]
fn keys_of_an_item_do_nothing_to_a_server_row() {
    for look in [looks::notes(), looks::deploy(), looks::retired()] {
        for action in ["digests", "history", "copy", "read-outside"] {
            let mut ui = Ui::home(vec![look.clone()], (120, 36));
            ui.press(action);
            assert!(ui.model.dialog.is_none() && ui.model.screen() == Screen::Home, "{action}: {}", ui.screen());
            assert!(ui.asked().is_empty() && ui.bottom().contains("server as a whole"), "{action}: {}", ui.bottom());
        }
    }
}

/// Where the servers are what is listed, the filter is theirs; and no letter of it acts on what comes meanwhile.
#[test]
fn calm_home_filters_the_servers_it_lists() {
    let named = |id: &str| ServerLook { id: id.into(), ..looks::calm() };
    let mut ui = Ui::home(vec![named("files"), named("mail"), named("notes")], (100, 24));
    ui.press("filter, type 'ma'");
    assert!(ui.screen().contains("mail") && !ui.screen().contains("notes"), "{}", ui.screen());
    assert_eq!(ui.model.server.as_deref(), Some("mail"), "{}", ui.screen());
    ui.look(looks::deploy()).press("type 'i'");
    assert!(ui.model.dialog.is_none() && ui.bottom().contains("/mai"), "{}", ui.screen());
    ui.press("key 'esc', home").look(named("deploy"));
    assert!(ui.screen().contains("files") && ui.screen().contains("notes"), "{}", ui.screen());
    // Nor does one act that is typed when the last row goes.
    let mut ui = Ui::home(vec![looks::calm(), looks::deploy()], (100, 24));
    ui.press("filter, type 'de'").look(named("deploy")).press("type 'q'");
    assert!(!ui.model.quit && ui.bottom().contains("/deq"), "{}", ui.screen());
}

#[test]
fn calm_home_lists_servers_once_in_whole_words() {
    let ui = Ui::home(vec![looks::calm(), looks::waiting("billing"), looks::billing()], (160, 24));
    let screen = ui.screen();
    assert_eq!(screen.matches("─ Servers").count(), 1, "{screen}");
    assert_eq!(screen.matches("billing").count(), 3, "two rows, and why one fails: {screen}");
    let ui = Ui::home(vec![looks::calm(), looks::waiting("slow"), looks::billing()], (80, 24));
    insta::assert_snapshot!(rows(&ui).join("\n"), @r"
    Nothing to decide so far; 1 server starting, 1 server not compared now. 2 items
    are as approved; looked at 4m ago
    ");
}

#[test]
fn server_that_waits_for_an_answer_has_not_failed() {
    let mut ui = Ui::home(vec![looks::asking(), looks::calm()], (120, 24));
    ui.press("pane-servers");
    for word in ["stale", "FAILED"] {
        assert!(!ui.screen().contains(word), "{word}: {}", ui.screen());
    }
    let never = ServerLook { last_good: None, review: None, surface: None, ..looks::billing() };
    let ui = Ui::home(vec![looks::billing(), never], (120, 24));
    assert!(ui.screen().contains("  1 FAILED  1 stale  "), "{}", ui.screen());
}

#[test]
fn last_lines_of_standard_error_are_whole() {
    let tail: Vec<_> =
        ["first", "second", "third", "last"].map(|word| format!("{word} {}end", "word ".repeat(40))).into();
    let never = ServerLook { last_good: None, review: None, surface: None, stderr_tail: tail, ..looks::billing() };
    let shown = |height| {
        let mut ui = Ui::home(vec![never.clone()], (80, height));
        ui.press("pane-items");
        let screen = ui.screen();
        [" second word", " third word", " last word", "end\n"].map(|part| screen.matches(part).count())
    };
    assert_eq!(shown(30), [1, 1, 1, 3]);
    assert_eq!(shown(12), [0, 1, 1, 2]);
}

#[test]
fn agreeing_to_several_servers_is_said_of_all() {
    let mut ui = Ui::home(vec![looks::deploy(), looks::calm()], (120, 24));
    let agreed = |ui: &mut Ui, server: &str| {
        ui.msg(Msg::Happened(Happening::of_server(&server.into(), HappeningKind::Consented, "", "")));
    };
    agreed(&mut ui, "deploy");
    assert!(ui.bottom().contains("Agreed; starting deploy"), "{}", ui.bottom());
    agreed(&mut ui, "calm");
    assert!(ui.bottom().contains("Agreed; starting 2 servers"), "{}", ui.bottom());
}

#[test]
fn a_mark_leaves_the_severity_in_the_row() {
    for keys in ["mark", "skip"] {
        let mut ui = Ui::home(vec![looks::github()], (120, 36));
        ui.press(keys);
        let rows = rows(&ui);
        let row = rows.iter().find(|row| row.contains("create_issue")).expect("its row");
        assert!(row.contains('▲'), "{keys}: {row}");
    }
}

#[test]
fn every_failure_is_named_or_counted() {
    let failing = |id: &str| ServerLook { id: id.into(), ..looks::billing() };
    let mut servers: Vec<_> = ["one", "two", "three", "four", "five", "six"].map(failing).into();
    servers.push(looks::github());
    for (size, more) in [((80, 24), "5 more"), ((200, 24), "more")] {
        let ui = Ui::home(servers.clone(), size);
        let screen = ui.screen();
        let foot = screen.lines().rev().nth(1).expect("the line above the hints");
        let named = ["one", "two", "three", "four", "five", "six"]
            .iter()
            .filter(|id| foot.contains(&format!("! {id} ")))
            .count();
        assert!(named > 0 && foot.contains(&format!("{} more", 6 - named)) && foot.contains(more), "{foot}");
    }
}

#[test]
fn a_refused_baseline_says_the_way_out() {
    let mut look = looks::notes();
    look.baseline = pinwatch::decisions::BaselineState::Refused("line 3: of a newer version".to_owned());
    look.review = None;
    let screen = Ui::home(vec![look], (80, 24)).screen();
    assert!(screen.contains("1 REFUSED") && screen.contains("record again"), "{screen}");
}

#[test]
fn after_an_answer_the_next_row_is_selected() {
    let waiting = |id: &str| ServerLook { id: id.into(), ..looks::deploy() };
    let mut refused = looks::notes();
    refused.baseline = pinwatch::decisions::BaselineState::Refused("no such kind".to_owned());
    refused.review = None;
    let mut ui = Ui::home(vec![refused, waiting("first"), waiting("second")], (120, 36));
    ui.press("down, open, bottom, confirm");
    ui.look(ServerLook { phase: pinwatch::monitor::Phase::Starting, ..waiting("first") });
    assert_eq!(ui.model.server.as_deref(), Some("second"), "{}", ui.screen());
}
