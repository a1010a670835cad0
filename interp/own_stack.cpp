// A stack as deep as recursive programs need. The address space is reserved, and committed page by page as it is used.
#include <pthread.h>
#include <sys/mman.h>

#include <exception>

#include "interp/frame.h"

namespace glia::interp {

namespace {
constexpr size_t smallest = size_t{8} << 20;
constexpr size_t kept_free = size_t{1} << 20;  // for what runs between two looks at the stack, and the guard

struct Job {
  const std::function<void(size_t)>& work;
  size_t usable;
  std::exception_ptr failed;
};

void* run_job(void* at) {
  Job& job = *static_cast<Job*>(at);
  try {
    job.work(job.usable);
  } catch (...) {
    job.failed = std::current_exception();
  }
  return nullptr;
}

bool run_thread(void* memory, size_t bytes, Job& job) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread{};
  const bool started = pthread_attr_setstack(&attributes, memory, bytes) == 0 && pthread_create(&thread, &attributes, run_job, &job) == 0;
  pthread_attr_destroy(&attributes);
  if (started) pthread_join(thread, nullptr);
  return started;
}

// Whether the work was run.
bool try_with(size_t bytes, const std::function<void(size_t)>& work, std::exception_ptr& failed) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return false;
  mprotect(memory, kept_free / 2, PROT_NONE);  // below it lies the memory of others
  Job job{work, bytes - kept_free, nullptr};
  const bool ran = run_thread(memory, bytes, job);
  munmap(memory, bytes);
  failed = job.failed;
  return ran;
}
}  // namespace

void on_own_stack(size_t bytes, const std::function<void(size_t usable)>& work) {
  std::exception_ptr failed;
  bool ran = false;
  for (size_t size = bytes; !ran && size >= smallest; size /= 2) ran = try_with(size, work, failed);
  if (!ran) work(size_t{4} << 20);  // no memory for another: on the caller's, with care
  if (failed) std::rethrow_exception(failed);
}

}  // namespace glia::interp
