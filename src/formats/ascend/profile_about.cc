// Metadata of a recording.
#include "formats/ascend/profile_about.h"

#include "formats/ascend/json_document.h"
#include "formats/trace_events/decimal.h"

namespace sightline::formats::ascend {

namespace {

namespace dom = simdjson::dom;

constexpr int kDeepest = 6;

void add_leaves(dom::element value, const std::string& path, int depth, Profile& profile) {
  dom::object members;
  if (depth < kDeepest && value.get(members) == simdjson::SUCCESS) {
    for (const auto& [key, member] : members) {
      add_leaves(member, path.empty() ? std::string(key) : path + '.' + std::string(key), depth + 1, profile);
    }
    return;
  }
  std::string_view text;
  profile.metadata.key.push_back(profile.strings.intern(path));
  profile.metadata.value.push_back(
      profile.strings.intern(value.get(text) == simdjson::SUCCESS ? std::string(text) : simdjson::minify(value)));
}

// Stated by the profiler, or by the launcher among the arguments of the job.
void add_world_size(dom::element root, Profile& profile) {
  dom::object whole, arguments;
  if (root.get(whole) != simdjson::SUCCESS) return;
  const auto take = [&](dom::object from) {
    const std::int64_t size = trace_events::parse_integer(text_member(from, "world_size")).value_or(kUnknown);
    if (size > 0) profile.world_size = size;
  };
  if (whole["distributed_args"].get(arguments) == simdjson::SUCCESS) take(arguments);
  take(whole);
}

void note_unreadable(const Error& error, Profile& profile) {
  profile.add_problem(Severity::warning, "unreadable_file", error.to_string() + "; how the recording was set up is not known", 1,
                      0);
}

}  // namespace

void add_profiler_info(const std::string& path, std::size_t most_json, Profile& profile) {
  const Result<JsonDocument> document = JsonDocument::open(path, most_json);
  if (!document) return note_unreadable(document.error(), profile);
  add_leaves(document->root(), "", 0, profile);
  dom::object root;
  if (document->root().get(root) == simdjson::SUCCESS) {
    const std::int64_t rank = trace_events::parse_integer(text_member(root, "rank_id")).value_or(kUnknown);
    if (rank >= 0) profile.rank = rank;
  }
}

void add_profiler_metadata(const std::string& path, std::size_t most_json, Profile& profile) {
  const Result<JsonDocument> document = JsonDocument::open(path, most_json);
  if (!document) return note_unreadable(document.error(), profile);
  add_leaves(document->root(), "", 0, profile);
  add_world_size(document->root(), profile);
  dom::object groups;
  if (document->root()["parallel_group_info"].get(groups) != simdjson::SUCCESS) return;
  Collectives& c = profile.collectives;
  for (const auto& [key, value] : groups) {
    dom::object group;
    if (value.get(group) != simdjson::SUCCESS) continue;
    const StringId id = profile.strings.find(key);
    const StringId name = profile.strings.intern(text_member(group, "group_name"));
    const StringId ranks = profile.strings.intern(text_member(group, "global_ranks"));
    dom::array list;
    const bool listed = group["global_ranks"].get(list) == simdjson::SUCCESS;
    for (Row i = 0; i < c.rows() && id != StringId::none; ++i) {
      if (c.group[i] != id) continue;
      c.group_about[i] = name;
      c.group_ranks[i] = ranks;
      if (listed) c.group_size[i] = static_cast<std::int64_t>(list.size());
    }
    Transfers& t = profile.transfers;
    for (Row i = 0; i < t.rows() && id != StringId::none; ++i) {
      if (t.group[i] == id) t.group_ranks[i] = ranks;
    }
  }
}

}  // namespace sightline::formats::ascend
