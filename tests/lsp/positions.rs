//! Every host reports an error at exactly the right characters, in all position encodings.

use serde_json::Value;

use crate::editor::{ENCODINGS, Editor};

/// Documents of all hosts: name, and text with each error in `«»`.
#[rustfmt::skip]
const DOCUMENTS: &[(&str, &str)] = &[
    ("wide.ex", "# 😀𝒜é\nx = \"😀\"; SubAgent.run(\"字 👩‍🚀 {{«nme»}} {{name}}\", signature: \"(name :string, b «:strng») -> :int\")"),
    ("crlf.ex", "@note 'é'\r\n\r\nSubAgent.run(\r\n\t\"Hi\t{{name}}\",\r\n\tsignature: \"(name\t«:strng») -> :int\"\r\n)\r\n"),
    ("heredoc.exs", "f = fn ->\n  SubAgent.run(\"\"\"\n    Hi 😀 \\\"you\\\" {{name}}\n  \tand {{«nme»}}\n  \"\"\", signature: \"\"\"\n  (name :string) ->\n    {b «:strng»,\n     a «:bol»}\n  \"\"\")\nend\n"),
    ("crlf_heredoc.exs", "SubAgent.run(~S\"\"\"\r\n    \\ 😀 {{name}}\r\n    {{«nme»}}\r\n    \"\"\", signature: \"(name :string) -> :int\")\r\n"),
    ("escapes.ex", "SubAgent.run(\"\\\"\\u{1F600}\\\" #{\"}😀\"} {{«nme»}} {{name}}\", signature: ~s|(name :string,\\n b «:strng»?) -> :int|)"),
    ("sigils.ex", "Signature.parse(~S[(a «:strng») -> :int]); \"😀\"; Signature.parse(~s'''\n  (a :int)\n  -> «:strng»\n  ''')"),

    ("wide.clj", ";; 😀 \\\" \n[\\😀 \\\" \"𝒜\" #\"\\\"😀\"] {:signature \"(b «:strng») -> :int\" :prompt \"字 {{b}}{{«nme»}}\"}"),
    ("crlf.ptc", "(defn f\r\n\t\"Do 😀 \\\"it\\\"\"\r\n\t{:signature \"(a :int,\r\n\t\t\tb «:strng») -> :int\"}\r\n\t[a b] a)\r\n"),
    ("escapes.edn", "#_ {:signature \"(a :strng)\"} {:prompt \"a \\\"b\\\" 👩‍🚀\\n{{«nme»}} {{name}}\", :signature \"(name\\t«:strng») -> :int\"}"),
    ("calls.clj", "{:tools {\"search\" \"(query :string) -> :any\"}} ; 😀\n(str \"😀\" tool/«serach» (tool/search {:query «42»}))\n(str \"\\\"é\" (tool/«serach» {}))"),

    ("wide.json", "{\"😀\": \"𝒜\\\"\", \"signature\": \"(name «:strng») -> :int\", \"prompt\": \"😀 \\\"é\\\" {{name}} {{«nme»}}\"}"),
    ("escapes.json", "{\"signature\": \"(name :string,\\n\\tb «:strng»,\\r\\n c «:bol») -> :int\", \"prompt\": \"\\ud83d\\ude00 \\u00e9 \\\\ {{name}}{{b}}{{c}}{{«nme»}}\"}"),
    ("crlf.jsonc", "// 😀 \"\r\n{\r\n\t/* \" é */ \"tools\": {\r\n\t\t\"字\": \"(a\\t«:strng») -> :int\",\r\n\t},\r\n}\r\n"),

    ("plain.yaml", "😀: 𝒜 # é\nplain:\n  signature: (a «:strng»,\n    b «:bol») -> :int # 😀\n  prompt:\tHi 😀 {{a}}{{b}}\n    and {{«nme»}}\n"),
    ("quoted.yaml", "x: {signature: '(a «:strng») -> :int', prompt: 'it''s 😀 {{a}} {{«nme»}}'}\ny:\n  - signature: \"(a «:strng»,\\n b :int) ->\n      «:itn»\"\n    prompt: \"\\\"é\\\" \\U0001F600 {{a}}\\\n      {{b}} {{«nme»}}\"\n"),
    ("block.yaml", "a:\n  signature: |2-\n      (a «:strng»,\n     b :int) -> :int\n  prompt: >1+\n      😀 {{a}}\n   {{b}}\n\n     {{«nme»}}\n--- # 字\n- !t &x\n  signature: >-\n   (a :int) ->\n    «:itn»\n"),
    ("crlf.yml", "a:\r\n- signature: |\r\n    (a\t«:strng») -> :int\r\n\r\n  prompt: |1\r\n     é😀 {{a}}\r\n\r\n   {{«nme»}}\r\n"),

    ("quote.md", "- 字 list\n\n  > quote 😀\n  >\n  > ```sig\n  > (a «:strng»,\n  >  b :int)\n  >   -> «:itn»\n  > ```\n\n1. > ~~~~ yaml\n   > signature: |1\n   >   (a\n   >  «:strng»)\n   >  -> :int\n   > prompt: 😀 {{a}} {{«nme»}}\n   > ~~~~\n"),
    ("tabs.md", "-\titem 😀\n\n\t```elixir\n\tSubAgent.run(\"\"\"\n\t  é {{name}}\n\t  {{«nme»}}\n\t\"\"\", signature: \"(name «:strng») -> :int\")\n\t```\n"),
    ("crlf.livemd", "# 😀\r\n\r\n> - ```json\r\n>   {\"signature\": \"(a\\n «:strng») -> :int\"}\r\n>   ```\r\n\r\n~~~clj\r\n{:prompt \"\\\"😀\\\" {{a}}{{«b»}}\" :signature \"(a :int) -> :int\"}\r\n~~~\r\n"),

    ("body.prompt", "\u{feff}---\nmodel: 😀\nsignature: >\n  (a «:strng»,\n  b :int) -> :int\n---\n😀 {{a}} \"é\" {{b}}\n\t𝒜 {{«nme»}}\n"),
    ("crlf.prompt.md", "---\r\nsignature: \"(a :int,\\n b «:strng») -> :int\"\r\ntools:\r\n  字: '(x «:strng») -> :int'\r\n---\r\n> 😀 {{a}}\t{{b}} {{«nme»}}\r\n"),
    ("signed.md", "---\nsignature: (a :int) -> «:itn» # 😀\n---\n\n- 👩‍🚀 {{a}}\n  {{«nme»}}\n"),
];

