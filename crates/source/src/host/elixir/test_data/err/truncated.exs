defmodule Tickets do
  @prompt """
  Sort {{tickets}}
  """
  def run(tickets) do
    SubAgent.run("Sort {{tickets}} #{inspect(tickets)} of {{all",
      signature: "(tickets [:map]) -> [:int]",
      tools: %{"search" => {&search/1, "(query :string) -> [:map]"}
