a(x :int) -> :int
	One.
		Two.
