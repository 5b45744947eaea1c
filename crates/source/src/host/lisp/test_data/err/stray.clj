)]} {:signature "(a :int)" ] :prompt "x"} (return ] 1 \ #_
