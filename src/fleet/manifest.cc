#include "fleet/manifest.h"

#include <simdjson.h>

#include "base/json_writer.h"
#include "fleet/lake_layout.h"
#include "store/content_key.h"

namespace sightline::fleet {

std::int64_t rows_of(const LakeFiles& files, const std::string& table) {
  std::int64_t rows = 0;
  const auto of_table = files.find(table);
  if (of_table == files.end()) return rows;
  for (const LakeFile& file : of_table->second) rows += file.rows;
  return rows;
}

namespace {

using simdjson::dom::element;

Error malformed(const char* what, const std::string& where) {
  return {ErrorCode::malformed, say("not a {} of a lake that this program can read", what), where};
}

// ---- reading ----

// Members of an object; a missing one makes the whole wrong.
class Members {
 public:
  explicit Members(element object) : object_(object) {}

  bool has(const char* name) const { return object_[name].error() == simdjson::SUCCESS; }
  std::string text(const char* name) {
    std::string_view value;
    ok_ &= object_[name].get(value) == simdjson::SUCCESS;
    return std::string(value);
  }
  std::int64_t count(const char* name) {
    std::int64_t value = 0;
    ok_ &= object_[name].get(value) == simdjson::SUCCESS && value >= 0;
    return value;
  }
  std::vector<std::int64_t> counts(const char* name) {
    std::vector<std::int64_t> values;
    for (const element each : array(name)) {
      std::int64_t value = 0;
      ok_ &= each.get(value) == simdjson::SUCCESS;
      values.push_back(value);
    }
    return values;
  }
  std::vector<std::string> texts(const char* name) {
    std::vector<std::string> values;
    for (const element each : array(name)) {
      std::string_view value;
      ok_ &= each.get(value) == simdjson::SUCCESS;
      values.emplace_back(value);
    }
    return values;
  }
  std::vector<element> array(const char* name) {
    simdjson::dom::array values;
    ok_ &= object_[name].get(values) == simdjson::SUCCESS;
    if (!ok_) return {};
    return {values.begin(), values.end()};
  }
  // Empty where it is missing: an older version wrote the file.
  std::string text_if_any(std::string_view name) {
    std::string_view found;
    return object_[name].get(found) == simdjson::SUCCESS ? std::string(found) : std::string();
  }
  LakeFiles tables() {
    LakeFiles found;
    simdjson::dom::object all;
    if (object_["tables"].get(all) != simdjson::SUCCESS) {
      ok_ = false;
      return found;
    }
    for (const auto& [name, value] : all) {
      simdjson::dom::array files;
      if (value.get(files) != simdjson::SUCCESS) {
        ok_ = false;
        continue;
      }
      for (const element each : files) found[std::string(name)].push_back(file(each));
    }
    return found;
  }
  // Empty where they are missing: there are none, or an older version wrote the file.
  std::vector<LakeFile> files_if_any(const char* name) {
    std::vector<LakeFile> found;
    if (!has(name)) return found;
    for (const element each : array(name)) found.push_back(file(each));
    return found;
  }
  bool ok() const { return ok_; }

 private:
  LakeFile file(element from) {
    Members members(from);
    LakeFile found{members.text("path"), members.count("rows"), members.count("bytes"), members.text("xxh3")};
    ok_ &= members.ok();
    return found;
  }

  element object_;
  bool ok_ = true;
};

constexpr std::int64_t kFormat = 1;

// Calls `read` with the members of the text's object.
template <typename T, typename Read>
Result<T> parse(const char* what, const std::string& text, const std::string& where, Read&& read) {
  simdjson::dom::parser parser;
  element root;
  if (parser.parse(text).get(root) != simdjson::SUCCESS || !root.is_object()) return malformed(what, where);
  Members members(root);
  if (members.count("format") != kFormat) return malformed(what, where);
  T made = read(members);
  if (!members.ok()) return malformed(what, where);
  return made;
}

// ---- writing ----

void write_list_of_files(JsonWriter& json, std::string_view name, const std::vector<LakeFile>& files) {
  json.key(name).begin_array();
  for (const LakeFile& file : files) {
    json.begin_object().member("path", file.path).member("rows", file.rows).member("bytes", file.bytes);
    json.member("xxh3", file.checksum).end_object();
  }
  json.end_array();
}

void write_files(JsonWriter& json, const LakeFiles& tables, const ProfileFiles& profiles) {
  json.key("tables").begin_object();
  for (const auto& [name, files] : tables) write_list_of_files(json, name, files);
  json.end_object();
  if (!profiles.empty()) write_list_of_files(json, "profiles", profiles);
}

template <typename T>
void write_list(JsonWriter& json, std::string_view name, const std::vector<T>& values) {
  json.key(name).begin_array();
  for (const T& value : values) json.value(value);
  json.end_array();
}

// A line for each entry at the top, so that people can read it.
std::string finished(std::string text) { return text + "\n"; }

}  // namespace

std::string Plan::fingerprint() const {
  std::string text;
  for (const RankSource& rank : ranks) text.append(rank.worker).append("\n").append(rank.path).append("\n");
  return store::hex(store::checksum(text));
}

std::string plan_json(const Plan& plan) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().member("format", kFormat).member("capture", plan.capture).member("shards", plan.shards);
  json.key("ranks").begin_array();
  for (const RankSource& rank : plan.ranks) {
    json.begin_object().member("worker", rank.worker).member("path", rank.path).member("bytes", rank.bytes);
    if (!rank.role.empty()) json.member("role", rank.role);
    json.end_object();
  }
  json.end_array().end_object();
  return finished(std::move(text));
}

