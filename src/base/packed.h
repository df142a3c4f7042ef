// Packing: values as bytes and back, for files that this program wrote and
// verified (the cache), and named sections of such a file. Numbers are as in
// memory; texts and lists begin with their length. A struct is packed by its
// members (SIGHTLINE_MEMBERS), a class by two functions, `pack(Packer&, const
// T&)` and `bool unpack(Unpacker&, T&)`. A type without either does not compile.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/layers.h"

// Lists all members of a struct. One that is missing does not compile.
#define SIGHTLINE_MEMBERS(Type, ...)       \
  inline auto members_of(Type& of) {       \
    auto& [__VA_ARGS__] = of;              \
    return std::tie(__VA_ARGS__);          \
  }                                        \
  inline auto members_of(const Type& of) { \
    auto& [__VA_ARGS__] = of;              \
    return std::tie(__VA_ARGS__);          \
  }

namespace sightline::base {

template <typename T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Packer {
 public:
  std::string take() { return std::move(out_); }

  template <Plain T>
  void add(const T& value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <std::same_as<std::string> Text>  // and no class that derives from it
  void add(const Text& text) {
    add_list(text);
  }
  template <typename T>
  void add(const std::vector<T>& values) {
    add_list(values);
  }
  template <Plain T, std::size_t N>
  void add(const std::array<T, N>& values) {
    out_.append(reinterpret_cast<const char*>(values.data()), sizeof values);
  }
  template <typename T>
  void add(const std::optional<T>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  template <typename A, typename B>
  void add(const std::pair<A, B>& pair) {
    add(pair.first);
    add(pair.second);
  }
  void add(const std::monostate&) {}
  template <typename... Kinds>
  void add(const std::variant<Kinds...>& value) {
    add(static_cast<std::uint8_t>(value.index()));
    std::visit([this](const auto& held) { this->add(held); }, value);
  }
  template <typename T>
  auto add(const T& value) -> decltype(members_of(value), void()) {
    std::apply([this](const auto&... members) { (this->add(members), ...); }, members_of(value));
  }
  template <typename T>
  auto add(const T& value) -> decltype(pack(*this, value)) {
    pack(*this, value);
  }

 private:
  template <typename List>
  void add_list(const List& values) {
    add(std::uint64_t{values.size()});
    using T = typename List::value_type;
    if constexpr (Plain<T>) {
      out_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    } else {
      for (const T& value : values) add(value);
    }
  }

  std::string out_;
};

// Its functions return false when the bytes are not those of a Packer with the same types.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : left_(bytes) {}

  bool at_end() const { return left_.empty(); }

  template <Plain T>
  bool get(T& value) {
    return copy(&value, sizeof value);
  }
  template <std::same_as<std::string> Text>
  bool get(Text& text) {
    return get_list(text);
  }
  template <typename T>
  bool get(std::vector<T>& values) {
    return get_list(values);
  }
  template <Plain T, std::size_t N>
  bool get(std::array<T, N>& values) {
    return copy(values.data(), sizeof values);
  }
  template <typename T>
  bool get(std::optional<T>& value) {
    bool known = false;
    if (!get(known)) return false;
    if (!known) return value.reset(), true;
    return get(value.emplace());
  }
  template <typename A, typename B>
  bool get(std::pair<A, B>& pair) {
    return get(pair.first) && get(pair.second);
  }
  bool get(std::monostate&) { return true; }
  template <typename... Kinds>
  bool get(std::variant<Kinds...>& value) {
    std::uint8_t kind = 0;
    return get(kind) && get_kind(value, kind, std::index_sequence_for<Kinds...>());
  }
  template <typename T>
  auto get(T& value) -> decltype(members_of(value), bool()) {
    return std::apply([this](auto&... members) { return (this->get(members) && ...); }, members_of(value));
  }
  template <typename T>
  auto get(T& value) -> decltype(unpack(*this, value)) {
    return unpack(*this, value);
  }

 private:
  bool copy(void* to, std::size_t size) {
    if (size > left_.size()) return false;
    if (size > 0) std::memcpy(to, left_.data(), size);
    left_ = left_.subspan(size);
    return true;
  }

  template <typename List>
  bool get_list(List& values) {
    std::uint64_t size = 0;
    using T = typename List::value_type;
    constexpr std::size_t kLeast = Plain<T> ? sizeof(T) : 1;  // bytes that one value takes
    if (!get(size) || size > left_.size() / kLeast) return false;
    values.resize(size);
    if constexpr (Plain<T>) return copy(values.data(), size * sizeof(T));
    for (auto& value : values) {
      if (!get(value)) return false;
    }
    return true;
  }

  template <typename Variant, std::size_t... Index>
  bool get_kind(Variant& value, std::uint8_t kind, std::index_sequence<Index...>) {
    bool whole = false;
    ((kind == Index ? void(whole = get(value.template emplace<Index>())) : void()), ...);
    return whole;
  }

  std::span<const std::byte> left_;
};

// ---- sections ----

struct Section {
  std::string name;
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  // keeps the bytes
};

using Sections = std::vector<Section>;

// Null when no section has this name.
inline const Section* find_section(const Sections& sections, std::string_view name) {
  for (const Section& section : sections) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

inline void add_section(Sections& sections, std::string name, std::string text) {
  const auto owner = std::make_shared<const std::string>(std::move(text));
  sections.push_back({std::move(name), std::as_bytes(std::span(*owner)), owner});
}

}  // namespace sightline::base
