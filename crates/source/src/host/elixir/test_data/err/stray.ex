) ] } end >>
run(prompt: "{{one}}", signature: [":int")
end
run(prompt: "two" signature: ":int")
run(prompt:, signature: ":string")
{&f/1, "(a :int) -> :int"
