// SYNTAX TEST "source.signature-catalog" "tools as they are shown to a model"

# The tools of the example.
// <- comment.line.signature-catalog punctuation.definition.comment.signature-catalog
; another comment
// <- comment.line.signature-catalog

search(query :string, limit :int) -> [{id :int}]
// <------ entity.name.function.signature-catalog
//    ^ punctuation.section.parens.begin.signature
//     ^^^^^ variable.parameter.signature
//           ^^^^^^^ support.type.primitive.signature
//                                ^^ keyword.operator.arrow.signature
  Search for (items) matching query, -> :int is no type here.
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ string.unquoted.description.signature-catalog - support

get_user(
// <-------- entity.name.function.signature-catalog
  id :int,
//^^ variable.parameter.signature - string
//   ^^^^ support.type.primitive.signature
  # a comment
//^^^^^^^^^^^ comment.line.signature-catalog
  limit :int, # another
//            ^^^^^^^^^ comment.line.signature-catalog
) -> {name :string, email :strng}
// <- punctuation.section.parens.end.signature
//         ^^^^^^^ support.type.primitive.signature
//                        ^^^^^^ invalid.illegal.unknown-type.signature
  Fetch user by ID.
//^^^^^^^^^^^^^^^^^ string.unquoted.description.signature-catalog
  # of the description
//^^^^^^^^^^^^^^^^^^^^ string.unquoted.description.signature-catalog - comment

unclosed(a {b :int
next(a :int) -> :int
// <---- entity.name.function.signature-catalog
