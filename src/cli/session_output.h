// What `view` does instead of serving: --ingest-only and --output-format.
#pragma once

#include <string>

#include "cli/database.h"
#include "cli/export.h"
#include "engine/engine.h"
#include "store/profile_cache.h"

namespace sightline::cli {

struct OutputChoice {
  bool ingest_only = false;
  std::string format;  // empty: the page is served
  std::string file;
  DatabaseChoice database;

  bool serves() const { return !ingest_only && format.empty(); }
};

void add_output_options(CLI::App& command, OutputChoice& choice);

// Errors in the choice that can be found before anything is read.
Result<bool> check_output(const OutputChoice& choice);

// Writes every profile that was read in the format chosen, or its points to the database that was; then, with --ingest-only, says
// what each is called in the cache. REQUIRES: the engine has read all. Returns the exit code.
int write_outputs(const Engine& engine, const OutputChoice& choice, const ProfileCache* cache);

}  // namespace sightline::cli
