from signatures import GetOutput2Input, GetOutput2Output, GetOutputInput2, GetUser2Input, GetUser2Output, GetUserOutput, PartsOutput, SearchInput, SearchOutput, StatusInput, StatusOutput, Tool9LivesOutput

search_input: SearchInput = {"query": "a", "at": "2026-05-03T09:14:00Z", "order-count": 1.5}
search_output: SearchOutput = [{"id": 1, "owner": {"name": "Ada", "class": "admin"}}]
user_output: GetUserOutput = {"anything": True}
user2_input: GetUser2Input = {"class": True, "data": {"a": 1}, "opts": None, "str": "s"}
user2_output: GetUser2Output = {"a": 1, "__b": "b", "items": [[1.5]]}
lives_output: Tool9LivesOutput = None

missing: SearchInput = {"query": "a", "at": "b"}  # error
mistyped: SearchInput = {"query": 1, "at": "b", "order-count": 1}  # error
unnamed: SearchInput = {"query": "a", "at": "b", "order-count": 1, "more": 1}  # error
nested: SearchOutput = [{"id": 1, "owner": {"name": 1, "class": "c"}}]  # error
nothing: GetUser2Output = {"ok": None, "a": None, "__b": "b", "items": []}  # error

status_input: StatusInput = {}
status_output: StatusOutput = {"anything": 1}
parts_output: PartsOutput = [{"b": 2}]
odd_input: GetOutputInput2 = {"self": 1, "page-size": 2, "page_size": "b"}
odd2_input: GetOutput2Input = {"nil": 1, "do": "a", "None": 2}
odd2_output: GetOutput2Output = {"a": {"b": [{"c": {"d": 1}}]}}

given: StatusInput = {"a": 1}  # error
alike: GetOutputInput2 = {"self": 1, "page-size": "a", "page_size": "b"}  # error
deep: GetOutput2Output = {"a": {"b": [{"c": {"d": "x"}}]}}  # error
