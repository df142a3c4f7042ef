// sightline capture: records a process that runs. Each way to reach one is a subcommand; they share their options
// (capture_options.h).
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>

#include "analyses/columns.h"
#include "capture/dynamic_file/dynamic_file.h"
#include "capture/http/http_capture.h"
#include "capture/model_run/model_run.h"
#include "capture/profiler_service/service_capture.h"
#include "capture/torch/torch_capture.h"
#include "cli/capture_options.h"
#include "output/report_format.h"

namespace sightline::cli {

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

TableOf<TorchListing> listing_columns() {
  TableOf<TorchListing> table({.key = "processes", .title = "PyTorch processes that can be recorded"});
  table.add(text_column("pid", "Process", ""), [](const TorchListing& process) { return std::to_string(process.pid); });
  table.add(text_column("user", "User", ""), &TorchListing::user);
  table.add(text_column("job", "Job", ""),
            [](const TorchListing& process) { return process.job == 0 ? std::string() : std::to_string(process.job); });
  table.add(text_column("device", "Devices", ""), &TorchListing::devices);
  table.add(text_column("torch", "torch", ""), &TorchListing::release);
  table.add(text_column("state", "State", ""), [](const TorchListing& process) { return process.busy ? "recording" : "ready"; });
  table.add(text_column("command", "Command", ""), &TorchListing::command);
  return table;
}

int list_processes() {
  std::optional<Result<std::vector<TorchListing>>> found;
  run_watched([&](const CaptureWatch& watch) { found = list_torch(watch); });
  if (!*found) return fail(found->error());
  return write_out(table_text(listing_columns().of(**found), terminal_style()));
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

// The subcommand of a driver, with errors for the options that it does not support.
CLI::App* add_driver(CLI::App& app, const DriverInfo& driver) {
  CLI::App* command = app.add_subcommand(driver.name, driver.help);
  refuse_options(*command, driver.refused);
  return command;
}

void add_torch_command(CLI::App& app, Run& run) {
  CLI::App* command = add_driver(app, torch_driver());
  auto choice = std::make_shared<TorchChoice>();
  CLI::Option* pid = command->add_option("--pid", choice->pid, "The process to record, or the parent of the processes to record")
                         ->check(CLI::PositiveNumber);
  CLI::Option* job = command->add_option("--job", choice->job, "All processes of this SLURM job")->check(CLI::PositiveNumber);
  CLI::Option* all = command->add_flag("--all", choice->target.all, "Record all processes that can be recorded");
  CLI::Option* list = command->add_flag("--list", choice->list, "Only list the processes that can be recorded");
  CLI::Option* started = command->add_option("COMMAND", choice->target.command, "After --: start this command and record it");
  pid->excludes(job)->excludes(all)->excludes(started);
  job->excludes(all)->excludes(started);
  all->excludes(started);
  list->excludes(pid)->excludes(job)->excludes(all)->excludes(started);
  command->add_option("--delay", choice->delay, "For a command: time from its first check for a request to the recording")
      ->capture_default_str();
  command->add_flag("--end", choice->target.end_command, "End the command after the recording");
  command->add_option("--wait", choice->wait, "How long to wait for a first process (default: 15s; for a command 2m)");
  add_capture_options(*command, choice->capture);
  add_content_options(*command, choice->capture);
  command->callback([&run, choice] { run = [choice] { return run_torch(*choice); }; });
}

void add_service_command(CLI::App& app, Run& run) {
  CLI::App* command = add_driver(app, service_driver());
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
  CLI::App* command = add_driver(app, http_driver());
  auto choice = std::make_shared<CaptureChoice>();
  auto target = std::make_shared<HttpTarget>();
  command->add_option("URL", target->url, "Address of the engine, such as http://localhost:8000")->required();
  command->add_option("--traces", target->traces, "Folder that the engine writes to, as seen from here");
  command->add_option("--api-key", target->api_key, "Sent as a bearer token")->envname("SIGHTLINE_API_KEY");
  add_capture_options(*command, *choice);
  command->add_option("--iterations", choice->options.iterations, "Record this many steps (SGLang)")
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
  CLI::App* command = add_driver(app, dynamic_file_driver());
  auto choice = std::make_shared<CaptureChoice>();
  auto target = std::make_shared<DynamicFileTarget>();
  command
      ->add_option("FOLDER", target->folder,
                   "The folder that the processes watch: PROF_CONFIG_PATH, or that of dynamic_profile.init")
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

// NAME FILE NAME FILE ...
Result<NamedFiles> named_files(const std::vector<std::string>& words, const std::string& where) {
  if (words.size() % 2 != 0) return Error{ErrorCode::invalid_argument, "inputs must be pairs: NAME FILE", where};
  NamedFiles files;
  for (std::size_t i = 0; i < words.size(); i += 2) files.emplace_back(words[i], words[i + 1]);
  return files;
}

constexpr const char* kHere = ".";

struct ModelChoice {
  CaptureChoice capture;
  ModelRunTarget target;
  std::vector<std::string> inputs;
  std::string inputs_by_core;  // a file with a line for each
  std::uint32_t workers = 0;   // cores from the first on
  std::uint64_t threshold = 0;
  std::uint32_t profiled_rank = 0;
  bool single_io = false, save_output = false, save_output_npy = false;
};

Result<std::vector<NamedFiles>> model_inputs(const ModelChoice& choice) {
  std::vector<NamedFiles> inputs;
  const auto add = [&](const std::vector<std::string>& words, const std::string& where) -> Result<bool> {
    Result<NamedFiles> files = named_files(words, where);
    if (!files) return files.error();
    inputs.push_back(*std::move(files));
    return true;
  };
  if (choice.inputs_by_core.empty()) {
    if (const Result<bool> added = add(choice.inputs, ""); !added) return added.error();
    return inputs;
  }
  std::ifstream file(choice.inputs_by_core);
  if (!file) return Error{ErrorCode::not_found, "no such file, or it cannot be read", choice.inputs_by_core};
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    const std::string where = choice.inputs_by_core + ":" + std::to_string(inputs.size() + 1);
    if (const Result<bool> added = add({std::istream_iterator<std::string>(words), {}}, where); !added) return added.error();
  }
  return inputs;
}

int run_model(ModelChoice& choice, bool one_rank) {
  ModelRunTarget& target = choice.target;
  if (std::filesystem::path(target.profile).is_absolute() && choice.capture.options.out != kHere)
    return fail({ErrorCode::invalid_argument, "use either --out or a full path in --session-file", ""});
  Result<std::vector<NamedFiles>> inputs = model_inputs(choice);
  if (!inputs) return fail(inputs.error());
  target.inputs = *std::move(inputs);
  if (choice.workers > 0) {
    target.cores.resize(choice.workers);
    std::iota(target.cores.begin(), target.cores.end(), 0);
  }
  if (one_rank) target.profiled_rank = choice.profiled_rank;
  if (choice.single_io) target.shared_from = choice.threshold;
  if (choice.save_output) target.outputs = SavedOutputs::raw;
  if (choice.save_output_npy) target.outputs = SavedOutputs::npy;
  bool given_up = false;
  const int code = run_capture(choice.capture, [&](const CaptureOptions& options, const CaptureWatch& watch) {
    Result<Captured> captured = capture_model_run(target, options, watch);
    given_up = !captured && captured.error().code == ErrorCode::cancelled;
    return captured;
  });
  if (given_up) std::_Exit(code);  // the runtime has a thread that does not return, and might not let the process end
  return code;
}

void add_model_command(CLI::App& app, Run& run) {
  CLI::App* command = add_driver(app, model_run_driver());
  auto choice = std::make_shared<ModelChoice>();
  ModelRunTarget& target = choice->target;
  choice->capture.options.out = kHere;
  choice->capture.by_file = true;
  CLI::Option* inputs = command->add_option("INPUT", choice->inputs, "Inputs: NAME FILE.npy NAME FILE.npy ... (default: zeros)");
  command->add_option(kModelOption, target.model, "The compiled model")->required();
  command->add_option("-s,--session-file", target.profile, "The profile to write")->capture_default_str();
  command->add_option("-m,--multi-input", choice->inputs_by_core, "A file with a line of inputs for each core")->excludes(inputs);
  command->add_flag("--ignore-exec-errors", target.ignore_execution_errors, "Keep the profile even if results are NaN");
  command->add_option("--executions,--num-exec", target.executions, "How often the model runs; the last execution is profiled")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}))
      ->capture_default_str();
  command->add_option("--nth-exec,--profile-nth-exec", target.every, "Profile every Nth execution")->check(CLI::PositiveNumber);
  CLI::Option* cores = command->add_option("--cores", target.cores, "Cores that run it at the same time, each as a separate rank")
                           ->delimiter(',')
                           ->capture_default_str();
  command->add_option("-r,--collectives-workers-per-node", choice->workers, "Number of cores, from core 0 on")
      ->check(CLI::Range(1, 1024))
      ->excludes(cores);
  command->add_option("--collectives-worker-count", target.ranks, "Ranks on all hosts (default: those of this one)");
  command->add_option("--collectives-worker-start-id", target.first_rank, "Rank of the first core")->capture_default_str();
  CLI::Option* rank =
      command->add_option("-i,--collectives-profile-id", choice->profiled_rank, "Profile this rank alone (default: all)");
  CLI::Option* single = command->add_flag(
      "--single-io", choice->single_io, "Inputs and outputs share one buffer: this takes less memory, and the results are wrong");
  command->add_option("--single-io-threshold", choice->threshold, "Only inputs and outputs of more than this many bytes")
      ->needs(single);
  CLI::Option* raw =
      command->add_flag("--save-output", choice->save_output, "Write each output beside the profile, as raw bytes");
  command->add_flag("--save-output-npy", choice->save_output_npy, "The same as .npy files")->excludes(raw);
  command->add_flag("--check-output-determinism", target.same_outputs,
                    "Fail when the outputs of an execution differ from those of the first");
  command->add_flag("--enable-dge-notifs", target.label_dma, "Label dynamic DMA; a large model may produce too many labels");
  command->add_option("--library", target.library, "The runtime")->capture_default_str();
  add_start_option(*command, choice->capture);
  add_result_options(*command, choice->capture);
  command->callback([&run, choice, rank] { run = [choice, rank] { return run_model(*choice, rank->count() > 0); }; });
}

}  // namespace

void add_capture_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("capture", "Record a running process");
  command->require_subcommand(1);
  add_torch_command(*command, run);
  add_service_command(*command, run);
  add_http_command(*command, run);
  add_file_command(*command, run);
  add_model_command(*command, run);
}

}  // namespace sightline::cli
