// held_bytes: the memory that a value holds beside itself, about. Structs with vectors or texts have a function of that name
// beside them, found by their type.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sightline::analyses {

template <typename T>
requires std::is_trivially_copyable_v<T>
constexpr std::int64_t held_bytes(const T&) { return 0; }

inline std::int64_t held_bytes(const std::string& text) {
  return text.capacity() > std::string().capacity() ? static_cast<std::int64_t>(text.capacity()) : 0;
}

template <typename T>
std::int64_t held_bytes(const std::shared_ptr<T>&) {
  return 0;  // it counts where it was made
}

inline std::int64_t held_bytes(const std::vector<bool>& flags) { return static_cast<std::int64_t>(flags.capacity() / 8); }

template <typename T>
std::int64_t held_bytes(const std::vector<T>& values) {
  auto bytes = static_cast<std::int64_t>(values.capacity() * sizeof(T));
  if constexpr (!std::is_trivially_copyable_v<T>) {
    for (const T& value : values) bytes += held_bytes(value);
  }
  return bytes;
}

// Of several members.
template <typename... Members>
requires(sizeof...(Members) > 1) std::int64_t held_bytes(const Members&... members) { return (held_bytes(members) + ...); }

}  // namespace sightline::analyses
