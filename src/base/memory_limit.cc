// MemoryLimit over /proc/self/statm.
#include "base/memory_limit.h"

#include <unistd.h>

#include <cstdio>

#include "base/memory_reuse.h"

namespace sightline::base {

std::int64_t memory_in_use() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  long long size = 0, resident = 0, of_files = 0;  // pages
  const int known = std::fscanf(file, "%lld %lld %lld", &size, &resident, &of_files);
  std::fclose(file);
  return known == 3 ? (resident - of_files) * ::sysconf(_SC_PAGESIZE) : 0;
}

void MemoryLimit::begin(std::int64_t bytes) {
  bytes_ = bytes;
  if (bytes > 0) return_freed_memory();  // else what is taken from there would not count
  before_ = bytes > 0 ? memory_in_use() : 0;
  was_reached_ = false;
}

bool MemoryLimit::reached() {
  if (bytes_ <= 0) return false;
  const bool now = memory_in_use() - before_ > bytes_ / 10 * 3;
  if (now) was_reached_ = true;
  return now;
}

}  // namespace sightline::base
