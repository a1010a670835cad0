import nn
model Net {
  layer c1 = nn.Conv2d(1, 6, kernel = 5)
  fn call(image: u8[28, 28]) = c1(f32(image) / 255)
}
print(conv2d(zeros([28, 28]), zeros([6, 1, 5, 5])))
