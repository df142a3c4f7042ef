// A profile with arbitrary values in every column and fact: no trace results in it, and only storage tests use it.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "model/profile.h"

namespace sightline::tests {

inline Profile random_profile(std::uint32_t seed, std::size_t most_rows) {
  std::mt19937_64 random(seed);
  Profile profile;
  for (std::size_t i = random() % (most_rows + 1); i > 0; --i) {
    std::string text(random() % 40, '\0');
    for (char& c : text) c = static_cast<char>(random());
    profile.strings.intern(text);
  }
  Profile::visit_tables(profile, [&](auto& table) {
    const std::size_t rows = random() % 5 == 0 ? 0 : random() % (most_rows + 1);
    table.for_each_column([&]<typename T>(const ColumnInfo&, Column<T>& column) {
      column.resize(rows);
      for (std::size_t i = 0; i < rows; ++i) {
        if constexpr (std::is_same_v<T, bool>) {
          column[i] = random() % 2 == 0;
        } else if constexpr (std::is_floating_point_v<T>) {
          column[i] = random() % 3 == 0 ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(random()) / T{3};
        } else {
          column[i] = static_cast<T>(random());
        }
      }
    });
  });
  Profile::visit_facts(profile, [&](std::string_view, auto& fact) {
    using Value = std::decay_t<decltype(fact)>;
    if constexpr (std::is_same_v<Value, std::string>) {
      fact = std::string("a \n b\0c", 7) + std::to_string(random());
    } else if constexpr (std::is_same_v<Value, bool>) {
      fact = random() % 2 == 0;
    } else {
      fact = random() % 4 == 0 ? kUnknown : static_cast<Value>(random());
    }
  });
  return profile;
}

// The first difference, or empty: bytes of every column (so that NaN equals NaN), texts, and facts.
inline std::string difference(const Profile& a, const Profile& b) {
  std::string found;
  const auto bytes = [](const auto& column) {
    return std::string_view(reinterpret_cast<const char*>(column.data()), column.size() * sizeof(column[0]));
  };
  std::vector<std::string> of_a;
  Profile::visit_tables(a, [&](const auto& table) {
    table.for_each_column([&](const ColumnInfo&, const auto& column) { of_a.emplace_back(bytes(column)); });
  });
  std::size_t next = 0;
  Profile::visit_tables(b, [&](const auto& table) {
    table.for_each_column([&](const ColumnInfo& info, const auto& column) {
      if (of_a[next++] != bytes(column) && found.empty()) found = std::string(table.kName).append(".").append(info.name);
    });
  });
  if (a.strings.size() != b.strings.size()) return "number of strings";
  for (std::size_t i = 0; i < a.strings.size(); ++i) {
    const auto id = static_cast<StringId>(i);
    if (a.text(id) != b.text(id)) return "string " + std::to_string(i);
    if (b.strings.find(a.text(id)) != id) return "finding string " + std::to_string(i);
  }
  std::vector<std::string> facts;
  const auto collect = [&](std::string_view, const auto& fact) {
    if constexpr (std::is_same_v<std::decay_t<decltype(fact)>, std::string>) {
      facts.push_back(fact);
    } else {
      facts.push_back(std::to_string(fact));
    }
  };
  Profile::visit_facts(a, collect);
  const std::vector<std::string> facts_of_a = std::move(facts);
  facts.clear();
  Profile::visit_facts(b, collect);
  return found.empty() && facts != facts_of_a ? "a fact" : found;
}

}  // namespace sightline::tests
