f "#{g "#{h "#{SubAgent.run("{{a}}", signature: "(a :int) -> :int")}"}"}
end end do do -> fn ) ] } >> << SubAgent.run("{{b}}" signature: "(b :int)"
"""x""" '''y''' ~s"""z""" ~S(a)b) ~w<c>d> ~r/[/]/ ~T|e\|f| :"g" "h": "i"
prompt: signature: "(j :int)", "prompt": "k", :prompt => "l", prompt: prompt: "m"
&1 &"#{&1}" & &SubAgent.run/2 |> |> SubAgent.run |> SubAgent.run(signature: "(n :int)" |>
