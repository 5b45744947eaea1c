" Catalogs of tools: `name(params) -> type` and an indented description.
if exists('b:current_syntax')
  finish
endif

syntax match signatureCatalogName /^\h[A-Za-z0-9_.\/-]*[?!]\?\ze\s*(/
syntax match signatureCatalogUnknownType /:\h[A-Za-z0-9_-]*/
syntax match signatureCatalogType /:\%(string\|int\|float\|bool\|boolean\|keyword\|datetime\|map\|any\)\%([A-Za-z0-9_-]\)\@!/
syntax match signatureCatalogOptional /\%(:\h\w*\)\@<=?/
syntax match signatureCatalogArrow /->/
syntax match signatureCatalogDescription /^\s\+[^ \t:\[{(-].*$/
syntax match signatureCatalogComment /^\s*[#;].*$/

highlight default link signatureCatalogName Function
highlight default link signatureCatalogUnknownType Error
highlight default link signatureCatalogType Type
highlight default link signatureCatalogOptional Operator
highlight default link signatureCatalogArrow Operator
highlight default link signatureCatalogDescription String
highlight default link signatureCatalogComment Comment

let b:current_syntax = 'signature-catalog'
