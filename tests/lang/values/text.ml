let who = "Glia"
print("hello {who}", 1, 2.5)        #: hello Glia 1 2.5
print("{1.0 / 3.0:.3f}|{2 + 3}")    #: 0.333|5
write("a", "b")
print("")                           #: a b
print("x" + "y", "\u{41}")          #: xy A
