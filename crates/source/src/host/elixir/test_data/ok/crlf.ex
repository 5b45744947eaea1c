defmodule A do
  def f do
    run(
      prompt: """
      Hello {{a}}
      """,

      signature: "(a :int) -> :int"
    )
  end
end
