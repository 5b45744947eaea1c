; extends
; Signatures in JSON. Append this file to the injection queries of your editor's JSON grammar; the first
; line makes Neovim do so by itself.

((pair
  key: (string (string_content) @_key)
  value: (string (string_content) @injection.content))
  (#eq? @_key "signature")
  (#set! injection.language "signature"))
