// --db-endpoint, --db-org and --db-bucket: writing the timeline of profiles to an InfluxDB.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace sightline::cli {

struct DatabaseChoice {
  std::string endpoint, organisation, bucket;

  bool any() const { return !endpoint.empty() || !organisation.empty() || !bucket.empty(); }
};

void add_database_options(CLI::App& command, DatabaseChoice& choice);

// Whether what was chosen, or is set elsewhere, is the address of a database. Sends no request.
Result<bool> check_database(const DatabaseChoice& choice);

// Writes each profile to the bucket that was named, else to one of its own, called as profile_name calls it; says what was
// written. What was not chosen is taken from INFLUX_TOKEN and from the settings of the `influx` program. Returns the exit code.
int write_to_database(const Engine& engine, const std::vector<ProfileSelector>& profiles, const DatabaseChoice& choice);

}  // namespace sightline::cli
