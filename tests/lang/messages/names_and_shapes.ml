let scores = [1.0, 2.0]
print(scors)
print(scores + [1.0, 2.0, 3.0])
