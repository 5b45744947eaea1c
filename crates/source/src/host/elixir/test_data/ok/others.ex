defmodule Other.Code do
  @moduledoc "Keys that other code uses for other things."

  @signature "sha256=2jmj7l5rSw0yVb"

  def keys do
    [signature: "ErUBCkYIAhgCIkCjvrY94GV6f"]
    %{signature: "map(enumerable, fun)", arguments: ["enumerable", "fun"]}
    call(signature: "(x, y)", prompt: value)
    select(form, :user, prompt: "Choose {{#if user}}another{{/if}}")
    render(prompt: "{{ name | upcase }}", text: "x")
    verify(signature: "")
    spec(signature: "(integer) -> integer")
    %Other.Tool{signature: "run(query :: String.t()) :: map()", description: "Nothing of ours."}
  end

  def ours(llm) do
    SubAgent.new(signature: "anything", prompt: "{{#if a}}")
    PtcRunner.Lisp.run("(+ 1 2)", signature: "no type")
    %PtcRunner.Tool{name: "x", signature: "x"}
    agent(signature: "category:string -> priority:integer", prompt: "Both {{a}}")
    {&run/1, signature: "broken"}
    PtcRunner.SubAgent.run agent, llm: llm, signature: "also broken"
    %{signature: "(id :int) -> anything"}
    call(signature: "(")
  end

  use PtcRunner.Agent, signature: "odd"
end
