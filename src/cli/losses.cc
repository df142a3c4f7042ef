// sightline losses: the losses in training logs, and how two of them differ.
#include "analyses/losses/loss_comparison.h"
#include "cli/command.h"

namespace sightline::cli {

namespace {

struct LossesOptions {
  std::vector<std::string> paths;
  LossTags tags;
  std::size_t base = 1, compared = 2;
  std::string table;
  std::string format = "text";
};

// Checks before the logs are read.
Result<bool> check(const LossesOptions& options) {
  const std::string& table = options.table;
  if (!table.empty() && table != "logs" && table != "losses" && table != "differences")
    return Error{ErrorCode::not_found, say("no table '{}' in view losses; available: logs, losses, differences", table), ""};
  const std::size_t logs = options.paths.size();
  if (logs > 1 && (options.base > logs || options.compared > logs))
    return Error{ErrorCode::invalid_argument, say("no such log: logs are numbered 1 to {}", logs), ""};
  return true;
}

int run_losses(const LossesOptions& options) {
  if (const Result<bool> sound = check(options); !sound) return fail(sound.error());
  std::vector<LossLog> logs;
  for (const std::string& path : options.paths) {
    Result<LossLog> log = read_loss_log(path, options.tags);
    if (!log) return fail(log.error());
    logs.push_back(std::move(*log));
  }
  const Result<Report> report = loss_report(logs, options.base - 1, options.compared - 1);
  if (!report) return fail(report.error());
  return write_report(*report, options.format, options.table);
}

}  // namespace

void add_losses_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("losses", "Compare the losses that training logs print");
  auto options = std::make_shared<LossesOptions>();
  command->add_option("LOG", options->paths, "Text logs, plain or gzipped")->required()->expected(1, int{kMostLossLogs});
  command->add_option("--loss-tag", options->tags.loss, "Text before a loss")->capture_default_str();
  command->add_option("--iteration-tag", options->tags.iteration, "Text before an iteration, on the same line")
      ->capture_default_str();
  command->add_option("--base", options->base, "Number of the log that the other is compared with")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--compared", options->compared, "Number of the other log")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--table", options->table, "Only this table: logs, losses, differences");
  add_format_option(*command, options->format);
  command->callback([&run, options] { run = [options] { return run_losses(*options); }; });
}

}  // namespace sightline::cli
