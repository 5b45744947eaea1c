defmodule A do
  def f do
    SubAgent.new(
      prompt: "Still known {{a}}",
      signature: "(a :int) -> :int"
  end

  def g do
    SubAgent.run("Known too", signature: ":int")
  end
end
