(defn one
  {:signature "(a :int) -> :int"}
  [a]
  (tool/sea
(defn two
  {:signature "(b :int) -> :int
   :prompt "Twice {{b}}"}
  [b])
{:signature}
