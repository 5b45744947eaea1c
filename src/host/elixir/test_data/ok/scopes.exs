a = fn x -> SubAgent.run "one", signature: ":int" end
if ready?, do: run(signature: "(a :int) -> :int"), else: run(prompt: "else")

run prompt: "two",
    signature: "(b :int) -> :int",
    other: fn -> run(prompt: "inside") end

case x do
  :a -> SubAgent.run "three"
  :b -> SubAgent.run "four", signature: "(c :int) -> :int"; run signature: ":five"
end

test "named", signature: ":six" do
  assert %{signature: ":seven"} = run(prompt: "eight {{x}}")
end

x
|> run(signature: ":nine")
|> run(

  prompt: "ten",

  # A comment between.

  signature: ":eleven"
)

def f(a, b \\ [prompt: "twelve"]) when a == "x", do: b
@spec run(prompt: String.t(), signature: String.t()) :: :ok
