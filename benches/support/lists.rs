//! Long lists of like objects in any host, as the benchmarks need them.

/// A kind of file that is one list of agents.
pub struct Host {
    pub name: &'static str,
    pub uri: &'static str,
    open: &'static str,
    item: &'static str,
    close: &'static str,
}

pub const HOSTS: [Host; 4] = [
    Host {
        name: "JSON",
        uri: "file:///project/agents.json",
        open: "[\n",
        item: "  {\n    \"prompt\": \"Find {{id}}\",\n    \"signature\": \"(id :int) -> :map\"\n  },\n",
        close: "  {}\n]\n",
    },
    Host {
        name: "EDN",
        uri: "file:///project/agents.edn",
        open: "[\n",
        item: "  {\n    :prompt \"Find {{id}}\"\n    :signature \"(id :int) -> :map\"\n  }\n",
        close: "]\n",
    },
    Host {
        name: "Elixir list",
        uri: "file:///project/agents.exs",
        open: "[\n",
        item: "  %{\n    prompt: \"Find {{id}}\",\n    signature: \"(id :int) -> :map\"\n  },\n",
        close: "  %{}\n]\n",
    },
    Host {
        name: "YAML",
        uri: "file:///project/agents.yaml",
        open: "",
        item: "-\n  # an agent\n  prompt: Find {{id}}\n  signature: '(id :int) -> :map'\n",
        close: "",
    },
];

/// How many lines an item has.
const ITEM: usize = 4;

impl Host {
    /// A file of about `lines` lines.
    pub fn source(&self, lines: usize) -> String {
        let items = self.item.repeat(lines / ITEM);
        [self.open, &items, self.close].concat()
    }

    /// The first line, from 0, of the middlemost item of that file, and the column of its prompt's text.
    pub fn middle(&self, lines: usize) -> (usize, usize) {
        let line = self.open.lines().count() + lines / ITEM / 2 * ITEM;
        let prompt = self.item.lines().find_map(|line| line.find("Find"));
        (line, prompt.expect("a prompt"))
    }

    /// Which line of an item, from 0, has its prompt.
    pub fn prompt_line(&self) -> usize {
        let is_prompt = |line: &str| line.contains("Find");
        self.item.lines().position(is_prompt).expect("a prompt")
    }
}
