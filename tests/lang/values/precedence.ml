# Power binds tighter than a sign before it, and groups from the right; signs may follow it.
let a = 3.0
print(-3 ^ 2, (-3) ^ 2, 2.0 ^ -1.0, 2 ^ 2 ^ 3, -2 ^ 3, -a ^ 2, (-a) ^ 2)              #: -9 9 0.5 256 -8 -9 9
print(2 ^ 3 * 2, 2 * 3 ^ 2, -2 * 3, 2 - -3, 7 - 2 - 1, 24 / 4.0 / 2.0, 7 // 2 * 2, 7 % 4 * 2)   #: 16 18 -6 5 4 3 6 6
print(not 1 == 2, not false and true, true or false and false, 1 + 2 < 4 and 3 > 2)     #: true true true true
print(1 + 2 |> f32, [3.0, 4.0] |> norm, -1.0 |> abs, 2 - 1 |> f32)                    #: 3 5 1 1
print([1.0, 2.0] @ [3.0, 4.0] + 1, 2.0 * [1.0, 2.0] @ [3.0, 4.0], [[1.0, 2.0]].T[1], -[1.0, 2.0][1])   #: 12 22 [2] -2
print((x => x + 1)(2), if a > 1 then 1 else 2 + 3, (if a > 1 then 1 else 2) + 3, 5 - (for i < 2 => i))   #: 3 1 4 [5, 4]
