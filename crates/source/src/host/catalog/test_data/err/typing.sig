  Nobody's description.
search(query :string, limit :in -> [{id :int}]
  Search for items (all of them.
sear
get_user(
  id :int,
find(query :string) -> [
  {id :int
Text between.
  Its text.
(x :int) -> :int
my tool(x :int) -> :int
now :datetime
bare -> :map
last() -> :int
