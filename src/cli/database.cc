// Who the database is: options, then the environment, then the file that the `influx` program keeps its settings in. Of that
// file, which is TOML, the tables of plain texts and flags are understood: the program writes no others.
#include "cli/database.h"

#include <cstdlib>
#include <sstream>

#include "base/http_client.h"
#include "cli/command.h"
#include "engine/profile_name.h"
#include "output/line_database.h"
#include "output/line_protocol.h"
#include "store/file_io.h"

namespace sightline::cli {

namespace {

constexpr const char* kEndpoint = "http://localhost:8086";
constexpr std::size_t kMostSettingsBytes = 1 << 20;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") + 1 - first));
}

std::string unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

struct Settings {
  std::string url, token, org;
};

// Those of the connection that is active, or of the one that INFLUX_ACTIVE_CONFIG names.
Settings influx_settings() {
  std::string path = variable("INFLUX_CONFIGS_PATH");
  if (path.empty()) path = variable("HOME") + "/.influxdbv2/configs";
  const std::string wanted = variable("INFLUX_ACTIVE_CONFIG");
  Settings chosen, now;
  bool is_chosen = false;
  const auto end_table = [&] {
    if (is_chosen) chosen = now;
    now = {};
    is_chosen = false;
  };
  std::istringstream lines(read_small_file(path, kMostSettingsBytes).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line);
    if (line.starts_with('[')) {
      end_table();
      is_chosen = !wanted.empty() && line == "[" + wanted + "]";
      continue;
    }
    const std::size_t equals = line.find('=');
    if (line.starts_with('#') || equals == std::string::npos) continue;
    const std::string key = trimmed(line.substr(0, equals)), value = unquoted(trimmed(line.substr(equals + 1)));
    if (key == "url") now.url = value;
    if (key == "token") now.token = value;
    if (key == "org") now.org = value;
    if (key == "active" && wanted.empty()) is_chosen = value == "true";
  }
  end_table();
  return chosen;
}

std::string first_of(std::initializer_list<std::string> texts) {
  for (const std::string& text : texts) {
    if (!text.empty()) return text;
  }
  return "";
}

DatabaseAddress address_of(const DatabaseChoice& choice) {
  const Settings known = influx_settings();
  return {.endpoint = first_of({choice.endpoint, variable("INFLUX_HOST"), known.url, kEndpoint}),
          .organisation = first_of({choice.organisation, variable("INFLUX_ORG"), known.org}),
          .bucket = choice.bucket,
          .token = first_of({variable("INFLUX_TOKEN"), known.token})};
}

// How many points were written.
Result<std::int64_t> write_profile(const Profile& profile, const ProfileSelector& selector, LineDatabase& database) {
  Result<bool> written = true;
  const std::int64_t points =
      write_points(profile, {selector.run, selector.worker, selector.span}, {}, [&](std::string_view lines) {
        written = database.write(lines);
        return written.ok();
      });
  if (!written) return written.error();
  return points;
}

}  // namespace

void add_database_options(CLI::App& command, DatabaseChoice& choice) {
  command.add_option("--db-endpoint", choice.endpoint,
                     "InfluxDB to write the timeline to (default: INFLUX_HOST, the settings of influx, else " +
                         std::string(kEndpoint) + "); its token is INFLUX_TOKEN");
  command.add_option("--db-org", choice.organisation, "Organisation in it (default: INFLUX_ORG, else the settings of influx)");
  command.add_option("--db-bucket", choice.bucket, "Bucket, or database, to write to (default: the profile's name, n_...)");
}

Result<bool> check_database(const DatabaseChoice& choice) {
  const std::string endpoint = address_of(choice).endpoint;
  if (parse_http_address(endpoint)) return true;
  return Error{ErrorCode::invalid_argument, "an endpoint is http://HOST:PORT or https://HOST:PORT", endpoint};
}

int write_to_database(const Engine& engine, const std::vector<ProfileSelector>& profiles, const DatabaseChoice& choice) {
  for (const ProfileSelector& selector : profiles) {
    const Result<ProfilePtr> profile = engine.profile(selector);
    if (!profile) return fail(profile.error());
    DatabaseAddress address = address_of(choice);
    if (address.bucket.empty()) {
      const Result<std::string> name = profile_name(engine, selector);
      if (!name) return fail(name.error());
      address.bucket = *name;
    }
    Result<LineDatabase> database = LineDatabase::connect(address);
    if (!database) return fail(database.error());
    if ((**profile).origin_unix_ns == kUnknown)
      complain((**profile).file + ": the file has no date: the written times begin in 1970");
    const Result<std::int64_t> points = write_profile(**profile, selector, *database);
    if (!points) return fail(points.error());
    const int said =
        write_out(std::to_string(*points) + " points in bucket \"" + address.bucket + "\" of " + address.endpoint + "\n");
    if (said != kDone) return said;
  }
  return kDone;
}

}  // namespace sightline::cli
