"""
a """ <> "b" ~s""" x: "
"""
?"?'?\"f("x": "a#{"b#{"c" }" }", prompt: "d""" , signature: "e")
:"prompt": "f" 'prompt': "g" "prompt": "h"
~s~S~s"prompt: "i" ~s#x# %{~s(a) => ~S{b}, "prompt" => "j", :"prompt" => "k"}
f(prompt: "l" do signature: "m" end)
