// What every answer of a tool keeps to: a limit in bytes that is never exceeded silently, and names of a recording as data.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/result.h"
#include "model/report.h"

namespace sightline::agent {

inline constexpr std::size_t kMostBytes = 8192;           // of any answer
inline constexpr std::size_t kMostDiagnosisBytes = 2048;  // of a diagnosis
inline constexpr std::size_t kNameWidth = 100;            // columns of a name in a table

// A name or text from a recording, harmless to read: control characters, and those that are invisible or change the direction of
// writing, become blanks or U+FFFD; what is wider than `width` loses its middle ("…").
std::string quoted_name(std::string_view text, std::size_t width = kNameWidth);

// A number with at most nine significant digits; null when it is unknown.
void write_number(JsonWriter& json, double number);
void write_cell(JsonWriter& json, const Cell& cell, std::size_t name_width = kNameWidth);

// What a failed call answers: {"error": {...}}, with what would be valid in its message.
std::string error_text(const Error& error);

// "truncated": how many rows are shown of how many, and how to ask for less. `total` 0: unknown.
void write_truncated(JsonWriter& json, std::size_t shown, std::size_t total, std::string_view narrower);

// The longest text of at most `limit` bytes among write(0), ..., write(most), each of which is longer than the one before; empty
// when even write(0) is too long.
template <typename Write>
std::string longest_within(std::size_t limit, std::size_t most, const Write& write) {
  if (std::string all = write(most); all.size() <= limit) return all;
  std::string best = write(0);
  if (best.size() > limit) return {};
  for (std::size_t fits = 0, too_many = most; too_many - fits > 1;) {
    const std::size_t middle = fits + (too_many - fits) / 2;
    std::string text = write(middle);
    if (text.size() <= limit) {
      best = std::move(text);
      fits = middle;
    } else {
      too_many = middle;
    }
  }
  return best;
}

// ---- evidence ----
// An id names a row that the tool `view` shows: VIEW/PART#ROW, with the view's parameters that are not the default behind the
// view: "kernels?group_by=name/kernels#3". PART is a table, or a panel of facts, advice or a verdict.

struct Evidence {
  std::string view;
  LinkParameters parameters;
  std::string part;
  std::size_t row = 0;
};

std::string evidence_id(const Evidence& evidence);
Result<Evidence> parse_evidence(std::string_view id);

}  // namespace sightline::agent
