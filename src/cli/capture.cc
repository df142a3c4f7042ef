// sightline capture: records a process that runs. Each way to reach one is a subcommand; they share their options
// (capture_options.h).
#include "capture/torch/torch_capture.h"
#include "cli/capture_options.h"
#include "engine/report_format.h"

namespace sightline {

namespace {

struct TorchChoice {
  CaptureChoice capture;
  TorchTarget target;
  std::int32_t pid = 0;
  std::int64_t job = 0;
  bool list = false;
  std::string delay = "10s";
  std::string wait;
};

ReportColumn text_column(std::string key, std::string title) {
  ReportColumn column;
  column.key = std::move(key);
  column.title = std::move(title);
  column.type = CellType::text;
  return column;
}

int list_processes() {
  std::optional<Result<std::vector<TorchListing>>> found;
  run_watched([&](const CaptureWatch& watch) { found = list_torch(watch); });
  if (!*found) return fail(found->error());
  ReportTable table{.key = "processes", .title = "PyTorch processes that can be recorded"};
  table.columns = {text_column("pid", "Process"),    text_column("user", "User"),   text_column("job", "Job"),
                   text_column("device", "Devices"), text_column("torch", "torch"), text_column("state", "State"),
                   text_column("command", "Command")};
  for (const TorchListing& process : **found) {
    table.add_row({std::to_string(process.pid), process.user, process.job == 0 ? Cell() : Cell(std::to_string(process.job)),
                   process.devices.empty() ? Cell() : Cell(process.devices),
                   process.release.empty() ? Cell() : Cell(process.release), std::string(process.busy ? "recording" : "ready"),
                   process.command});
  }
  return write_out(table_text(table, terminal_style()));
}

int run_torch(TorchChoice& choice) {
  if (choice.list) return list_processes();
  const Result<Milliseconds> delay = parse_duration(choice.delay);
  if (!delay) return fail(delay.error());
  choice.target.delay = *delay;
  if (!choice.target.command.empty()) choice.target.patience = Milliseconds(120'000);
  if (!choice.wait.empty()) {
    const Result<Milliseconds> wait = parse_duration(choice.wait);
    if (!wait) return fail(wait.error());
    choice.target.patience = *wait;
  }
  if (choice.pid > 0) choice.target.pid = choice.pid;
  if (choice.job > 0) choice.target.job = choice.job;
  return run_capture(choice.capture, [&](const CaptureOptions& options, const CaptureWatch& watch) {
    return capture_torch(choice.target, options, watch);
  });
}

void add_torch_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("torch", "PyTorch processes that were started with KINETO_USE_DAEMON=1, or a command");
  auto choice = std::make_shared<TorchChoice>();
  CLI::Option* pid = command->add_option("--pid", choice->pid, "The process, or the one that started those that are meant")
                         ->check(CLI::PositiveNumber);
  CLI::Option* job = command->add_option("--job", choice->job, "All processes of this SLURM job")->check(CLI::PositiveNumber);
  CLI::Option* all = command->add_flag("--all", choice->target.all, "All that ask");
  CLI::Option* list = command->add_flag("--list", choice->list, "Only list who asks");
  CLI::Option* started = command->add_option("COMMAND", choice->target.command, "After --: start this and record it");
  pid->excludes(job)->excludes(all)->excludes(started);
  job->excludes(all)->excludes(started);
  all->excludes(started);
  list->excludes(pid)->excludes(job)->excludes(all)->excludes(started);
  command->add_option("--delay", choice->delay, "Of a command: from its first sign of life to the recording")
      ->capture_default_str();
  command->add_flag("--end", choice->target.end_command, "End the command once it is recorded");
  command->add_option("--wait", choice->wait, "How long to wait for a first process (default: 15s, of a command 2m)");
  add_capture_options(*command, choice->capture);
  add_content_options(*command, choice->capture);
  command->callback([&run, choice] { run = [choice] { return run_torch(*choice); }; });
}

}  // namespace

void add_capture_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("capture", "Record a process that runs");
  command->require_subcommand(1);
  add_torch_command(*command, run);
}

}  // namespace sightline
