def f, do: run(prompt: "before {{a}}", signature: "(a :int) -> :int")

def g, do: run(prompt: "half #{name, signature: ":int")
