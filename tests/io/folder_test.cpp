// Sets of files by their first word.
#include "io/folder.h"

#include "tests/io/scratch.h"

namespace glia::io {
namespace {

TEST(Folder, ASetIsFoundByTheFirstWordOfItsNames) {
  const Scratch s;
  s.put("trained.txt", ""), s.put("train.txt", ""), s.put("train.txt.gz", ""), s.put("train-2", ""), s.put("dev", "");
  constexpr std::string_view train[] = {"train"}, dev[] = {"valid", "dev"}, test[] = {"test", "eval"};
  EXPECT_EQ(*find_set(s.dir.string(), train), (std::vector<std::string>{s.path("train-2"), s.path("train.txt")}));
  EXPECT_EQ(*find_set(s.dir.string(), dev), (std::vector<std::string>{s.path("dev")}));
  EXPECT_HAS(fault(find_set(s.dir.string(), test)), "has no file named `test*` or `eval*`; the folder holds dev, train-2, train.txt");
  EXPECT_HAS(fault(find_set(s.path("gone"), test)), "cannot open the folder");
}

}  // namespace
}  // namespace glia::io
