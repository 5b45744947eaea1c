from signatures import GetUser2Input, GetUser2Output, GetUserOutput, SearchInput, SearchOutput, Tool9LivesOutput

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
