;; SYNTAX TEST "source.clojure" "signatures and prompts in the strings of Clojure and PTC-Lisp"

(defn ^{:signature "(user {name :string}, n :int?) -> :int" :prompt "Hi {{user.name}}"} run [user n] n)
;;                   ^^^^ variable.parameter.signature
;;                              ^^^^^^^ support.type.primitive.signature
;;                                              ^ keyword.operator.optional.signature
;;                                                                        ^^^^ variable.parameter.placeholder.signature-template
;;                                                                                      ^^^ - string meta.site

(def agent {:doc "an (a :int)" :signature
;;                      ^^^^ - support.type
   "(a \"x\" :int)
;;   ^ variable.parameter.signature
;;     ^^ constant.character.escape.clojure - source.signature
;;           ^^^^ support.type.primitive.signature
   -> {b :bool}"
;; ^^ keyword.operator.arrow.signature
  :n 1})
;;^^ constant.keyword.clojure - string

; {:signature ":int"}
;;             ^^^^ comment.line.semicolon.clojure - support.type

(def tricky {:signature ":int" :pattern #":int {{x}}" :char \" :text ":int"})
;;                       ^^^^ support.type.primitive.signature
;;                                        ^^^^^^^^ - support.type variable
;;                                                                    ^^^^ - support.type
{:other-signature ":int" ::signature ":int" :signature-of ":int"}
;;                 ^^^^ - support.type
;;                                    ^^^^ - support.type
;;                                                         ^^^^ - support.type
#_{:a ":int"} {:prompt "Dear \"{{name}}\"
;;                               ^^^^ variable.parameter.placeholder.signature-template
  {{#items}}{{.}}{{/items}}" :b 1}
;;  ^ keyword.control.section.signature-template
;;                           ^^ constant.keyword.clojure - string
