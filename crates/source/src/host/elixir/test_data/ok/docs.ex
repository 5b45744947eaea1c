defmodule MyApp.Docs do
  @moduledoc """
  Agents. `SubAgent.run("inline code is left alone")`.

  ```elixir
  SubAgent.new(
    prompt: "Hello {{name}}",
    signature: "(name :string) -> :string"
  )
  ```

      SubAgent.run("an indented block of no language")

  > ```elixir
  > run(signature: "(quoted :int) -> :int")
  > ```
  """

  @doc ~S'''
  ## Examples

      iex> PtcRunner.SubAgent.new(
      ...>   prompt: "In iex {{a}}",
      ...>   signature: "(a :int) -> :int"
      ...> )
      %Agent{prompt: "what it answers"}

  ```signature
  (query :string) -> [:map]
  ```
  '''
  @spec f(integer()) :: term()
  def f(a), do: SubAgent.run("code", context: %{a: a})

  @doc "On one line: ```x```"
  @doc false
  @typedoc """
  No code, no signature: "x".
  """
  @other """
  ```elixir
  run(signature: "not a doc")
  ```
  """
end
