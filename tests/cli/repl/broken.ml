let early = 1
print("before")
let late = early + [true]
