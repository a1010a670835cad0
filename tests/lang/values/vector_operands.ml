# structures as vectors: only floats take part
print(() * 2, () / 3, -())           #: () () ()
print(-(true, 1.0, 2.5))             #: (true, -1, -2.5)
print((true, 1.0) * 3)               #: (true, 3)
print(norm((3.0, 4.0)))              #: 5
