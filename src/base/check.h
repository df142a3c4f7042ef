// CHECK(condition): stops the program with file and line when one of our own assumptions is false.
// Never for input: damaged input is a Result or a row in `problems`.
#pragma once

#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                                      \
  do {                                                                                        \
    if (!(condition)) {                                                                       \
      std::fprintf(stderr, "%s:%d: broken assumption: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                           \
    }                                                                                         \
  } while (false)
