defmodule MyApp.Agents do
  @moduledoc "The signature: \"(a :int)\" in a string is no site."

  # signature: "(in a :comment) -> :int"
  @signature "(user {name :string}) -> :int"

  def triage(llm) do
    agent =
      SubAgent.new(
        prompt: "Classify {{ticket}}",
        signature: "(ticket :string) -> {kind :keyword}",
        description: "Sorts tickets.",
        output: :text,
        tools: %{
          "search" => {&MyApp.search/2, "(query :string) -> [:map]"},
          "get_user" =>
            {&MyApp.get_user/1, signature: "(id :int) -> :map", description: "Finds a user."},
          "told" => {&MyApp.told/1, description: "Only a description."},
          lookup: {fn args -> args end, "(key :string) -> :any"},
          dynamic: {&MyApp.dynamic/1, :skip},
          plain: &MyApp.plain/1,
          judge: LLMTool.new(prompt: "Is {{x}} urgent?", signature: "(x :string) -> :bool")
        }
      )

    SubAgent.run(agent, llm: llm, signature: nil)
  end

  def positional(llm) do
    SubAgent.run("Find {{user}}", signature: "(user :string) -> :int", llm: llm)
    PtcRunner.SubAgent.new "Count", signature: "() -> :int"
    {:ok, step} = SubAgent.run(~s|Say "hi" to #{name()}|, context: %{a: 1}, llm: llm)
    "Piped {{a}}" |> SubAgent.run(signature: "(a :int) -> :int")
    step = "Also piped" |> PtcRunner.SubAgent.run!
    SubAgent.run(("In parentheses"), llm: llm)
    SubAgent.run("not " <> "one", llm: llm)
    SubAgent.run(prompt, llm: llm)
    Other.run("no site")
  end

  def parse do
    {:ok, signature} = Signature.parse("(a :int) -> :int")
    PtcRunner.SubAgent.Signature.parse!(~S"() -> {a :string}")
    "[:int]" |> Signature.parse()
    Jason.parse("{}")
  end

  def maps(value) do
    %{:signature => "(a :int) -> :int", "prompt" => "no site", "signature": ":int"}
    %{value | prompt: "updated {{x}}"}
    %Agent{signature: ":string", prompt: 'a charlist', max_turns: 1}
    [prompt: "in a list", signature: "(a :int) -> :int"] ++ [prompt: "in {{another}}"]
    [signature: "a" <> "b", prompt: String.trim("x")]
    [signature: value, prompt: nil, signature: ~r/x/, prompt: ~w(a b)]
  end

  use MyApp.Agent, prompt: "Used {{x}}", signature: "(x :int) -> :int"
  defstruct prompt: "default {{x}}", signature: nil
  def one(line), do: Lisp.run(line, signature: "(a :int) -> :int")
end