Result<Plan> parse_plan(const std::string& text, const std::string& where) {
  return parse<Plan>("plan", text, where, [](Members& from) {
    Plan plan{.capture = from.text("capture"), .shards = from.count("shards"), .ranks = {}};
    for (const element each : from.array("ranks")) {
      Members rank(each);
      plan.ranks.push_back(
          {std::ssize(plan.ranks), rank.text("worker"), rank.text("path"), rank.count("bytes"), rank.text_if_any("role")});
    }
    return plan;
  });
}

std::string manifest_json(const Manifest& m) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().member("format", kFormat).member("capture", m.capture).member("attempt", m.attempt);
  json.member("shard", m.shard).member("shards", m.shards).member("ranks", m.ranks).member("plan_ranks", m.plan_ranks);
  json.member("world_size", m.world_size).member("plan", m.plan).member("schema", m.schema).member("program", m.program);
  write_list(json, "failed", m.failed);
  write_list(json, "partial", m.partial);
  write_files(json, m.tables, m.profiles);
  json.end_object();
  return finished(std::move(text));
}

Result<Manifest> parse_manifest(const std::string& text, const std::string& where) {
  Result<Manifest> manifest = parse<Manifest>("manifest", text, where, [](Members& from) {
    return Manifest{.capture = from.text("capture"),
                    .attempt = from.text("attempt"),
                    .shard = from.count("shard"),
                    .shards = from.count("shards"),
                    .ranks = from.count("ranks"),
                    .failed = from.counts("failed"),
                    .partial = from.counts("partial"),
                    .world_size = from.count("world_size"),
                    .plan_ranks = from.count("plan_ranks"),
                    .plan = from.text("plan"),
                    .schema = from.text("schema"),
                    .program = from.text("program"),
                    .tables = from.tables(),
                    .profiles = from.files_if_any("profiles")};
  });
  if (manifest && manifest->shards > kMostShards) return malformed("manifest", where);
  return manifest;
}

std::string committed_json(const Committed& c) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().member("format", kFormat).member("capture", c.capture).member("round", c.round);
  json.member("partial", c.partial()).member("ranks", c.ranks).member("ranks_missing", c.ranks_missing);
  json.member("ranks_damaged", c.damaged).member("world_size", c.world_size).member("shards", c.shards);
  json.member("reduced", c.reduced).member("choice", c.choice).member("plan", c.plan).member("program", c.program);
  write_list(json, "missing_shards", c.missing_shards);
  write_list(json, "manifests", c.manifests);
  write_list(json, "removed_tables", c.removed_tables);
  write_files(json, c.tables, c.profiles);
  if (!c.gathered.empty()) write_list_of_files(json, "gathered", c.gathered);
  json.end_object();
  return finished(std::move(text));
}

Result<Committed> parse_committed(const std::string& text, const std::string& where) {
  return parse<Committed>("list of a capture's files", text, where, [](Members& from) {
    Committed c;
    c.capture = from.text("capture");
    c.choice = from.text("choice");
    c.program = from.text("program");
    c.plan = from.text("plan");
    c.round = from.count("round");
    c.shards = from.count("shards");
    c.missing_shards = from.counts("missing_shards");
    c.manifests = from.texts("manifests");
    if (from.has("removed_tables")) c.removed_tables = from.texts("removed_tables");
    c.ranks = from.count("ranks");
    c.damaged = from.count("ranks_damaged");
    c.world_size = from.count("world_size");
    c.ranks_missing = from.count("ranks_missing");
    c.tables = from.tables();
    c.profiles = from.files_if_any("profiles");
    c.gathered = from.files_if_any("gathered");
    c.reduced = c.tables.contains("rank_steps");
    return c;
  });
}

}  // namespace sightline::fleet
