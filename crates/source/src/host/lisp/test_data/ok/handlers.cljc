(ns shop.handlers
  "Handlers of the shop, for \"both\" platforms 🛒."
  (:require [clojure.string :as str]
            #?(:clj [clojure.java.io :as io] :cljs ["fs" :as fs])))

(def ^:private ^{:doc "A \\ b"} separator #"\s*[\",;]\s*")

(defn ^{:signature "(user-id :int, limit :int?) -> [{id :int,
                                                     total :float}]"
        :added "1.2"}
  list-orders
  "Lists the orders of a customer.\n\n  (list-orders 1 10) ;=> \"…\""
  ([user-id] (list-orders user-id nil))
  ([^long user-id limit] (take limit (tool/orders {:user_id user-id}))))

(defmulti ^:deprecated price :kind)

(defn refund
  {:signature "({order_id :int, reason :string?}) -> :bool"}
  [{:keys [order-id reason] :or {reason "none \" given"} :as args}]
  #?(:clj  (return (tool/refund :order_id order-id :reason reason))
     :cljs (js/alert "Not \; here")))

(comment
  ;; {:signature "(no :comment)"}
  (refund {:order-id 1}))

(def agents
  [{:signature "(text :string) -> :string" ; é
    :prompt "Translate \"{{text}}\"
to {{^lang}}English{{/lang}}."}
   #_{:prompt "gone {{x}}"}
   ^:hidden {:prompt "shown {{x}}" :chars [\" \{ \newline \u00e9 \o101 \😀 \\]}
   #:tool{:signature "(other :namespace)"}
   {:tools #{:a} :signature :keyword :prompt #"regex {{x}}"}
   `{:signature ~(str "(" ")") :prompt "quoted {{y}}"}])
