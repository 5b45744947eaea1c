a(x :int) -> :int
  One.

  Two.
b(
  y :int
) -> :map
