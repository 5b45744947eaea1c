//! Long lists of similar objects in any host.

/// A kind of file that consists of one list of agents.
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

/// The lines of an item.
const ITEM: usize = 4;

impl Host {
    /// A file of about `lines` lines.
    pub fn source(&self, lines: usize) -> String {
        let items = self.item.repeat(lines / ITEM);
        [self.open, &items, self.close].concat()
    }

    /// The first line of the middle item of that file, from 0, and the column of its prompt's text.
    pub fn middle(&self, lines: usize) -> (usize, usize) {
        let line = self.open.lines().count() + lines / ITEM / 2 * ITEM;
        let prompt = self.item.lines().find_map(|line| line.find("Find"));
        (line, prompt.expect("a prompt"))
    }

    /// The line of the prompt in an item, from 0.
    pub fn prompt_line(&self) -> usize {
        let is_prompt = |line: &str| line.contains("Find");
        self.item.lines().position(is_prompt).expect("a prompt")
    }
}
