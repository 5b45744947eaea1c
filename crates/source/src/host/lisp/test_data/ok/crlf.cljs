(ns a.b)

;; 😀 "
(defn f
	"Doc with "quotes"."
	{:signature "(a :int,
		b :string)
	-> :int"}
	[a b]
	(-> (tool/g {:a a
		:b "\r\n"})
		:id))
#_
{:prompt "no"}
{:prompt
"{{a}}"}
