# Tools of the support agent 🧑‍🚀
search(query :string, limit :int) -> [{id :int, title :string}]
  Search for items matching query.
get_user(id :int) -> {name :string, email :string?}
  Fetch a user by ID 🧑‍🚀.

  The email may be missing.

; Without a description, and without parameters
now() -> :datetime
