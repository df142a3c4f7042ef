// sightline metrics: every metric with unit, meaning, formula and source, as markdown (docs/metrics.md).
#include "analyses/metrics.h"

#include "cli/command.h"

namespace sightline::cli {

void add_metrics_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("metrics", "Document every metric, in markdown");
  command->callback([&run] { run = [] { return write_out(metrics_markdown()); }; });
}

}  // namespace sightline::cli
