; extends
; Signatures in the strings and sigils of Elixir. Append this file to the injection queries of your
; editor's Elixir grammar; the first line makes Neovim do so by itself.

; signature: "…"
((pair
  key: (keyword) @_key
  value: [(string (quoted_content) @injection.content) (sigil (quoted_content) @injection.content)])
  (#match? @_key "^signature:")
  (#set! injection.language "signature"))

; "signature" => "…" and :signature => "…"
((binary_operator
  left: [(string (quoted_content) @_key) (atom) @_key]
  operator: "=>"
  right: [(string (quoted_content) @injection.content) (sigil (quoted_content) @injection.content)])
  (#any-of? @_key "signature" ":signature")
  (#set! injection.language "signature"))

; @signature "…"
((unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_name
    (arguments
      [(string (quoted_content) @injection.content) (sigil (quoted_content) @injection.content)])))
  (#eq? @_name "signature")
  (#set! injection.language "signature"))

; Signature.parse("…")
((call
  target: (dot left: (alias) @_module right: (identifier) @_function)
  (arguments
    . [(string (quoted_content) @injection.content) (sigil (quoted_content) @injection.content)]))
  (#match? @_module "(^|[.])Signature$")
  (#any-of? @_function "parse" "parse!")
  (#set! injection.language "signature"))

; {&MyApp.search/1, "…"} and {fn args -> … end, "…"}
((tuple
  . [(unary_operator operator: "&") (anonymous_function)]
  . [(string (quoted_content) @injection.content) (sigil (quoted_content) @injection.content)])
  (#set! injection.language "signature"))
