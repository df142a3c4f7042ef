// sightline reproduce: a Python program that runs one recorded operator.
#include "analyses/costs/reproduce.h"
#include "analyses/costs/recorded_call.h"
#include "cli/command.h"

namespace sightline::cli {

namespace {

struct ReproduceOptions {
  std::vector<std::string> paths;
  ProfileSelector selector;
  std::string name, shapes;
  unsigned threads = 0;
  CacheChoice cache;
  std::int64_t memory = 0;
};

void print_call_used(const RecordedCall& found) {
  std::string line = "inputs " + std::string(found.call.input_shapes) + " of " + std::to_string(found.calls) + " calls";
  if (found.others > 0) line += "; " + std::to_string(found.others) + " have other inputs: see --shapes";
  complain(line);
}

int run_reproduce(const ReproduceOptions& options) {
  const std::unique_ptr<ProfileCache> cache = open_cache(options.cache);
  Engine engine(
      {.threads = options.threads, .cache = cache.get(), .keep = KeepRead::slow, .say = complain, .memory = options.memory});
  if (!add_paths(engine, options.paths)) return kFailed;
  const Result<bool> queued = engine.queue_only({.profile = options.selector, .view = "operators"});
  if (!queued) return fail(queued.error());
  print_profile_used(engine.catalogue(), options.selector);
  engine.start();
  wait_until_read(engine, Reads::chosen);
  warn_of_problems(engine.catalogue());
  const Result<ProfilePtr> profile = engine.answers().profile(options.selector);
  if (!profile) return fail(profile.error());
  const std::optional<RecordedCall> found = most_frequent_call(**profile, options.name, options.shapes);
  if (!found) return fail({ErrorCode::not_found, say("no call of '{}' has these inputs", options.name)});
  if (found->call.input_shapes.empty())
    return fail({ErrorCode::unavailable, "the shapes of inputs were not recorded: record with record_shapes=True"});
  print_call_used(*found);
  const Result<CostModel> model = CostModel::make();
  const int written = write_out(reproduction_of(found->call, model->cost(found->call)));
  engine.loader().finish_writing();
  return written;
}

}  // namespace

void add_reproduce_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("reproduce", "Write a Python program that runs one recorded operator");
  auto options = std::make_shared<ReproduceOptions>();
  add_paths_option(*command, options->paths);
  command->add_option("--operator", options->name, "Name of the operator")->required();
  command->add_option("--shapes", options->shapes, "Shapes of its inputs, as in the view operators; else the most frequent ones");
  add_selector_options(*command, options->selector);
  add_threads_option(*command, options->threads);
  add_cache_options(*command, options->cache);
  add_memory_option(*command, options->memory);
  command->callback([&run, options] { run = [options] { return run_reproduce(*options); }; });
}

}  // namespace sightline::cli
