defmodule Greeter do
  # Greets people. 😀
  def greet(user) do
    SubAgent.run("Say hello 😀 to {{user.name}}.",
      signature: "(user {name :strng}) -> {greeting :string}",
      context: %{user: user}
    )
  end
end
