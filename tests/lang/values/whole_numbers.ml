# Division, modulus and conversion of whole numbers at their edges; the same for floats, constants and values of the run.
fn late(x: i32) -> i32 = sum([x])     # a value that only the run knows
print(-1 % 3, -2 % 3, 7 % -2, late(-1) % 3, late(-2) % 3, late(7) % -2)               #: 2 1 -1 2 1 -1
print(-1.0 % 3.0, -2.0 % 3.0, 7.0 % -2.0, sum([-1.0]) % 3.0, -0.5 % 1.0)              #: 2 1 -1 2 0.5
print(-7 // 2, -7 % 2, late(-7) // 2, late(-7) % 2, -7.0 // 2.0, -7.0 % 2.0)          #: -4 1 -4 1 -4 1
print(i8(120) // i8(-27), i8(120) % i8(-27), 2147483647 // -2, late(2147483647) // -2, late(2147483647) % -2)   #: -5 -15 -1073741824 -1073741824 -1
print(for a in [7, -7] => for b in [2, -2] => (a // b) * b + a % b - a)               #: [[0, 0], [0, 0]]
# wrapping
print(late(2147483647) + 1, i8(127) + i8(1), u8(255) + u8(1), late(-2147483647) - 2)  #: -2147483648 -128 0 2147483647
# to whole numbers: toward zero, saturating, NaN to 0
print(i32(nan), i32(inf), i32(-inf), i32(3e9), i32(1.9), i32(-1.9), i32(sum([nan])), i32(sum([3e9])))   #: 0 2147483647 -2147483648 2147483647 1 -1 0 2147483647
print(u8(-1.0), u8(255.9), u8(256.0), u8(sum([-1.0])), u8(sum([255.9])), u8(sum([256.0])), u8(nan))   #: 0 255 255 0 255 255 0
print(i8(-129.0), i8(128.0), i64(1e19), i64(-1e19), i32(-0.9), bool(0.0), bool(nan))  #: -128 127 9223372036854775807 -9223372036854775808 0 false true
print(f32(i64(16777217)) == 16777216, f64(i64(16777217)), i8(i32(300)), i8(300), u8(late(-1)), i8(late(300)))   #: true 16777217 44 44 255 44
