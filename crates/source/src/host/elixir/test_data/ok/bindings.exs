sig = "(script :int) -> :int"
SubAgent.run("At the top {{script}}", signature: sig)

defmodule MyApp.Bound do
  @prompt """
  From an attribute {{a}}
  """
  @sig "(a :int) -> :int"
  @computed String.trim(" x ")

  def attributes do
    SubAgent.new(prompt: @prompt, signature: @sig, description: @computed)
    SubAgent.run(@prompt, signature: @sig)
    @prompt |> SubAgent.run(signature: @computed)
  end

  @sig "(b :int) -> :int"
  agent :later, signature: @sig, prompt: "Rebound {{b}}"

  def variables(llm) do
    sig = "(v :int) -> :int"
    prompt = ~T"Sigil {{v}}"

    if llm do
      sig = "(inner :int) -> :int"
      SubAgent.run("Inner {{inner}}", signature: sig)
    end

    {:ok, step} = SubAgent.run(prompt, signature: sig, llm: llm)
    tools = %{"t" => {&run/1, sig}, "u" => {&run/1, signature: sig, description: "d"}}
    LLMTool.new(prompt: prompt, signature: sig, tools: tools)
    prompt |> SubAgent.run(signature: "(v :int) -> :any")
    Enum.map(step, fn v -> SubAgent.run(prompt, context: v, signature: "(v :int) -> :map") end)

    sig = build(sig)
    SubAgent.run("Built {{v}}", signature: sig)
  end

  def outside(sig), do: SubAgent.run("A parameter", signature: sig)

  def patterns(x) do
    sig = ":int"
    other = sig = ":float"
    run(signature: other)

    case x do
      {:a, sig} -> run(signature: sig)
      :b -> run(signature: sig)
      :c ->
        sig = ":map"
        run(signature: sig)
      :d -> run(signature: sig)
    end

    for sig <- x, do: run(signature: sig)
    with {:ok, sig} <- x do
      run(signature: sig)
    end
    fn sig -> run(signature: sig) end
    {sig, _} = x
    run(signature: sig)
    token = "ErUBCkYIAhgCIk"
    run(signature: token)
    Signature.parse(token)
    token |> Signature.parse()
    late = SubAgent.run("Late", signature: late)
    late = ":int"
    opts = [signature: "(o :int) -> :int", prompt: "In a list {{o}}"]
    SubAgent.new(opts)
    assert ~T"alone {{x}}" == ~T[12:00:00]
  end

  defmodule Inner do
    def f, do: SubAgent.run("Not inherited", signature: @sig)
  end
end
