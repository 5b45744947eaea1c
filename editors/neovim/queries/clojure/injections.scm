; extends
; Signatures in the strings of Clojure and PTC-Lisp. Append this file to the injection queries of your
; editor's Clojure grammar; the first line makes Neovim do so by itself.

; {:signature "…"}, also in metadata
((map_lit
  value: (kwd_lit) @_key
  . value: (str_lit) @injection.content)
  (#eq? @_key ":signature")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "signature"))
