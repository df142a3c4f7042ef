// What libraries and headers of Debian 12 use of glibc after 2.27, for the portable build (cmake/portable.cmake). The linker
// takes from here what the old glibc lacks; a call of a newer function that is not here fails to link.
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <cstdarg>
#include <ctime>

extern "C" {

// 2.32: whether the process has one thread, so that reference counts need no atomic operation. False is always right.
char __libc_single_threaded = 0;

// 2.28: for programs with 64-bit offsets, which is all there are on a 64-bit machine.
int fcntl64(int file, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return ::fcntl(file, command, argument);
}

// 2.34
int close_range(unsigned first, unsigned last, int flags) {
  return static_cast<int>(::syscall(SYS_close_range, first, last, flags));
}

// 2.30: waits until `until` of `clock`. The old function knows the clock of the condition only, which is the wall clock. A wait
// that ends early because that clock was set ends without an error, as a spurious wakeup does.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  if (clock == CLOCK_REALTIME) return ::pthread_cond_timedwait(condition, mutex, until);
  constexpr long kSecond = 1'000'000'000;
  timespec now{}, wall{};
  ::clock_gettime(clock, &now);
  ::clock_gettime(CLOCK_REALTIME, &wall);
  wall.tv_sec += until->tv_sec - now.tv_sec;
  wall.tv_nsec += until->tv_nsec - now.tv_nsec;
  if (wall.tv_nsec < 0) wall.tv_sec -= 1, wall.tv_nsec += kSecond;
  if (wall.tv_nsec >= kSecond) wall.tv_sec += 1, wall.tv_nsec -= kSecond;
  const int result = ::pthread_cond_timedwait(condition, mutex, &wall);
  if (result != ETIMEDOUT) return result;
  ::clock_gettime(clock, &now);
  const bool reached = now.tv_sec > until->tv_sec || (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec);
  return reached ? ETIMEDOUT : 0;
}

}  // extern "C"
