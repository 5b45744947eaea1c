# Agents with the mistakes that people make. `signature-ls check examples` names each one.

alias PtcRunner.SubAgent

SubAgent.run("Find emails for {{usr.name}} about {{topic}}.",
  signature: "(user {name :strng}, topic :string) -> {count :int}"
)

SubAgent.new(
  prompt: "Rate these orders: {{orders}}",
  signature: "(orders [{:id :int :title :string}]) => {stars list[int]}"
)

SubAgent.new(
  prompt: "Greet {{#name}}{{name}}{{/nme}} in #{language()}",
  signature: "(name :string?, language: string) -> :string",
  tools: %{"greet" => {&Greeter.greet/1, "(name :string -> {text :string}"}}
)
