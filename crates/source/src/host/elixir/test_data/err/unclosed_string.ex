defmodule A do
  def f, do: run(prompt: "before", signature: ":int")

  def g, do: run(signature: "(a :int) -> :int, limit: 1)

  def h, do: run(prompt: "after", signature: ":int")
end
