search(query :string, limit :int?, at :datetime, order-count :float) -> [{id :int, owner {name :string, class :keyword}}]
  Finds items. */ """ By relevance.

get-user() -> :any

get_user(class :bool, data {}, opts :map?, str :string) -> {ok :bool?, a :int, __b :string, items [[:float]]}

9_lives() -> :string?
