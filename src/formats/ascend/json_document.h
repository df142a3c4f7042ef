// Small JSON files as trees, and what those of a recording say about it: the setup, the rank, the names of groups.
#pragma once

#include <simdjson.h>

#include <memory>
#include <string>

#include "base/result.h"
#include "model/profile.h"

namespace sightline::formats::ascend {

// ---- documents ----
// JsonDocument: a small JSON file as a tree. Repairs what these files contain beyond JSON: control characters in strings, and
// N/A in place of a value.

class JsonDocument {
 public:
  // malformed: names the byte at which the text stops being JSON; unsupported: it has more than `most` bytes.
  static Result<JsonDocument> open(const std::string& path, std::size_t most);

  simdjson::dom::element root() const { return root_; }

 private:
  std::unique_ptr<simdjson::dom::parser> parser_ = std::make_unique<simdjson::dom::parser>();
  simdjson::dom::element root_;
};

// A member as a real, written as a number or as text; NaN for anything else.
double real_member(simdjson::dom::object object, std::string_view key);

// A member as text: the content of a string, or the JSON of anything else; empty if it is absent.
std::string text_member(simdjson::dom::object object, std::string_view key);

// ---- about the recording ----
// profiler_info*.json and profiler_metadata.json: how the recording was set up, the rank, and the names of groups of ranks. A
// file of more than `most_json` bytes is not read, and becomes a problem.

// Fills rank and metadata: every leaf under its path, such as "config.common_config.with_stack".
void add_profiler_info(const std::string& path, std::size_t most_json, Profile& profile);

// Adds metadata and the size of the job, and names the groups of collectives. REQUIRES: name_groups.
void add_profiler_metadata(const std::string& path, std::size_t most_json, Profile& profile);

}  // namespace sightline::formats::ascend
