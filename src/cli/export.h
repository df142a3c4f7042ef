// One profile in one format, as `export --format` and `view --output-format` have it.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/database.h"

namespace sightline::cli {

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
};

// Whether the format is one file per table, and the output a folder.
bool is_folder_format(const std::string& format);

// Whether the format can be written to that file or folder; empty: to stdout. Nothing is left there.
Result<bool> check_place(const std::string& output, const std::string& format);

// Errors in the arguments that can be found before anything is read.
Result<bool> check_export(const ExportOptions& options);

// Writes what was read. REQUIRES: check_export is content, and the engine makes timelines for chrome and perfetto. Returns the
// exit code.
int write_export(const Engine& engine, const ExportOptions& options);

}  // namespace sightline::cli
