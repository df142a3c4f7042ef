// sightline export: a window of a profile as a Chrome trace.
#include <cstdio>

#include "cli/command.h"
#include "engine/counters_wire.h"
#include "engine/trace_export.h"

namespace sightline {

namespace {

struct ExportOptions {
  std::vector<std::string> paths;
  ProfileSelector selector;
  std::string start, end, lanes;
  std::string file;
  unsigned threads = 0;
  CacheChoice cache;
};

int run_export(const ExportOptions& options) {
  const std::unique_ptr<ProfileCache> cache = open_cache(options.cache);
  Engine engine({.threads = options.threads, .timelines = true, .cache = cache.get(), .keep = KeepRead::slow, .say = complain});
  if (!add_paths(engine, options.paths)) return kFailed;
  const Result<bool> queued = engine.queue_only({.profile = options.selector, .view = "timeline"});
  if (!queued) return fail(queued.error());
  engine.start();
  engine.wait();
  const Result<std::shared_ptr<const Timeline>> timeline = engine.timeline(options.selector);
  if (!timeline) return fail(timeline.error());
  const Result<ExportRequest> request = parse_export_request(**timeline, options.lanes, options.start, options.end);
  if (!request) return fail(request.error());
  std::FILE* file = options.file.empty() ? stdout : std::fopen(options.file.c_str(), "wb");
  if (file == nullptr) return fail({ErrorCode::unreadable, "cannot be written", options.file});
  bool whole = true;
  export_trace(**timeline, counter_charts((*timeline)->profile_pointer())->counters(), *request, [&](std::string_view text) {
    whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return whole;
  });
  whole = std::fflush(file) == 0 && whole;
  if (file != stdout) whole = std::fclose(file) == 0 && whole;
  engine.finish_keeping();
  return whole ? kDone : fail({ErrorCode::unreadable, "could not be written to the end", options.file});
}

}  // namespace

void add_export_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("export", "Write a window of a profile as a Chrome trace");
  auto options = std::make_shared<ExportOptions>();
  add_paths_option(*command, options->paths);
  command->add_option("--start", options->start, "Where the window begins, in ns since the run's origin (default: all)");
  command->add_option("--end", options->end, "Where it ends, in ns (default: all)");
  command->add_option("--lanes", options->lanes, "Numbers of the timeline's lanes, separated by commas (default: all)");
  command->add_option("-o,--output", options->file, "File to write (default: stdout)");
  command->add_option("--run", options->selector.run, "Run (default: the first)");
  command->add_option("--worker", options->selector.worker, "Worker (default: the first)");
  command->add_option("--span", options->selector.span, "Span (default: the first)");
  command->add_option("--threads", options->threads, "Threads to read with (default: all cores)");
  add_cache_options(*command, options->cache);
  command->callback([&run, options] { run = [options] { return run_export(*options); }; });
}

}  // namespace sightline
