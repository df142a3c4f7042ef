// Whether tests run under AddressSanitizer, whose own memory counts against the limits of memory that some tests set, or under
// ThreadSanitizer, which delivers a signal later than it comes.
#pragma once

namespace sightline::tests {

#if defined(__has_feature)
inline constexpr bool kClangSanitizes = __has_feature(address_sanitizer);  // takes more than GCC's
inline constexpr bool kSignalsComeLate = __has_feature(thread_sanitizer);
#else
inline constexpr bool kClangSanitizes = false;
inline constexpr bool kSignalsComeLate = false;
#endif
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = kClangSanitizes;
#endif

}  // namespace sightline::tests
