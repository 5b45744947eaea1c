defmodule MyApp.Sessions do
  @moduledoc """
  Escapes keep their places 🎈.

  ```elixir
  SubAgent.new(prompt: \"\"\"
    Heredoc {{a}} with "quotes" and \\n
    \"\"\", signature: \"(a :int) -> :int\")
  SubAgent.run(\"Hi \#{name} é\", context: %{a: \"x\"})
  SubAgent.run("Backslash \\ and \\\\ and \\\"quote\\\"", signature: ":int")
  ```

  - In a list:

        iex(1)> SubAgent.run(
        ...(1)>   "list {{b}}",
        ...(1)>   signature: "(b :int) -> :int"
        ...(1)> )
        %{signature: ":answer"}
  """

  @doc """
  Text right before it:
      iex> SubAgent.run("lazy", signature: ":int")
      {:ok, "signature: :int"}

  Code that begins with a comment:

      # Not yet a prompt
      iex> SubAgent.run("commented", signature: ":int")
      1

  ```
  iex> SubAgent.run("fence without language")
  ```

  ```elixir
  # A comment
  iex> run(prompt: "comment in a fence", signature: ":int")
  prompt: "answer"
  ```

  ~~~text
  run(signature: ":no_code")
  ~~~
  """
  @typedoc "Plain. iex> SubAgent.run(\"one line\")"
  @type t :: %{prompt: String.t()}

  @doc ~S"""
  ```elixir
  SubAgent.new(prompt: "raw \n {{a}}", signature: "(a :int) -> :int")
  SubAgent.new(prompt: \"""
  Escaped delimiter
  \""")
  ```
  """
  def f, do: 1
end
