// What the train block names, before the functions of the run are made of it.
#pragma once
#include "parser/elaborator.h"

namespace glia {

struct TrainParts {
  Val model, loss, optimizer;
  std::vector<Val> model_leaves;
  std::vector<std::string> model_paths;
  ir::TypeId row;
  std::vector<std::pair<std::string, Val>> metrics;
  std::vector<std::optional<Val>> finish;   // applied to the mean of the metric
  Span loss_span;
};

}  // namespace glia
