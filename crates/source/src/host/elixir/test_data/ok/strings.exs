f(signature: ~s[(a :int) -> :int], prompt: ~S({{a}} #{not one}))
f(signature: ~s|(a :int) -> {b :int}|, prompt: ~T"""
  Heredoc of a sigil: {{a}} "quoted"
  """)
f(prompt: """
  Indented {{a}}
    #{f("nested #{g(signature: ":int")} string")} and \"""
  é 😀 {{b}}
  """, signature: "(a :int,\n  b :string) -> :int")
f(signature: ~S"""
(a :int)
  \"""
-> :int
""")
f(signature: ~S({a :int\)b), prompt: ~s<x\>y>, prompt: ~s/a/i, prompt: ~s'c')
f(x: ?", signature: "{s1 :int}", y: ?', prompt: "2", z: ?\\, prompt: "3", w: ?#, prompt: "4")
f(x: 'it"s', signature: "{s5 :int}", y: :"a b", prompt: "6", z: :end, do: :do, "a b": 1, prompt: "7")
f(x.end, signature: "{s8 :int}", y: a.do, prompt: "9", z: &f/1, w: :"a#{1}")
f "quoted \\" <> "x", prompt: ""
f(prompt: '''
  charlist
  ''', signature: '''
  another
  ''')
f(é: "x", prompt: "😀 {{é}}")
