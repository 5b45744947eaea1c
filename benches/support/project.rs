//! An Elixir project of any number of modules.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A project in a temporary folder, which is deleted with it.
pub struct Project(PathBuf);

impl Project {
    /// Writes a project of `count` modules.
    pub fn new(modules: usize) -> Self {
        let root =
            std::env::temp_dir().join(format!("signature-ls-project-{}", std::process::id()));
        fs::create_dir_all(root.join("lib")).expect("a folder");
        fs::write(root.join("mix.exs"), "[]").expect("a project");
        for module in 0..modules {
            fs::write(root.join(format!("lib/part{module}.ex")), part(module)).expect("a module");
        }
        Self(root)
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        Path::new(&self.0).join(name)
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A module with a documented function that has a spec.
fn part(module: usize) -> String {
    let functions = (0..10).map(|function| {
        format!(
            "  @doc \"Gets {function}.\"\n  @spec get_{function}(integer(), String.t()) :: %{{id: integer()}}\n  \
             def get_{function}(id, name), do: {{id, name}}\n\n"
        )
    });
    let functions: String = functions.collect();
    format!("defmodule Shop.Part{module} do\n{functions}end\n")
}

/// A module whose agents have functions of other modules as tools, and a function of their own.
pub fn agents(file: usize) -> String {
    let agents = (0..20).map(|agent| {
        let part = file * 20 + agent;
        format!(
            "  def agent_{agent} do\n    SubAgent.new(\n      prompt: \"Find {{{{name}}}}.\",\n      \
             signature: \"(name :string) -> {{id :int}}\",\n      \
             tools: %{{\"get\" => &Shop.Part{part}.get_1/2, \"own\" => &own/1}}\n    )\n  end\n\n"
        )
    });
    let agents: String = agents.collect();
    format!(
        "defmodule Shop.Agents{file} do\n  @doc \"Answers questions.\"\n  @spec own(integer()) :: integer()\n  \
         def own(id), do: id\n\n{agents}end\n"
    )
}
