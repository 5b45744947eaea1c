search(query :string, limit :int?, at :datetime, order-count :float) -> [{id :int, owner {name :string, class :keyword}}]
  Finds items. */ """ By relevance.

get-user() -> :any

get_user(class :bool, data {}, opts :map?, str :string) -> {ok :bool?, a :int, __b :string, items [[:float]]}

9_lives() -> :string?

status() -> {}

parts(class [{}]) -> [{}]

get(a :int) -> {input {x :int}, output [{y :int}]}

get_output(self :int, page-size :int, page_size :string, __proto__ :int?) -> {ok :bool}

GetOutput(nil :int, do :string, None :int) -> {a {b [{c {d :int}}]}}
