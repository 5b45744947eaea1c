//! The call hierarchy over files.

use super::*;
use expect_test::expect;

#[test]
fn calls_between_agents_and_tools() {
    let agent = marked(AGENT, "fin$0der");
    let files = [
        ("mix.exs", "[]"),
        ("lib/agent.ex", agent.as_str()),
        ("lib/my_app.ex", MODULE),
        ("programs/a.clj", PROGRAM),
    ];
    let mut fixture = Fixture::new("calls", &files);
    let mut shown = String::new();
    let items = fixture.ask(|view, here, offset| view.call_items(here, offset));
    let view = fixture.view();
    let mut left = items;
    let mut seen = Vec::new();
    while let Some(item) = left.pop() {
        let place = fixture.located(&item.path, &item.text, item.selection);
        if seen.contains(&place) {
            continue;
        }
        shown.push_str(&format!("{:?} {} {place}\n", item.kind, item.name));
        seen.push(place);
        let start = item.selection.start();
        let outgoing = view.outgoing_calls(item.file, item.kind, start);
        let incoming = view.incoming_calls(item.file, item.kind, start);
        for (what, calls) in [("uses", outgoing), ("is used by", incoming)] {
            for call in calls {
                let user = if what == "uses" { &item } else { &call.item };
                let places = call.ranges.iter();
                let places = places.map(|it| fixture.located(&user.path, &user.text, *it));
                let places = places.collect::<Vec<_>>().join(", ");
                shown.push_str(&format!(
                    "  {what} {:?} {} at {places}\n",
                    call.item.kind, call.item.name
                ));
                left.push(call.item);
            }
        }
    }
    expect![[r#"
        Agent finder lib/agent.ex:3:25 finder
          uses Tool search at lib/agent.ex:4:8 search
          uses Tool stop at lib/agent.ex:5:8 stop
        Tool stop lib/agent.ex:5:8 stop
          uses Function stop at lib/agent.ex:5:24 stop
          is used by Agent finder at lib/agent.ex:5:8 stop
        Function stop lib/my_app.ex:3:7 stop
          is used by Tool stop at lib/agent.ex:5:8 stop
        Tool search lib/agent.ex:4:8 search
          uses Function search at lib/agent.ex:4:27 search
          is used by Agent finder at lib/agent.ex:4:8 search
          is used by Agent a at programs/a.clj:1:7 search
          is used by Agent a at programs/a.clj:2:7 search
        Agent a programs/a.clj:2:1 (tool/search {:order_id 2})
          uses Tool search at programs/a.clj:2:7 search
        Agent a programs/a.clj:1:1 (tool/search {:order-id 1})
          uses Tool search at programs/a.clj:1:7 search
        Function search lib/my_app.ex:4:7 search
          is used by Tool search at lib/agent.ex:4:8 search
    "#]]
    .assert_eq(&shown);
}
