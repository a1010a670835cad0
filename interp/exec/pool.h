// The threads of a plan. The calling thread takes part; the others spin for a short while between jobs and then
// sleep. A job that the caller has finished alone does not wait for a thread that is still waking up.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace glia::interp::exec {

using Job = void (*)(void* data, size_t worker, size_t chunk);

class Pool {
 public:
  explicit Pool(size_t threads);  // counting the caller
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  size_t size() const { return threads_.size() + 1; }
  void run(size_t chunks, Job job, void* data);  // every chunk once, in no order

 private:
  void work(size_t worker);
  uint64_t take_chunks(size_t worker, uint64_t ticket);
  void wait_for_job(uint32_t seen);

  // Generation in the high half, next chunk in the low half. A chunk is taken by compare-and-swap, so a thread that
  // comes late with an old generation takes nothing.
  static constexpr uint32_t closed = 0xffffffffu;
  std::atomic<uint64_t> ticket_{closed};
  std::atomic<size_t> chunks_{0}, done_{0};
  std::atomic<Job> job_{nullptr};
  std::atomic<void*> data_{nullptr};
  std::atomic<uint32_t> signal_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

// oneDNN runs on OpenMP; inside a worker it must not start threads of its own.
void keep_openmp_single_threaded();

}  // namespace glia::interp::exec
