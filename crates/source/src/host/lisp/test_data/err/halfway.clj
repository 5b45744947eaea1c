(ns half)

(defn one {:signature "(a :int) -> :int"} [a]
  (let [b (tool/search {:query "x" :limit]
    (return b))

(defn two
  {:signature "(b :int) -> :int
  [b] b)

(defn three {:signature "(c :int) -> :int"} [c] c))}

{:tools {"a" "(x :int)" :b {:signature "(y :int)"] :prompt "{{z}}"}
(call "open
