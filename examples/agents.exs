# Agents whose contracts are right. `signature-ls check examples` finds nothing to fix here.

alias PtcRunner.SubAgent

SubAgent.run("Find emails for {{user.name}} about {{topic}}.",
  signature: "(user {name :string}, topic :string) -> {count :int, items [{id :int}]}",
  context: %{user: %{name: "Ada"}, topic: "budget"}
)

SubAgent.new(
  prompt: """
  Summarize these orders:
  {{#orders}}- {{id}}: {{title}}{{#note}} ({{note}}){{/note}}
  {{/orders}}
  """,
  signature: """
  (orders [{id :int, title :string, note :string?}]) ->
    {summary :string, total :float}
  """,
  tools: %{
    "search" => {&Orders.search/1, "(query :string, limit :int?) -> [{id :int}]"},
    "rate" =>
      {&Orders.rate/1,
       signature: "(id :int, stars :int) -> {ok :bool}", description: "Rates an order."}
  }
)
