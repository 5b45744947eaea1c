; extends
; Signatures in YAML, also in the front matter of prompt files. Append this file to the injection queries
; of your editor's YAML grammar; the first line makes Neovim do so by itself.

((block_mapping_pair
  key: (flow_node (plain_scalar) @_key)
  value: (flow_node (plain_scalar) @injection.content))
  (#eq? @_key "signature")
  (#set! injection.language "signature"))

([(block_mapping_pair
    key: (flow_node (plain_scalar) @_key)
    value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content))
  (flow_pair
    key: (flow_node (plain_scalar) @_key)
    value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content))]
  (#eq? @_key "signature")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "signature"))

((block_mapping_pair
  key: (flow_node (plain_scalar) @_key)
  value: (block_node (block_scalar) @injection.content))
  (#eq? @_key "signature")
  (#offset! @injection.content 0 1 0 0)
  (#set! injection.language "signature"))
