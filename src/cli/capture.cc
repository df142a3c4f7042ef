// sightline capture: records a process that runs. Each way to reach one is a subcommand; they share their options
// (capture_options.h).
#include "capture/dynamic_file/dynamic_file.h"
#include "capture/http/http_capture.h"
#include "capture/model_run/model_run.h"
#include "capture/profiler_service/service_capture.h"
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

void add_service_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("xla", "JAX, TensorFlow or torch_xla processes that run a profiler server");
  auto choice = std::make_shared<CaptureChoice>();
  auto addresses = std::make_shared<std::vector<std::string>>();
  command->add_option("ADDRESS", *addresses, "HOST:PORT of each server; they start at the same moment")
      ->required()
      ->delimiter(',');
  add_capture_options(*command, *choice);
  command->add_flag("--stacks", choice->options.stacks, "Record Python calls");
  command->callback([&run, choice, addresses] {
    run = [choice, addresses] {
      return run_capture(*choice, [&](const CaptureOptions& options, const CaptureWatch& watch) {
        return capture_service(*addresses, options, watch);
      });
    };
  });
}

void add_http_command(CLI::App& app, Run& run) {
  CLI::App* command =
      app.add_subcommand("http", "A serving engine with the routes /start_profile and /stop_profile (vLLM, SGLang)");
  auto choice = std::make_shared<CaptureChoice>();
  auto target = std::make_shared<HttpTarget>();
  command->add_option("URL", target->url, "Address of the engine, such as http://localhost:8000")->required();
  command->add_option("--traces", target->traces, "Folder that the engine writes to, as it is seen from here");
  command->add_option("--api-key", target->api_key, "Sent as a bearer token")->envname("SIGHTLINE_API_KEY");
  add_capture_options(*command, *choice);
  command->add_option("--iterations", choice->options.iterations, "Record so many steps (SGLang)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
  command->add_flag("--shapes", choice->options.shapes, "Record the shapes of inputs (SGLang)");
  command->add_flag("--stacks", choice->options.stacks, "Record Python call stacks (SGLang)");
  command->callback([&run, choice, target] {
    run = [choice, target] {
      return run_capture(*choice, [&](const CaptureOptions& options, const CaptureWatch& watch) {
        return capture_http(*target, options, watch);
      });
    };
  });
}

void add_file_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("ascend", "torch_npu processes that watch a dynamic profiling file");
  auto choice = std::make_shared<CaptureChoice>();
  auto target = std::make_shared<DynamicFileTarget>();
  command->add_option("FOLDER", target->folder, "The folder they watch: PROF_CONFIG_PATH, or that of dynamic_profile.init")
      ->required()
      ->envname("PROF_CONFIG_PATH");
  command->add_option("--step", target->start_step, "First step to record (default: the next)");
  add_result_options(*command, *choice);
  add_content_options(*command, *choice);
  command->callback([&run, choice, target] {
    run = [choice, target] {
      return run_capture(*choice, [&](const CaptureOptions& options, const CaptureWatch& watch) {
        return capture_by_file(*target, options, watch);
      });
    };
  });
}

// The profile has the name that was asked for, so there is no folder of results.
int run_model(ModelRunTarget& target, const std::vector<std::string>& inputs) {
  if (inputs.size() % 2 != 0) return fail({ErrorCode::invalid_argument, "inputs are pairs: NAME FILE.npy", ""});
  for (std::size_t i = 0; i < inputs.size(); i += 2) target.inputs.emplace_back(inputs[i], inputs[i + 1]);
  std::optional<Result<Captured>> captured;
  run_watched([&](const CaptureWatch& watch) { captured = capture_model_run(target, watch); });
  if (!*captured) return fail(captured->error());
  std::string names;
  for (const std::string& file : (*captured)->files) names += file + "\n";
  const int written = write_out(names);
  return (*captured)->all ? written : kFailed;
}

void add_model_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("neuron", "Run a compiled model on a Neuron device (tried on a simulated runtime only)");
  auto target = std::make_shared<ModelRunTarget>();
  auto inputs = std::make_shared<std::vector<std::string>>();
  target->profile = "profile.ntff";
  command->add_option("INPUT", *inputs, "Inputs: NAME FILE.npy NAME FILE.npy ... (default: zeros)");
  command->add_option("-n,--neff", target->model, "The compiled model")->required();
  command->add_option("-s,--session-file", target->profile, "The profile to write")->capture_default_str();
  command->add_flag("--ignore-exec-errors", target->ignore_execution_errors, "Keep the profile although results are NaN");
  command->add_option("--executions", target->executions, "How often it runs; the last is profiled")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}))
      ->capture_default_str();
  command->add_option("--nth-exec", target->every, "Profile every Nth execution")->check(CLI::PositiveNumber);
  command->add_option("--cores", target->cores, "Cores that run it, all at once")->delimiter(',')->capture_default_str();
  command->add_option("--library", target->library, "The runtime")->capture_default_str();
  command->callback([&run, target, inputs] { run = [target, inputs] { return run_model(*target, *inputs); }; });
}

}  // namespace

void add_capture_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("capture", "Record a process that runs");
  command->require_subcommand(1);
  add_torch_command(*command, run);
  add_service_command(*command, run);
  add_http_command(*command, run);
  add_file_command(*command, run);
  add_model_command(*command, run);
}

}  // namespace sightline
