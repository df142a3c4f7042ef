// One profile in one format, for `export --format` and `view --output-format`; and the timeline of profiles as points of an
// InfluxDB, for
// --db-endpoint, --db-org and --db-bucket.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "engine/engine.h"

namespace sightline::cli {

// ---- databases ----

struct DatabaseChoice {
  std::string endpoint, organisation, bucket;

  bool any() const { return !endpoint.empty() || !organisation.empty() || !bucket.empty(); }
};

void add_database_options(CLI::App& command, DatabaseChoice& choice);

// Whether the choice, or the settings, contain the address of a database. Sends no request.
Result<bool> check_database(const DatabaseChoice& choice);

// Writes each profile to the chosen bucket, else to a separate bucket with the name
// of the profile (profile_name), and prints what was written. Other values come from
// INFLUX_TOKEN and from the settings of the `influx` program. Returns the exit code.
int write_to_database(const Answers& answers, const std::vector<ProfileSelector>& profiles, const DatabaseChoice& choice);

// ---- exports ----

struct ExportOptions {
  std::vector<std::string> paths;
  ProfileSelector selector;
  std::string format = "chrome";
  std::string start, end, lanes;
  std::string tables;
  bool all = false;
  std::string output;
  DatabaseChoice database;
  std::string views;
  unsigned threads = 0;
  CacheChoice cache;
  std::int64_t memory = 0;
  CostTexts costs;
};

// Whether the format is one file per table, and the output a folder.
bool is_folder_format(const std::string& format);

// Whether the format can be written to that file or folder; empty: to stdout. The check leaves no file behind.
Result<bool> check_place(const std::string& output, const std::string& format);

// Errors in the arguments that can be found before anything is read.
Result<bool> check_export(const ExportOptions& options);

// Writes the profiles that were read. REQUIRES:
// check_export returned true, and the engine makes
// timelines for chrome and perfetto. Returns the exit code.
int write_export(const Engine& engine, const ExportOptions& options);

}  // namespace sightline::cli
