// Formats by the names that the retired tool gave them, and the files it wrote them to.
#include "cli/session_output.h"

#include <algorithm>
#include <filesystem>

#include "engine/profile_name.h"

namespace sightline::cli {

namespace {

struct Format {
  std::string_view name, exported, file;
};

// The last: the default file; empty: stdout.
constexpr Format kFormats[] = {{"summary-text", "summary-text", ""}, {"summary-json", "summary-json", ""},
                               {"json", "json", "ntff.json"},        {"perfetto", "perfetto", "ntff.pftrace"},
                               {"parquet", "parquet", ""},           {"db", "", ""}};

const Format& format_called(std::string_view name) {
  return *std::find_if(std::begin(kFormats), std::end(kFormats), [&](const Format& format) { return format.name == name; });
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  return names;
}

std::vector<ProfileSelector> ready_profiles(const Engine& engine, bool& all) {
  std::vector<ProfileSelector> ready;
  for (const CaptureState& capture : engine.state()) {
    if (capture.error) complain(capture.error->to_string());
    all = all && capture.status == LoadStatus::ready;
    if (capture.status == LoadStatus::ready) ready.push_back({capture.run, capture.worker, capture.span});
  }
  return ready;
}

// Of several profiles each has a file of its own: ntff.json becomes ntff-WORKER.json.
std::string file_of(const std::string& wanted, const ProfileSelector& profile, bool several) {
  if (wanted.empty() || !several) return wanted;
  std::string name = profile.worker + (profile.span == "default" ? "" : "-" + profile.span);
  std::replace(name.begin(), name.end(), '/', '_');
  const std::filesystem::path path = wanted;
  return (path.parent_path() / (path.stem().string() + "-" + name + path.extension().string())).string();
}

int write_profile(const Engine& engine, const OutputChoice& choice, const ProfileSelector& profile, bool several) {
  const Format& format = format_called(choice.format);
  ExportOptions options;
  options.selector = profile;
  options.format = format.exported;
  options.output = file_of(choice.file.empty() ? std::string(format.file) : choice.file, profile, several);
  if (is_folder_format(options.format) && options.output.empty()) {
    const Result<std::string> name = profile_name(engine, profile);
    if (!name) return fail(name.error());
    options.output = *name;
  }
  const int done = write_export(engine, options);
  return done != kDone || options.output.empty() ? done : write_out("written: " + options.output + "\n");
}

// A summary of several profiles is one answer.
int write_in_format(const Engine& engine, const OutputChoice& choice, const std::vector<ProfileSelector>& profiles) {
  if (choice.format.starts_with("summary-")) {
    ExportOptions options;
    options.format = choice.format;
    options.output = choice.file;
    options.all = true;
    return write_export(engine, options);
  }
  for (const ProfileSelector& profile : profiles) {
    const int done = write_profile(engine, choice, profile, profiles.size() > 1);
    if (done != kDone) return done;
  }
  return kDone;
}

int say_ready(const Engine& engine, const std::vector<ProfileSelector>& profiles, const ProfileCache& cache) {
  const std::vector<std::string> kept = cache.keys();
  for (const ProfileSelector& profile : profiles) {
    const Result<std::string> key = engine.content_key(profile);
    if (!key) return fail(key.error());
    if (std::find(kept.begin(), kept.end(), *key) == kept.end()) {
      complain(profile.worker + ": not kept in the cache");
      return kFailed;
    }
    const int said = write_out("Profile \"" + profile_name(*key) + "\" is ready to view\n");
    if (said != kDone) return said;
  }
  return kDone;
}

}  // namespace

void add_output_options(CLI::App& command, OutputChoice& choice) {
  command.add_flag("--ingest-only", choice.ingest_only, "Read into the cache, print the name of each profile, and do not serve");
  command
      .add_option("--output-format", choice.format,
                  "Write the profiles in this format and do not serve; db: points of an InfluxDB, see --db-endpoint")
      ->check(CLI::IsMember(format_names()));
  command.add_option(
      "--output-file", choice.file,
      "File to write (default: ntff.json, ntff.pftrace; for parquet a folder with the profile's name; for summaries stdout)");
  add_database_options(command, choice.database);
}

Result<bool> check_output(const OutputChoice& choice) {
  const bool into_file = !choice.format.empty() && choice.format != "db";
  if (!choice.file.empty() && !into_file)
    return Error{ErrorCode::invalid_argument, "--output-file needs an --output-format that writes a file", ""};
  if (choice.database.any() || choice.format == "db") {
    if (const Result<bool> sound = check_database(choice.database); !sound) return sound;
  }
  if (!into_file) return true;
  const Format& format = format_called(choice.format);
  return check_place(choice.file.empty() ? std::string(format.file) : choice.file, std::string(format.exported));
}

int write_outputs(const Engine& engine, const OutputChoice& choice, const ProfileCache* cache) {
  bool all = true;
  const std::vector<ProfileSelector> profiles = ready_profiles(engine, all);
  if (profiles.empty()) return kFailed;
  int done = kDone;
  if (choice.database.any() || choice.format == "db") done = write_to_database(engine, profiles, choice.database);
  if (done == kDone && !choice.format.empty() && choice.format != "db") done = write_in_format(engine, choice, profiles);
  if (done == kDone && choice.ingest_only && cache != nullptr) done = say_ready(engine, profiles, *cache);
  return done == kDone && !all ? kFailed : done;
}

}  // namespace sightline::cli
