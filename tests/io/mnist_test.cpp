// Folders like MNIST's: the real ones, and each way to be incomplete.
#include "io/mnist.h"

#include "tests/io/scratch.h"

namespace glia::io {
namespace {

std::string images(int n, int side) {
  return bytes_of({0, 0, 8, 3, 0, 0, 0, n, 0, 0, 0, side, 0, 0, 0, side}) + std::string(static_cast<size_t>(n * side * side), 'x');
}

std::string labels(std::initializer_list<int> values) {
  return bytes_of({0, 0, 8, 1, 0, 0, 0, static_cast<int>(values.size())}) + bytes_of(values);
}

struct Folder : Scratch {
  Folder() {
    put("train-images-idx3-ubyte", images(3, 2)), put("train-labels-idx1-ubyte", labels({0, 9, 4}));
    put("test-images.gz", packed(images(1, 2))), put("test-labels", labels({7}));
  }
};

TEST(Mnist, ReadsASmallFolder) {
  const Folder f;
  const auto m = read_mnist(f.dir.string());
  ASSERT_TRUE(m) << fault(m);
  EXPECT_EQ(m->train.images.shape, (std::vector<int64_t>{3, 2, 2}));
  EXPECT_EQ(m->train.labels.dtype, DType::i32);
  EXPECT_EQ(m->train.labels.as<int32_t>()[1], 9);
  EXPECT_EQ(m->test.labels.as<int32_t>()[0], 7);
}

TEST(Mnist, NamesWhatIsNotThere) {
  const Scratch empty;
  EXPECT_HAS(fault(read_mnist(empty.dir.string())), "the folder is empty");
  EXPECT_HAS(fault(read_mnist(empty.path("gone"))), "cannot open the folder `" + empty.path("gone") + "`: No such file or directory");
  empty.put("cat.png", "");
  const std::string text = fault(read_mnist(empty.dir.string()));
  EXPECT_HAS(text, "looked for `train-images*`, `train-labels*`, `t10k-images*`, `t10k-labels*`; the folder holds cat.png");
  const Folder f;
  std::filesystem::remove(f.path("train-labels-idx1-ubyte"));
  EXPECT_HAS(fault(read_mnist(f.dir.string())), "is incomplete: no file is named `train-labels*`");
}

TEST(Mnist, CountsMustAgree) {
  const Folder f;
  f.put("train-labels-idx1-ubyte", labels({1, 2}));
  const std::string text = fault(read_mnist(f.dir.string()));
  EXPECT_HAS(text, "train-images-idx3-ubyte` has 3 images");
  EXPECT_HAS(text, "train-labels-idx1-ubyte` has 2 labels");
}

TEST(Mnist, LabelOutsideTheClassesNamesFileAndRow) {
  const Folder f;
  f.put("train-labels-idx1-ubyte", labels({1, 2})), f.put("train-labels-more", labels({10}));
  EXPECT_HAS(fault(read_mnist(f.dir.string())), "`" + f.path("train-labels-more") + "`, row 1: label 10 is not in 0 .. 9");
  EXPECT_TRUE(read_mnist(f.dir.string(), 11));
}

TEST(Mnist, SwappedAndMismatchedFiles) {
  const Folder f;
  f.put("train-images-idx3-ubyte", labels({1, 2, 3}));
  EXPECT_HAS(fault(read_mnist(f.dir.string())), "holds u8[3]: images are u8[n, height, width]");
  f.put("train-images-idx3-ubyte", images(3, 3));
  EXPECT_HAS(fault(read_mnist(f.dir.string())), "train images are 3 x 3 and test images 2 x 2");
  f.put("train-images-idx3-ubyte", images(3, 2)), f.put("train-labels-idx1-ubyte", images(3, 2));
  EXPECT_HAS(fault(read_mnist(f.dir.string())), "labels are u8[n]");
}

TEST(Mnist, TheRealSet) {
  const std::string dir = shared_data("mnist");
  if (dir.empty()) GTEST_SKIP() << "no data";
  const auto m = read_mnist(dir);
  ASSERT_TRUE(m) << fault(m);
  EXPECT_EQ(m->train.images.shape, (std::vector<int64_t>{60000, 28, 28}));
  EXPECT_EQ(m->test.images.shape, (std::vector<int64_t>{10000, 28, 28}));
  const auto first = m->train.labels.as<int32_t>();
  EXPECT_EQ((std::vector<int32_t>(first.begin(), first.begin() + 5)), (std::vector<int32_t>{5, 0, 4, 1, 9}));
  EXPECT_EQ(m->test.labels.as<int32_t>()[0], 7);
  EXPECT_EQ(std::count(first.begin(), first.end(), 1), 6742);
}

TEST(Mnist, FashionHasTheSameLayout) {
  const std::string dir = shared_data("fashion_mnist");
  if (dir.empty()) GTEST_SKIP() << "no data";
  const auto m = read_mnist(dir);
  ASSERT_TRUE(m) << fault(m);
  EXPECT_EQ(m->train.images.rows(), 2500);
  EXPECT_EQ(m->test.labels.rows(), 10000);
}

}  // namespace
}  // namespace glia::io
