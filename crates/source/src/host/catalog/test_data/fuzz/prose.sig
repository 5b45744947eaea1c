signature STACK =
sig
    type 'a stack
    val push: 'a * 'a stack -> 'a stack (* pushes *)
end ; (((( [[[[ {{{{ ]]]] )))) 
-> -> a -> b
) ] }
:
a:b:c
a: (b) c
x(y(z(
x(# y
x(	 # y
