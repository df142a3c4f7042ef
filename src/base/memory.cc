// Memory by mallopt, /proc/self/statm and mmap.
#include "base/memory.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>  // defines __GLIBC__ where it is glibc

#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#endif

namespace sightline::base {

// ---- reuse ----

void reuse_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that glibc allows; a large profile's columns are longer
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

void return_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// ---- limits ----

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
  if (bytes > 0) return_freed_memory();  // memory that is reused would not count
  before_ = bytes > 0 ? memory_in_use() : 0;
  was_reached_ = false;
}

bool MemoryLimit::reached() {
  if (bytes_ <= 0) return false;
  const bool now = memory_in_use() - before_ > bytes_ / 10 * 3;
  if (now) was_reached_ = true;
  return now;
}

// ---- repeated values ----

#ifdef __linux__

namespace {

constexpr std::size_t kLeast = std::size_t{1} << 20;  // bytes of a piece
constexpr std::size_t kMappings = 256;                // of one memory, at most: a process has 65,530

// A file in memory that contains the values; -1 when the system cannot make one.
int piece_of(std::span<const std::byte> value, std::size_t size) {
  const int file = ::memfd_create("repeated", MFD_CLOEXEC);
  if (file < 0) return -1;
  void* const at = ::ftruncate(file, static_cast<off_t>(size)) == 0
                       ? ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                       : MAP_FAILED;
  if (at == MAP_FAILED) {
    ::close(file);
    return -1;
  }
  auto* const bytes = static_cast<std::byte*>(at);
  for (std::size_t i = 0; i < size; i += value.size()) std::memcpy(bytes + i, value.data(), value.size());
  ::munmap(at, size);
  return file;
}

}  // namespace

std::shared_ptr<const void> repeated_memory(std::span<const std::byte> value, std::size_t size) {
  std::size_t piece = kLeast;
  while (size / piece >= kMappings) piece *= 2;
  const std::size_t whole = (size + piece - 1) / piece * piece;
  const int file = piece_of(value, piece);
  if (file < 0) return nullptr;
  void* const memory = ::mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  bool mapped = memory != MAP_FAILED;
  for (std::size_t at = 0; mapped && at < whole; at += piece) {
    void* const place = static_cast<std::byte*>(memory) + at;
    mapped = ::mmap(place, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0) == place;
  }
  ::close(file);
  if (memory == MAP_FAILED) return nullptr;
  std::shared_ptr<const void> owner(memory, [whole](const void* begin) { ::munmap(const_cast<void*>(begin), whole); });
  return mapped ? owner : nullptr;
}

#else

std::shared_ptr<const void> repeated_memory(std::span<const std::byte>, std::size_t) { return nullptr; }

#endif

}  // namespace sightline::base
