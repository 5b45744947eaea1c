; extends
; Fences marked `sig`. Append this file to the injection queries of your editor's Markdown grammar; the
; first line makes Neovim do so by itself. Fences marked `signature` need no query: editors take the
; fence's word for the grammar's name.

((fenced_code_block
  (info_string (language) @_language)
  (code_fence_content) @injection.content)
  (#eq? @_language "sig")
  (#set! injection.language "signature"))
