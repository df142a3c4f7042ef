// sightline map, and sightline fleet: the ranks of a job as tables in a lake (docs/fleet.md).
#include "fleet/commit.h"
#include "fleet/lake_layout.h"
#include "fleet/lake_tables.h"
#include "fleet/map_shard.h"

#include <fmt/core.h>

#include "base/remote/stored_files.h"
#include "base/text.h"
#include "cli/command.h"

namespace sightline::cli {

namespace {

// What schedulers understand (sysexits.h): another attempt may succeed, or none will.
constexpr int kTryAgain = 75, kNever = 65;

int fail_for_scheduler(const Error& error) {
  complain(error.to_string());
  switch (error.code) {
    case ErrorCode::unreadable:
    case ErrorCode::unavailable:
    case ErrorCode::cancelled: return kTryAgain;
    default: return kNever;
  }
}

// ---- map ----

struct MapCommand {
  std::vector<std::string> paths;
  std::string shard = "0/1", topology;
  MapOptions options;
};

int run_map(const MapCommand& command) {
  const Result<Shard> shard = parse_shard(command.shard);
  if (!shard) return fail(shard.error());
  MapOptions options = command.options;
  options.say = complain;
  if (!command.topology.empty()) {
    const Result<std::string> csv = stored_bytes(command.topology);
    Result<Topology> topology = csv ? parse_topology(*csv, command.topology) : Result<Topology>(csv.error());
    if (!topology) return fail_for_scheduler(topology.error());
    options.topology = *std::move(topology);
  }
  const Result<Plan> plan = make_plan(command.paths, options);
  if (!plan) return fail_for_scheduler(plan.error());
  const Result<Manifest> manifest = map_shard(*plan, *shard, options);
  if (!manifest) return fail_for_scheduler(manifest.error());
  return write_out(fmt::format("mapped: shard {} of {}, {} of {} ranks, {} failed, capture {}\n", manifest->shard,
                               manifest->shards, manifest->ranks, manifest->plan_ranks, manifest->failed.size(),
                               manifest->capture));
}

// ---- fleet plan ----

struct PlanCommand {
  std::vector<std::string> paths;
  std::int64_t shards = 0;
  MapOptions options;
};

int run_plan(const PlanCommand& command) {
  constexpr std::int64_t kRanksPerShard = 16;
  Result<Plan> plan = make_plan(command.paths, command.options);
  if (!plan) return fail_for_scheduler(plan.error());
  if (!command.options.capture.empty()) plan->capture = command.options.capture;
  if (const Result<bool> sound = check_capture_id(plan->capture); !sound) return fail(sound.error());
  const std::int64_t ranks = std::ssize(plan->ranks);
  plan->shards = command.shards > 0 ? command.shards : (ranks + kRanksPerShard - 1) / kRanksPerShard;
  const std::string path = path_in(command.options.lake, plan_file(plan->capture));
  const Result<bool> stored = store_file(path, plan_json(*plan));
  if (!stored) return fail_for_scheduler(stored.error());
  return write_out(fmt::format("planned: {} ranks in {} shards, capture {}\n{}\n", ranks, plan->shards, plan->capture, path));
}

// ---- fleet commit, list, clean ----

int run_commit(const CommitOptions& options) {
  const Result<CommitAnswer> answer = commit(options);
  if (!answer) return fail_for_scheduler(answer.error());
  const Committed& c = answer->committed;
  const std::string partial =
      c.partial() ? fmt::format("; partial: {} ranks and {} shards are missing", c.ranks_missing, c.missing_shards.size()) : "";
  return write_out(fmt::format("{}: capture {}, round {}, {} ranks of {} shards{}\n",
                               answer->already ? "committed already" : "committed", c.capture, c.round, c.ranks,
                               c.shards - std::ssize(c.missing_shards), partial));
}

int run_list(const std::string& lake) {
  const Result<std::vector<CaptureInLake>> captures = list_captures(lake);
  if (!captures) return fail(captures.error());
  std::string out;
  for (const CaptureInLake& each : *captures) {
    const auto& c = each.committed;
    const std::string state = !c             ? "not committed"
                              : c->partial() ? fmt::format("partial, {} ranks missing", c->ranks_missing)
                                             : "committed";
    const std::int64_t ranks = c ? c->ranks : 0;
    out += fmt::format("{}  {}  {} ranks  {} of {} shards mapped\n", each.capture, state, ranks, each.shards_mapped, each.shards);
  }
  return write_out(out.empty() ? "no captures\n" : out);
}

// "2d", "12h", "30m" or "10s" as seconds.
std::optional<double> parse_age(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto number = whole_number<std::int64_t>(text.substr(0, text.size() - 1));
  if (!number || *number < 0) return std::nullopt;
  switch (text.back()) {
    case 'd': return static_cast<double>(*number) * 86'400;
    case 'h': return static_cast<double>(*number) * 3'600;
    case 'm': return static_cast<double>(*number) * 60;
    case 's': return static_cast<double>(*number);
    default: return std::nullopt;
  }
}

// The tables that a list names; `captures` is all of them.
Result<CleanOptions> parse_drop(const std::vector<std::string>& names) {
  CleanOptions options;
  for (const std::string& name : names) {
    const bool may_go = name == "collectives" || name == "members" || name == "operators" || name == "kernels" ||
                        name == "problems" || name == "memory" || name == "matches";
    if (name != "captures" && name != "profiles" && !may_go)
      return Error{
          ErrorCode::invalid_argument,
          say("'{}' cannot be removed: name collectives, members, matches, kernels, operators, memory, problems, profiles, or "
              "captures",
              name),
          ""};
    if (name == "captures") options.whole = true;
    if (name == "profiles") options.profiles = true;
    if (may_go) options.tables.push_back(name);
  }
  return options;
}

struct CleanCommand {
  std::string lake, age = "2d";
  std::vector<std::string> drop;
  bool dry_run = false;
};

int run_clean(const CleanCommand& command) {
  Result<CleanOptions> options = parse_drop(command.drop);
  if (!options) return fail(options.error());
  options->older_than_seconds = *parse_age(command.age);
  options->dry_run = command.dry_run;
  const Result<Cleaned> cleaned = clean(command.lake, *options);
  if (!cleaned) return fail_for_scheduler(cleaned.error());
  std::string out;
  for (const std::string& file : cleaned->files) out += file + "\n";
  return write_out(out + fmt::format("{}: {} files, {} bytes\n", command.dry_run ? "would be removed" : "removed",
                                     cleaned->files.size(), cleaned->bytes));
}

void add_lake_option(CLI::App& command, std::string& lake) {
  command.add_option("-o,--output", lake, "The lake: a folder, or an address in a cloud (s3://bucket/lake)")->required();
}

void add_capture_option(CLI::App& command, std::string& capture) {
  command.add_option("--capture", capture, "Name of the capture in the lake (default: the run)");
}

void add_plan_command(CLI::App& fleet, Run& run) {
  CLI::App* command = fleet.add_subcommand("plan", "List the ranks once, so that the tasks of map need not");
  auto options = std::make_shared<PlanCommand>();
  add_paths_option(*command, options->paths);
  add_lake_option(*command, options->options.lake);
  add_capture_option(*command, options->options.capture);
  command->add_option("--shards", options->shards, "How many shards (default: one for 16 ranks)")
      ->check(CLI::Range(1, 1'000'000));
  add_selector_options(*command, options->options.selector);
  command->callback([&run, options] { run = [options] { return run_plan(*options); }; });
}

void add_commit_command(CLI::App& fleet, Run& run) {
  CLI::App* command = fleet.add_subcommand("commit", "Match the collectives of all ranks, and publish a capture once");
  auto options = std::make_shared<CommitOptions>();
  command->add_option("LAKE", options->lake, "The lake")->required();
  command->add_option("--capture", options->capture, "Name of the capture")->required();
  command->add_flag("--partial", options->partial, "Commit although shards are missing; commit again when they are there");
  command->add_flag("!--no-members", options->reduce.members, "Leave out the table members, which is the largest");
  command->add_option("--threads", options->reduce.threads, "Threads (default: all cores)");
  command
      ->add_option("--parts", options->reduce.parts,
                   "Sum up the collectives in so many parts, one after another: less memory, more reading (default: as --memory "
                   "allows)")
      ->check(CLI::Range(1, 1000));
  command->add_option("--engine", options->engine, "Reduce on a Trino cluster: trino:http://user@coordinator:8080/catalog");
  command->add_option("--engine-lake", options->engine_lake, "The lake's address on the cluster, if it is another");
  command
      ->add_option_function<std::string>(
          "--memory", [options](const std::string& text) { options->reduce.memory = parse_size(text).value_or(0); },
          "Memory limit, such as 4G; larger intermediate data uses temporary files. On a cluster: what one statement may take "
          "(default: 4G)")
      ->check(CLI::Validator([](const std::string& text) { return parse_size(text) ? "" : "not a size such as 4G: " + text; },
                             "SIZE"));
  command->callback([&run, options] { run = [options] { return run_commit(*options); }; });
}

void add_list_and_clean_commands(CLI::App& fleet, Run& run) {
  auto lake = std::make_shared<std::string>();
  CLI::App* list = fleet.add_subcommand("list", "List the captures of a lake");
  list->add_option("LAKE", *lake, "The lake")->required();
  list->callback([&run, lake] { run = [lake] { return run_list(*lake); }; });
  CLI::App* clean = fleet.add_subcommand("clean", "Remove files of committed captures that do not count");
  auto options = std::make_shared<CleanCommand>();
  clean->add_option("LAKE", options->lake, "The lake")->required();
  clean
      ->add_option("--drop", options->drop,
                   "Also remove these tables of captures older than --older-than, such as members,collectives; profiles: the "
                   "files of --with-profiles; captures: whole captures")
      ->delimiter(',');
  clean->add_option("--older-than", options->age, "Only files of at least this age: 2d, 12h, 30m, 10s")
      ->check(
          CLI::Validator([](const std::string& text) { return parse_age(text) ? "" : "not an age such as 2d: " + text; }, "AGE"))
      ->capture_default_str();
  clean->add_flag("--dry-run", options->dry_run, "Only list them");
  clean->callback([&run, options] { run = [options] { return run_clean(*options); }; });
  CLI::App* tables = fleet.add_subcommand("tables", "Print the tables of a lake as a document");
  tables->callback([&run] { run = [] { return write_out(lake_tables_markdown()); }; });
}

}  // namespace

void add_map_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("map", "Write the ranks of one shard of a job into a lake");
  auto options = std::make_shared<MapCommand>();
  add_paths_option(*command, options->paths);
  add_lake_option(*command, options->options.lake);
  add_capture_option(*command, options->options.capture);
  command->add_option("--shard", options->shard, "K/N: part K, from 0, of N equal parts of the list of ranks")
      ->capture_default_str();
  command->add_option("--topology", options->topology, "CSV file with the columns host, rack and switch: where each host is");
  command->add_flag("--with-profiles", options->options.with_profiles,
                    "Also write all columns of each rank: its timeline then opens without the trace");
  add_selector_options(*command, options->options.selector);
  add_threads_option(*command, options->options.threads);
  add_memory_option(*command, options->options.memory);
  command->callback([&run, options] { run = [options] { return run_map(*options); }; });
}

void add_fleet_command(CLI::App& app, Run& run) {
  CLI::App* fleet = app.add_subcommand("fleet", "Lakes with the ranks of large jobs: plan, commit, list, clean");
  fleet->require_subcommand(1);
  add_plan_command(*fleet, run);
  add_commit_command(*fleet, run);
  add_list_and_clean_commands(*fleet, run);
}

}  // namespace sightline::cli
