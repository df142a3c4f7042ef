// Memory by mallopt, /proc/self/statm and mmap.
#include "base/memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>  // defines __GLIBC__ where it is glibc
#include <cstring>
#include <new>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __linux__
#include <sys/mman.h>

#include <map>
#include <mutex>
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

// ---- long memory ----

namespace {

constexpr std::size_t kLong = std::size_t{1} << 20;  // bytes

void* checked(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

#ifdef __linux__

// How many mappings share_repeated_values made, by the memory that they are in. A process may have 65,530.
class SharedMappings {
 public:
  // Whether there may be `count` more.
  bool add(const void* memory, std::size_t count) {
    constexpr std::size_t kMost = 16'384;
    const std::lock_guard lock(mutex_);
    if (all_ + count > kMost) return false;
    all_ += count;
    by_memory_[memory] += count;
    return true;
  }
  void forget(const void* memory) {
    const std::lock_guard lock(mutex_);
    const auto at = by_memory_.find(memory);
    if (at == by_memory_.end()) return;
    all_ -= at->second;
    by_memory_.erase(at);
  }

 private:
  std::mutex mutex_;
  std::size_t all_ = 0;
  std::map<const void*, std::size_t> by_memory_;
};

SharedMappings& shared_mappings() {
  static SharedMappings& all = *new SharedMappings;  // columns may be freed until the program ends
  return all;
}

void* map_memory(std::size_t size) {
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return checked(memory == MAP_FAILED ? nullptr : memory);
}

#endif

}  // namespace

void* new_memory(std::size_t size) {
#ifdef __linux__
  if (size >= kLong) return map_memory(size);
#endif
  return checked(std::calloc(size, 1));
}

void* resize_memory(void* memory, std::size_t old, std::size_t size) {
  if (old < kLong && size < kLong) return checked(std::realloc(memory, size));
#ifdef __linux__
  if (old >= kLong && size >= kLong) {
    void* const moved = ::mremap(memory, old, size, MREMAP_MAYMOVE);
    if (moved != MAP_FAILED) return moved;  // else it is several mappings
  }
#endif
  void* const copy = new_memory(size);
  std::memcpy(copy, memory, std::min(old, size));
  delete_memory(memory, old);
  return copy;
}

void delete_memory(void* memory, std::size_t size) {
#ifdef __linux__
  if (size >= kLong) {
    shared_mappings().forget(memory);
    ::munmap(memory, size);
    return;
  }
#endif
  std::free(memory);
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

// The end of the run of whole pages from `page` on that repeat the value at its beginning.
std::byte* end_of_run(std::byte* page, const std::byte* last, std::size_t page_size, std::size_t value_size) {
  if (std::memcmp(page, page + value_size, page_size - value_size) != 0) return page;
  std::byte* end = page + page_size;
  while (end + page_size <= last && std::memcmp(page, end, page_size) == 0) end += page_size;
  return end;
}

// False if nothing more can be shared.
bool share_run(void* memory, std::byte* first, std::byte* last, std::size_t page_size, std::size_t value_size) {
  constexpr std::size_t kPieces = 16;
  const auto size = static_cast<std::size_t>(last - first);
  const std::size_t piece = (size / kPieces + page_size - 1) / page_size * page_size;
  if (!shared_mappings().add(memory, kPieces + 1)) return false;
  const int file = piece_of({first, value_size}, piece);
  if (file < 0) return false;
  bool mapped = true;  // a mapping that fails leaves the memory that was there
  for (std::size_t at = 0; mapped && at < size; at += piece) {
    void* const place = ::mmap(first + at, std::min(piece, size - at), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0);
    mapped = place == first + at;
  }
  ::close(file);
  return mapped;
}

}  // namespace

void share_repeated_values(void* memory, std::size_t size, std::size_t from, std::size_t value_size) {
  constexpr std::ptrdiff_t kShortestRun = std::ptrdiff_t{64} << 10;  // bytes
  if (size < kLong) return;
  const auto page_size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::byte* const begin = static_cast<std::byte*>(memory);
  const std::byte* const last = begin + size;
  for (std::byte* page = begin + (from + page_size - 1) / page_size * page_size; page + page_size <= last;) {
    std::byte* const end = end_of_run(page, last, page_size, value_size);
    if (end - page >= kShortestRun && !share_run(memory, page, end, page_size, value_size)) return;
    page = std::max(end, page + page_size);
  }
}

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

void share_repeated_values(void*, std::size_t, std::size_t, std::size_t) {}

std::shared_ptr<const void> repeated_memory(std::span<const std::byte>, std::size_t) { return nullptr; }

#endif

}  // namespace sightline::base
