(parameter name: (name) @variable.parameter)
(field name: (name) @variable.member)

(primitive) @type.builtin
(optional "?" @operator)

"->" @operator
"," @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