/// The text without the marks, and the byte ranges between them.
fn unmarked(marked: &str) -> (String, Vec<(usize, usize)>) {
    let (mut text, mut ranges) = (String::new(), Vec::new());
    for (index, piece) in marked.split(['«', '»']).enumerate() {
        let start = text.len();
        text.push_str(piece);
        if index % 2 == 1 {
            ranges.push((start, text.len()));
        }
    }
    (text, ranges)
}

/// The ranges of the errors among `diagnostics`, in the order of the text.
fn errors(diagnostics: &[Value]) -> Vec<Value> {
    let errors = diagnostics.iter().filter(|it| it["severity"] == 1);
    let mut ranges: Vec<_> = errors.map(|it| it["range"].clone()).collect();
    ranges.sort_by_key(|it| {
        (
            it["start"]["line"].as_u64(),
            it["start"]["character"].as_u64(),
        )
    });
    ranges
}

#[test]
fn every_host_finds_a_fault_in_its_place() {
    for encoding in ENCODINGS {
        let mut editor = Editor::open(encoding, "");
        for (name, marked) in DOCUMENTS {
            let (text, ranges) = unmarked(marked);
            editor.open_another(name, "any", &text);
            let found = editor.diagnostics();
            let expected: Vec<_> = ranges
                .iter()
                .map(|&(start, end)| editor.range(start, end))
                .collect();
            assert_eq!(errors(&found), expected, "{name} in {encoding}: {found:#?}");
        }
    }
}

/// The ranges stay right when the text before and between them is typed.
#[test]
fn a_fault_keeps_its_place_while_text_before_it_grows() {
    for encoding in ENCODINGS {
        let mut editor = Editor::open(encoding, "");
        for (name, marked) in DOCUMENTS {
            let (text, ranges) = unmarked(marked);
            editor.open_another(name, "any", &text);
            for wide in ["😀", "é", "字", "𝒜"]
                .into_iter()
                .filter(|it| text.contains(it))
            {
                let longer = format!("{wide}👩‍🚀");
                let at = editor.text.find(wide).expect("it is there");
                editor.replace(wide, &longer);
                let shift = |place: usize| match at < place {
                    true => place + longer.len() - wide.len(),
                    false => place,
                };
                let expected: Vec<_> = ranges
                    .iter()
                    .map(|&(start, end)| editor.range(shift(start), shift(end)))
                    .collect();
                let found = editor.diagnostics();
                assert_eq!(errors(&found), expected, "{name} in {encoding}: {found:#?}");
                editor.replace(&longer, wide);
            }
        }
    }
}
