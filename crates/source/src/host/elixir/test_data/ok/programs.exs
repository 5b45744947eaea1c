defmodule MyApp.Programs do
  def escaped do
    # 😀 before the program
    PtcRunner.Lisp.run("(tool/search {:query \"é \\\"x\\\"\" :limit 1})", tools: tools)
  end

  def raw, do: Lisp.run(~S|(return {:count (count data/items)}) (ctx/old "a\|b")|, context: %{})

  def heredoc do
    ~S"""
    (call "search" {:query data/q})
    [1 2]
    """
    |> Lisp.run(signature: "[:int]")
  end

  @search_tools %{"search" => &MyApp.search/1}

  def bound do
    tools = %{"now" => fn _ -> 1 end}
    tools = %{hammer: 1}
    pools = %{"now" => &now/1}
    tools
  end

  def dynamic, do: Lisp.run("(tool/#{name})", tools: %{})
  def no_program, do: Lisp.run(source)
  def other, do: Other.run("(tool/x)")
end
