a = fn x -> SubAgent.run "one", signature: ":int" end
if ready?, do: run(signature: "(a :int) -> :int"), else: run(prompt: "{{else}}")

run prompt: "two",
    signature: "(b :int) -> :int",
    other: fn -> run(prompt: "{{inside}}") end

case x do
  :a -> SubAgent.run "three"
  :b -> SubAgent.run "four", signature: "(c :int) -> :int"; run signature: "{five :int}"
end

test "named", signature: "{six :int}" do
  assert %{signature: "{seven :int}"} = run(prompt: "eight {{x}}")
end

x
|> run(signature: "{nine :int}")
|> run(

  prompt: "{{ten}}",

  # A comment between.

  signature: "{eleven :int}"
)

def f(a, b \\ [prompt: "{{twelve}}"]) when a == "x", do: b
@spec run(prompt: String.t(), signature: String.t()) :: :ok
