// The work of a check grows with the length of the program and no faster: counted in nodes made and in requests for
// memory, since seconds depend on the machine.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "bench/large_program.h"
#include "parser/program.h"
#include "tests/train/allocations.h"

namespace glia {
namespace {

struct Work {
  double nodes = 0, requests = 0;
};

Work work_of(const std::string& text) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / ("glia_work_" + std::to_string(::getpid()) + ".ml");
  std::ofstream(file) << text;
  Sources sources;
  ir::Module module;
  Diagnostics diags;
  ProgramRequest request;
  request.path = file.string();
  const size_t before = train::allocations();
  elaborate(request, sources, module, diags);
  Work w;
  w.requests = static_cast<double>(train::allocations() - before);
  for (uint32_t i = 0; i < module.func_count(); ++i) w.nodes += static_cast<double>(module[ir::FuncId(i)].nodes.size());
  std::filesystem::remove(file);
  EXPECT_TRUE(diags.all().empty()) << render_all(diags, sources);
  return w;
}

TEST(CheckWork, GrowsWithTheProgramAndNoFaster) {
  const Work none = work_of("print(1)\n"), half = work_of(large_program(1000)), whole = work_of(large_program(2000));
  const double nodes = (whole.nodes - none.nodes) / (half.nodes - none.nodes);
  const double requests = (whole.requests - none.requests) / (half.requests - none.requests);
  EXPECT_GT(nodes, 1.8);
  EXPECT_LT(nodes, 2.2);
  EXPECT_GT(requests, 1.8);
  EXPECT_LT(requests, 2.2);
}

}  // namespace
}  // namespace glia
