# Tools of the review agent, as the model is shown them.
search(query :string, limit :int?) -> [{id :int, title :string}]
  Search for items matching query.

get_diff(
  commit :string,
  limit :int?   # all files without it
) -> {files [{path :string, added :int, removed :int}]}
  Show what a commit changed.

  Binary files are left out.

; Without parameters
now() -> :datetime
