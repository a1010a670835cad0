// CIFAR folders: records, parts, faults by file and record.
#include "io/cifar.h"

#include <algorithm>

#include "tests/io/scratch.h"

namespace glia::io {
namespace {

std::string image(int label, char fill) { return bytes_of({label}) + std::string(3071, fill) + "z"; }

TEST(Cifar, ReadsRecordsOfAllParts) {
  const Scratch s;
  s.put("data_batch_1.bin", image(3, 'a') + image(9, 'b')), s.put("data_batch_2.bin.gz", packed(image(0, 'c'))), s.put("test_batch.bin", image(7, 'd'));
  const auto c = read_cifar(s.dir.string());
  ASSERT_TRUE(c) << fault(c);
  EXPECT_EQ(c->train.images.shape, (std::vector<int64_t>{3, 3, 32, 32}));
  EXPECT_EQ(c->train.images.size(), 3 * 3072);
  const auto labels = c->train.labels.as<int32_t>();
  EXPECT_EQ((std::vector<int32_t>(labels.begin(), labels.end())), (std::vector<int32_t>{3, 9, 0}));
  EXPECT_EQ(c->train.images.as<uint8_t>()[3072], 'b');
  EXPECT_EQ(c->train.images.as<uint8_t>()[2 * 3072 - 1], 'z');
  EXPECT_EQ(c->test.labels.as<int32_t>()[0], 7);
}

TEST(Cifar, SaysWhatIsWrong) {
  const Scratch s;
  EXPECT_HAS(fault(read_cifar(s.dir.string())), "has no file named `train*` or `data_batch*`; the folder is empty");
  const std::string path = s.put("train.bin", image(1, 'a') + image(10, 'b'));
  EXPECT_HAS(fault(read_cifar(s.dir.string())), "`" + path + "`, record 2 (byte 3073): label 10 is not in 0 .. 9");
  s.put("train.bin", image(1, 'a') + "x");
  EXPECT_HAS(fault(read_cifar(s.dir.string())), "has 3074 bytes: a file of CIFAR images is a whole number of records of 3073 bytes");
  s.put("train.bin", "");
  EXPECT_HAS(fault(read_cifar(s.dir.string())), "has 0 bytes");
}

TEST(Cifar, TheRealSet) {
  const std::string dir = shared_data("cifar10");
  if (dir.empty()) GTEST_SKIP() << "no data";
  const auto c = read_cifar(dir);
  ASSERT_TRUE(c) << fault(c);
  EXPECT_EQ(c->train.images.shape, (std::vector<int64_t>{2000, 3, 32, 32}));
  EXPECT_EQ(c->test.images.rows(), 1000);
  const auto labels = c->train.labels.as<int32_t>();
  EXPECT_EQ(labels[0], 6);
  EXPECT_EQ(std::count(labels.begin(), labels.end(), 1), 112 + 79);
  EXPECT_EQ(c->train.images.as<uint8_t>()[0], ';');
}

}  // namespace
}  // namespace glia::io
