//! Elixir files of any length.

use std::fmt::Write;

/// The lines of a function; each function has one signature.
const FUNCTION: usize = 12;
/// The functions of a module.
const FUNCTIONS: usize = 15;

/// A file of `lines` lines: modules of functions, with a prompt and a signature every twelve lines.
pub fn source(lines: usize) -> String {
    let mut source = String::new();
    let mut written = 0;
    let mut module = 0;
    let module_lines = FUNCTIONS * FUNCTION + 4;
    while written + module_lines <= lines {
        write_module(&mut source, module);
        written += module_lines;
        module += 1;
    }
    for line in written..lines {
        let _ = writeln!(source, "# the rest, line {line}");
    }
    assert_eq!(source.lines().count(), lines);
    source
}

fn write_module(source: &mut String, module: usize) {
    let _ = writeln!(source, "defmodule Shop.Agents.Part{module} do");
    let _ = writeln!(source, "  @moduledoc \"Agents of part {module}\"");
    let _ = writeln!(source, "  alias PtcRunner.SubAgent");
    for function in 0..FUNCTIONS {
        write_function(source, module, function);
    }
    let _ = writeln!(source, "end");
}

fn write_function(source: &mut String, module: usize, function: usize) {
    let _ = write!(
        source,
        r##"
  @doc "Answers question {function} of part {module}."
  def answer_{function}(%{{user: user, orders: [first | _] = orders}} = context, limit \\ {limit}) when limit > 0 do
    key = {{:answer, context[:tenant], "part-#{{user.name}}-{module}"}}
    total = Enum.reduce(orders, 0, fn %{{price: price}}, sum -> sum + price * 1.19 end)

    SubAgent.run("Greet {{{{user.name}}}}, who has {{{{count}}}} orders. 😀",
      signature: "(user {{name :string, mail :string?}}, count :int) -> {{greeting :string, tags [:keyword]}}",
      context: %{{user: user, count: length([first | orders]) + total}}, trace: key
    )
    |> Result.unwrap!()
  end
"##,
        limit = function + 10,
    );
}
