// What the program sends as JSON is described once: `describe(wire, value)` of a struct names its members, in their order.
//
//   template <typename Wire>
//   void describe(Wire& wire, const LineMark& mark) {
//     wire.type("LineMark");
//     wire.must("x", mark.x);
//     wire.must("label", mark.label);
//   }
//
// JsonWire writes the members; output/wire_types declares them as a TypeScript interface. So the page's types are what is sent.
// A Wire has these functions; the last parameter of the first three documents the type:
//
//   type(name, doc)        what the struct is called in TypeScript
//   must(key, value, doc)  a member that is always there; an optional without a value is null
//   some(key, value, doc)  a member that is left out when it says nothing: it is empty, false or not set
//   kind(variant)          the member "kind": which of the variant's structs it holds (their `kKind`)
//   members(variant)       the members of that struct
//   messages()             how the texts are put together (docs/http.md)
//   remember(texts)        texts that cells hold and that are put together
#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/json_writer.h"
#include "model/report.h"

namespace sightline::output {

// An enum on the wire: `kType`, what it is called in TypeScript, and `kNames`, its values' names in their order.
template <typename Enum>
struct WireEnum;

template <>
struct WireEnum<Unit> {
  static constexpr std::string_view kType = "Unit";
  static constexpr auto kNames = [] {
    std::array<std::string_view, static_cast<std::size_t>(Unit::id) + 1> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = unit_name(static_cast<Unit>(i));
    return names;
  }();
};

template <>
struct WireEnum<CellType> {
  static constexpr std::string_view kType = "CellType";
  static constexpr std::array<std::string_view, 4> kNames{"integer", "real", "text", "flag"};
};

// A text in a place where names are written as well: a name, or a text of the program.
struct NameOrText {
  Message text;
};

// A number that is always known. A plain double may be NaN, which is null.
struct KnownNumber {
  double value = 0;
};
using WireNumber = std::variant<std::int64_t, double>;

// Cells of a column: of these rows, or of all.
struct SentCells {
  const Cells* cells = nullptr;
  std::optional<std::span<const std::uint32_t>> rows{};
};

template <typename T>
concept WireText = std::convertible_to<const T&, std::string_view>;

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

// Pairs of a key and a value, which are an object.
template <typename T>
concept WireMap = std::ranges::range<T> && requires(const std::ranges::range_value_t<T>& pair) {
  { pair.first } -> WireText;
  pair.second;
};

class JsonWire {
 public:
  explicit JsonWire(std::string& out) : json_(out) {}

  void type(std::string_view, std::string_view = "") {}

  template <typename T>
  void must(std::string_view key, const T& value, std::string_view = "") {
    json_.key(key);
    write(value);
  }

  template <typename T>
  void some(std::string_view key, const T& value, std::string_view = "") {
    if constexpr (kIsOptional<T>) {
      if (value) must(key, *value);
    } else if constexpr (std::same_as<T, bool>) {
      if (value) must(key, value);
    } else {
      if (!value.empty()) must(key, value);
    }
  }

  template <typename... Kinds>
  void kind(const std::variant<Kinds...>& value) {
    json_.member("kind", std::visit([](const auto& held) { return held.kKind; }, value));
  }

  template <typename... Kinds>
  void members(const std::variant<Kinds...>& value) {
    std::visit([this](const auto& held) { describe(*this, held); }, value);
  }

  void messages() { json_.messages(); }
  void remember(const std::vector<Message>& texts) {
    for (const Message& text : texts) json_.remember(text);
  }

  template <typename T>
  void write(const T& value) {
    if constexpr (std::same_as<T, bool> || std::same_as<T, Message>) {
      json_.value(value);
    } else if constexpr (std::is_enum_v<T>) {
      json_.value(WireEnum<T>::kNames[static_cast<std::size_t>(value)]);
    } else if constexpr (std::integral<T>) {
      json_.value(static_cast<std::int64_t>(value));
    } else if constexpr (std::floating_point<T>) {
      json_.value(static_cast<double>(value));
    } else if constexpr (std::same_as<T, KnownNumber>) {
      json_.value(value.value);
    } else if constexpr (std::same_as<T, NameOrText>) {
      json_.said(value.text);
    } else if constexpr (WireText<T>) {
      json_.value(std::string_view(value));
    } else if constexpr (std::same_as<T, Cell> || std::same_as<T, WireNumber>) {
      std::visit([this](const auto& held) { this->write(held); }, value);
    } else if constexpr (std::same_as<T, std::monostate>) {
      json_.null();
    } else if constexpr (std::same_as<T, SentCells>) {
      write_cells(value);
    } else if constexpr (kIsOptional<T>) {
      value ? write(*value) : void(json_.null());
    } else if constexpr (WireMap<T>) {
      json_.begin_object();
      for (const auto& [key, each] : value) must(key, each);
      json_.end_object();
    } else if constexpr (requires { value.begin() != value.end(); }) {
      json_.begin_array();
      for (const auto& each : value) write(each);
      json_.end_array();
    } else {
      json_.begin_object();
      describe(*this, value);
      json_.end_object();
    }
  }

 private:
  void write_cells(const SentCells& sent) {
    json_.begin_array();
    if (sent.rows) {
      for (const std::uint32_t row : *sent.rows) write((*sent.cells)[row]);
    } else {
      for (const Cell& cell : *sent.cells) write(cell);
    }
    json_.end_array();
  }

  JsonWriter json_;
};

template <typename T>
std::string wire_json(const T& value) {
  std::string out;
  JsonWire(out).write(value);
  return out;
}

// What is sent, as TypeScript: the text of web/src/base/wire.ts.
std::string wire_types();

}  // namespace sightline::output
