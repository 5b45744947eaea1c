order.find!(
  since :datetime,   # inclusive
  # all of these
  ids [:int]?
)
  -> [{id :int,
       total :float}]
    Finds orders.
      - deeper
	Not common any more.

get-count () ->
  :int  # behind it
  # This is of the description.
# This is not.
bare() -> :map
