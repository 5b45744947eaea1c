#!/usr/bin/env ptc
(ns shop.agents "Agents of a shop 🛒." {:visibility :prompt})

; (defn commented {:signature "(no :int)"} [no] no)
#_(defn discarded {:signature "(no :int)"} [no] no)
#_ #_ {:signature "(no :int)"} {:signature "(neither :int)"} {:signature "(kept :int) -> :int"}

(defn turn-budget
  "Renders \"pacing\" guidance."
  {:signature "(turns_remaining :int,
                consolidate_at :int?) -> :string"
   :description "Says how many turns are left"
   :pure? true}
  [turns-remaining & [consolidate-at]]
  (return (str turns-remaining data/unit)))

(defn- ^{:signature "(a :int) -> :int" :prompt "Double {{a}}"} twice ([^long a] (* 2 a)) ([a {:keys [b]}] (+ a b)))

(defn unsigned [x] {:signature "(inner :int) -> :int", :prompt 'quoted})

(def agent
  '{:name "shop"
    :signature "(query :string) -> [{id :int}]",
    :prompt "Find {{query}}
             \"now\" \\ 🔎"
    :pattern #"[\"a-z]+" :quote \" :semi \; :paren \( :new \newline
    :tools {"search" "(q :string) -> [:map]"
            :fetch {:signature #_"old" "(url :string) -> :string" :description "Fetches"}
            "version" "1.18"
            plain "(no :name)"}
    :others [{:tools [{:name "list" :signature ":int"} "plain"]}
             #{{:prompt "in a {{set}}"}}
             #:ns{:signature "(no :namespace)"}
             {::signature "(no :own)" "signature" "(no :string)"}
             {:signature #my/tag "(no :tag)" :prompt (str "no" "literal")}
             #?(:clj {:signature "(reader :int)"})
             #(identity {:prompt "in a {{function}}"})]})
