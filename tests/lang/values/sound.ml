let wave = sin(f32(arange(1024)) * (2 * pi * 440 / 8000))
let m = log_mel(wave, rate = 8000, window = 256, hop = 128, bands = 40)
print(size(m), size(m, axis = 1))                                                       #: 7 40
print(close(m[0, 5:12], [-7.81828, -6.32154, -3.84102, 4.77964, 7.97931, 8.02548, 3.85188], tol = 1e-2))   #: true
print(close(m[2, 8], 4.77965, tol = 1e-4))                                              #: true
