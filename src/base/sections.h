// Section: a named piece of bytes that was computed from something and is kept beside it in a file.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/layers.h"

namespace sightline::base {

struct Section {
  std::string name;
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  // keeps the bytes
};

using Sections = std::vector<Section>;

// Null when there is no such section.
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
