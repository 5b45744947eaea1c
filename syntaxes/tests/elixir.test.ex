# SYNTAX TEST "source.elixir" "signatures and prompts in the strings of Elixir"

agent = SubAgent.new(prompt: "Find {{user.name}}", signature: "(user {name :string}) -> {count :int?}")
#                             ^^^^^ string.quoted.double.elixir - variable
#                                    ^^^^ variable.parameter.placeholder.signature-template
#                                                               ^^^^ variable.parameter.signature
#                                                                          ^^^^^^^ support.type.primitive.signature
#                                                                                                  ^ keyword.operator.optional.signature
#                                                                                                    ^^ - source.signature

  plain = "(user {name :string}) -> {{name}}"
#         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ string.quoted.double.elixir - support.type variable keyword

  # signature: "(a :int) -> :int"
# ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ comment.line.number-sign.elixir - support.type

{:ok, step} = SubAgent.run("About {{topic}} for #{name(x: "{{no}}")}", signature: sig, llm: llm)
#                                   ^^^^^ variable.parameter.placeholder.signature-template
#                                                 ^^^^ - variable.parameter.placeholder.signature-template
#                                                            ^^ - variable.parameter.placeholder.signature-template
#                                                                                 ^^^ - string meta.site
#                                                                                      ^^^^ constant.other.keywords.elixir

SubAgent.run(
  "About {{topic}}",
#          ^^^^^ variable.parameter.placeholder.signature-template
  signature:
    ~s|(topic :string) -> #{out("(a :int)")}|,
#       ^^^^^ variable.parameter.signature
#             ^^^^^^^ support.type.primitive.signature
#                           ^^^ - variable.parameter.signature
#                                   ^^^^ - support.type
  llm: ":int"
#       ^^^^ - support.type
)

  @signature "() -> {name :string}"
#                         ^^^^^^^ support.type.primitive.signature

  @spec run(String.t()) :: map()
# ^^^^^ - meta.site

defmodule Tools do
  @signature """
  (query :string, options {limit :int?}) ->
#  ^^^^^ variable.parameter.signature
#        ^^^^^^^ support.type.primitive.signature
  {results [{id :int}], total :strng}
#               ^^^^ support.type.primitive.signature
#                             ^^^^^^ invalid.illegal.unknown-type.signature
  """
# ^^^ punctuation.definition.string.end.elixir
  def tools, do: %{"search" => {&Search.run/2, "(query :string) -> [:map]"}, "x" => {&X.y/1, :skip}}
#                                                      ^^^^^^^ support.type.primitive.signature
#                                                                                             ^^^^ constant.other.symbol.elixir - support.type
  def local, do: %{"store" => {fn args -> args["id"] end, "(id :int) -> :string"}}
#                                                              ^^^^ support.type.primitive.signature
  def parse, do: Signature.parse("(a :int\n) -> :int")
#                                    ^^^^ support.type.primitive.signature
#                                        ^^ constant.character.escaped.elixir - source.signature
  def config, do: %{"signature" => ":bool", :prompt => ~S(Hi {{name}} :int)}
#                                   ^^^^^ support.type.primitive.signature
#                                                              ^^^^ variable.parameter.placeholder.signature-template
#                                                                     ^^^^ - support.type
#                                                                         ^ punctuation.definition.string.end.elixir
  @prompt ~T"""
  Dear {{name}},
#        ^^^^ variable.parameter.placeholder.signature-template
  {{#items}}{{.}}{{/items}}
#   ^ keyword.control.section.signature-template
#             ^ variable.language.element.signature-template
  """
  def after_all, do: :ok
# ^^^ keyword.control.module.elixir
end

defmodule Tricky do
  def heredoc(x) do
    SubAgent.run(
      """
      Dear \"{{user.name}}\", #{inspect("""
      {{no}} :int
#       ^^ - variable.parameter.placeholder.signature-template
      """)} and {{topic}}
#                 ^^^^^ variable.parameter.placeholder.signature-template
      """,
      signature: ~S"""
      (user {name :string}, q :strng,
#            ^^^^ variable.parameter.signature
#                             ^^^^^^ invalid.illegal.unknown-type.signature
       count :int?) -> #{not_interpolated} [:map]
#                ^ keyword.operator.optional.signature
#                        ^^^^ - constant meta.embedded
#                                           ^^^^ support.type.primitive.signature
      """,
      name: ":int"
#            ^^^^ - support.type
    )
  end

  def quotes, do: [signature: "(a :int, \"b\" :string) -> :bool", other: ?", last: ":int"]
#                                 ^^^^ support.type.primitive.signature
#                                             ^^^^^^^ support.type.primitive.signature
#                                                         ^^^^^ support.type.primitive.signature
#                                                                                   ^^^^ - support.type
  def charlist, do: [signature: '(a :int)', regex: ~r/:int {{x}}/]
#                                   ^^^^ support.type.primitive.signature
#                                                     ^^^^ - support.type
#                                                            ^^^ - variable.parameter
end

unfinished = [signature: "(a {b :int", other: 1]
#                               ^^^^ support.type.primitive.signature
#                                      ^^^^^ constant.other.keywords.elixir - string
