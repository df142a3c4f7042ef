// sightline servers: the addresses of this user's servers that run, with their tokens.
#include "base/json_writer.h"
#include "cli/command.h"
#include "server/running_servers.h"
#include "store/profile_cache.h"

namespace sightline::cli {

namespace {

std::string servers_text(const std::vector<RunningServer>& servers) {
  std::string text;
  for (const RunningServer& server : servers) {
    const std::string where = server.machine == machine_name() ? "" : " on " + server.machine;
    text += server.address + "  process " + std::to_string(server.pid) + where + ": " +
            (server.shows.empty() ? "all profiles in the cache" : server.shows) + "\n";
  }
  return text;
}

std::string servers_json(const std::vector<RunningServer>& servers) {
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const RunningServer& server : servers) {
    json.begin_object().member("address", server.address).member("machine", server.machine);
    json.member("pid", server.pid).member("shows", server.shows).end_object();
  }
  json.end_array();
  return text + "\n";
}

int run_servers(bool json) {
  const std::vector<RunningServer> servers = running_servers(cache_folder());
  if (json) return write_out(servers_json(servers));
  if (servers.empty()) complain("none of your servers is running, or it was started with --no-cache");
  return servers.empty() ? kDone : write_out(servers_text(servers));
}

}  // namespace

void add_servers_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("servers", "List your running servers, with their addresses and tokens");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Write JSON");
  command->callback([&run, json] { run = [json] { return run_servers(*json); }; });
}

}  // namespace sightline::cli
