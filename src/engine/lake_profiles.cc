#include "engine/lake_profiles.h"

#include <algorithm>
#include <chrono>

#include "base/text.h"
#include "engine/guarded.h"
#include "formats/lake/lake_paths.h"
#include "formats/registry.h"
#include "sql/sql_query.h"
#include "store/outside_profile.h"

namespace sightline::engine {

namespace {

constexpr char kStatement[] = "SELECT profile FROM ranks WHERE source = $trace AND profile IS NOT NULL LIMIT 1";
constexpr Failing kTaking{"not enough memory to read this file", "reading failed: {}"};

// As the lake names it; empty: it names none.
std::string named_in(const Profile& lake, const std::string& trace) {
  const SqlParameter parameters[] = {{"trace", trace}};
  const Result<SqlAnswer> answer = query_profile(lake, kStatement, SqlLimits{}, parameters);
  if (!answer || answer->table.rows() == 0) return "";
  const Cell cell = answer->table.columns.front().values[0];
  const std::string* const path = std::get_if<std::string>(&cell);
  return path == nullptr ? "" : *path;
}

// What the cache keeps of the record of the lake's file: names and figures, with the trace as the source.
Result<Record> record_for_cache(const Record& in_file, const std::string& trace) {
  const std::string reader(record_value(in_file, "reader"));
  const auto& all = formats::readers();
  const auto known = std::find_if(all.begin(), all.end(), [&](const Reader& each) { return each.id == reader; });
  if (known == all.end() || known->has_own_tables) return Error{ErrorCode::malformed, "no reader of this program wrote it", ""};
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  Record record{{"path", trace},
                {"named", "no"},
                {"reader", reader},
                {"seconds", "0"},
                {"read_at", std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now).count())}};
  for (const char* name : {"directory", "run", "worker", "stamp", "role"})
    record.emplace_back(name, to_utf8(record_value(in_file, name)));
  for (const char* name : {"bytes", "events", "text_bytes"})
    record.emplace_back(name, std::to_string(record_number(in_file, name, 0)));
  add_identity(record, identity_in(in_file));
  return record;
}

Result<std::string> take(ProfileCache& cache, const Capture& lake, const std::string& file, const std::string& trace) {
  if (!file.starts_with("profiles/") || !formats::is_inside_lake(file))
    return Error{ErrorCode::malformed, "a path does not lead into the lake", lake.shown_path()};
  return guarded(kTaking, file, [&] {
    return keep_outside_profile(cache, formats::lake_of(lake.path) + file,
                                [&](const Record& in_file) { return record_for_cache(in_file, trace); });
  });
}

}  // namespace

std::optional<Result<std::string>> profile_in_lakes(const Catalogue& catalogue, Loader& loader, ProfileCache& cache,
                                                    const std::string& path) {
  std::optional<Result<std::string>> found;
  for (const CapturePtr& capture : catalogue.all()) {
    if (!capture->reader->has_own_tables || capture->from_cache || capture->uploaded || capture->status() != LoadStatus::ready)
      continue;
    const Result<LoadedProfilePtr> lake = loader.open(capture);
    if (!lake || (*lake)->profile()->lake_files.rows() == 0) continue;
    const std::string file = named_in(*(*lake)->profile(), path);
    if (file.empty()) continue;
    found = take(cache, *capture, file, path);
    if (*found) return found;
  }
  return found;
}

}  // namespace sightline::engine
