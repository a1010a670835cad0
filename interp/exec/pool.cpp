// See pool.h.
#include "interp/exec/pool.h"

#include <dlfcn.h>

namespace glia::interp::exec {

static void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

void keep_openmp_single_threaded() {
  // libgomp comes with oneDNN and is not linked by name, so it is looked up where it is loaded.
  using Set = void (*)(int);
  if (void* f = dlsym(RTLD_DEFAULT, "omp_set_num_threads")) reinterpret_cast<Set>(f)(1);
}

Pool::Pool(size_t threads) {
  for (size_t w = 1; w < threads; ++w) threads_.emplace_back([this, w] { work(w); });
}

Pool::~Pool() {
  stop_ = true;
  ++signal_;
  signal_.notify_all();
  for (std::thread& t : threads_) t.join();
}

uint64_t Pool::take_chunks(size_t worker, uint64_t ticket) {
  while (static_cast<uint32_t>(ticket) != closed) {
    const size_t next = static_cast<uint32_t>(ticket);
    const Job job = job_.load();
    void* data = data_.load();
    if (next >= chunks_.load()) break;
    if (!ticket_.compare_exchange_weak(ticket, ticket + 1)) continue;
    job(data, worker, next);
    done_.fetch_add(1);
    ticket = ticket_.load();
  }
  return ticket;
}

void Pool::run(size_t chunks, Job job, void* data) {
  const uint64_t generation = (ticket_.load() >> 32) + 1;
  ticket_ = generation << 32 | closed;  // nobody takes a chunk while the job changes
  job_ = job;
  data_ = data;
  chunks_ = chunks;
  done_ = 0;
  ticket_ = generation << 32;
  ++signal_;
  signal_.notify_all();
  take_chunks(0, ticket_.load());
  for (int spin = 0; done_.load() != chunks; ++spin) spin < 4000 ? relax() : std::this_thread::yield();
}

void Pool::wait_for_job(uint32_t seen) {
  for (int spin = 0; spin < 4000; ++spin) {
    if (signal_.load() != seen) return;
    relax();
  }
  signal_.wait(seen);
}

void Pool::work(size_t worker) {
  keep_openmp_single_threaded();
  uint32_t seen = 0;
  while (!stop_) {
    wait_for_job(seen);
    seen = signal_.load();
    take_chunks(worker, ticket_.load());
  }
}

}  // namespace glia::interp::exec
