// The rows of a data set and the minibatches made of them. Which rows are in a batch, and the random stream of each,
// depend on the seed, the epoch, the step and the row, never on threads.
#pragma once
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "interp/value.h"
#include "ir/types.h"

namespace glia::train {

// One tensor a column; its leading axis counts the rows.
struct DataSet {
  int64_t count = 0;
  std::vector<interp::Tensor> columns;
  std::vector<interp::Value> lists;  // instead, where rows differ in shape: a list for each column
};

// The columns as lists, whichever way they are kept.
std::vector<interp::Value> as_lists(const DataSet& data);
interp::Value chosen_items(const interp::Value& list, std::span<const int64_t> rows);

// From a value of the program: a tensor, a list, or rows by column. `types` and `names` are those of one row's columns.
// The error is a sentence on what does not fit.
std::expected<DataSet, std::string> make_data_set(const interp::Value& value, const ir::Types& types, std::span<const ir::TypeId> columns,
                                                  std::span<const std::string> names);

// Room for one batch, made once.
struct BatchBuffers {
  std::vector<interp::Tensor> columns;
  interp::Tensor streams;  // i64[batch]
};
std::expected<BatchBuffers, std::string> make_batch_buffers(const DataSet& data, int64_t batch);
void gather_rows(const DataSet& data, std::span<const int64_t> rows, BatchBuffers& into);  // no more rows than there is room for

// The stream of each row under the root of a step.
void fill_streams(int64_t root, std::span<const int64_t> rows, BatchBuffers& into);
int64_t step_root(int64_t seed, int64_t step);
int64_t evaluation_root(int64_t seed);  // the same for every evaluation, so that scores can be compared
int64_t init_root(int64_t seed);

// The order of rows in an epoch: a permutation that depends on seed and epoch alone (Fisher and Yates 1938).
void in_order(std::vector<int64_t>& order, int64_t count);
void shuffled(std::vector<int64_t>& order, int64_t count, int64_t seed, int64_t epoch);

}  // namespace glia::train
