// mallopt: thresholds above which memory comes from, and goes back to, the system.
#include "base/memory_reuse.h"

#include <cstdlib>  // defines __GLIBC__ where it is glibc

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace sightline::base {

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

}  // namespace sightline::base
