#include "capture/model_run/model_run.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <thread>

#include "base/output_file.h"
#include "capture/capture.h"
#include "capture/model_run/loaded_model.h"
#include "capture/result_files.h"

namespace sightline::capture {

namespace {

namespace fs = std::filesystem;

constexpr int kNoFramework = 1;
constexpr Milliseconds kSilence{600'000};   // a model of gigabytes takes minutes to load
constexpr Milliseconds kAfterStop{10'000};  // the execution under way

Result<std::string> read_model(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code failure;
  if (!file || fs::is_directory(path, failure)) return Error{ErrorCode::not_found, "no such file, or it cannot be read", path};
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

Result<GivenInputs> read_inputs(const NamedFiles& files) {
  GivenInputs inputs;
  for (const auto& [name, file] : files) {
    Result<NpyArray> array = read_array(file);
    if (!array) return array.error();
    inputs.insert_or_assign(name, GivenInput{file, std::move(*array)});
  }
  return inputs;
}

// Messages from the thread that calls the runtime to the thread that waits for it. When the second has returned, messages are
// dropped.
class RunWatch {
 public:
  explicit RunWatch(const CaptureWatch& watch) : watch_(watch) {}

  void progress(const Message& text) {
    send([&] { watch_.progress(text); });
  }
  void note(const Message& text) {
    send([&] { watch_.note(text); });
  }
  bool stopped() const { return watch_.stop.stop_requested(); }
  const CaptureWatch& watch() const { return watch_; }

  // A profile that the runtime writes now, and no longer.
  void writing(const std::string& file, bool now) {
    const std::lock_guard lock(mutex_);
    if (now) unfinished_.push_back(file);
    if (!now) std::erase(unfinished_, file);
  }
  void finish(Result<Captured> result) {
    const std::lock_guard lock(mutex_);
    result_ = std::move(result);
    changed_.notify_all();
  }
  // The result; an error when no message came for too long.
  Result<Captured> wait(Milliseconds limit);

 private:
  template <typename Deliver>
  void send(const Deliver& deliver) {
    const std::lock_guard lock(mutex_);
    last_message_ = Clock::now();
    if (!left_) deliver();
  }

  const CaptureWatch watch_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Clock::time_point last_message_ = Clock::now();
  std::vector<std::string> unfinished_;
  std::optional<Result<Captured>> result_;
  bool left_ = false;
};

Result<Captured> RunWatch::wait(Milliseconds limit) {
  std::unique_lock lock(mutex_);
  std::optional<Clock::time_point> stopped_at;
  while (!changed_.wait_for(lock, kGlance, [&] { return result_.has_value(); })) {
    const Clock::time_point now = Clock::now();
    if (stopped() && !stopped_at) stopped_at = now;
    const bool silent = now - last_message_ > limit || (stopped_at && now - *stopped_at > kAfterStop);
    if (!silent) continue;
    left_ = true;
    std::error_code gone;
    for (const std::string& file : unfinished_) fs::remove(file, gone);
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - last_message_).count();
    return Error{ErrorCode::cancelled, say("the runtime did not return for {} s; gave up", seconds), ""};
  }
  return *std::move(result_);
}

class ModelRun {
 public:
  ModelRun(ModelRunTarget target, CaptureOptions options, std::shared_ptr<RunWatch> report)
      : target_(std::move(target)), options_(std::move(options)), report_(std::move(report)) {}

  Result<Captured> run();

 private:
  using Models = std::vector<std::unique_ptr<LoadedModel>>;

  Result<Captured> run_on(const DeviceRuntime& runtime);
  Result<bool> load(const DeviceRuntime& runtime, Models& models);
  void run_core(LoadedModel& model, std::uint32_t rank);
  Result<bool> execute(LoadedModel& model, const std::string& profile, std::int64_t number, std::size_t& first_outputs);
  Result<bool> save(const LoadedModel& model, std::uint32_t rank);
  std::string file_of(std::uint32_t rank, std::int64_t execution) const;

  const ModelRunTarget target_;
  const CaptureOptions options_;
  const std::shared_ptr<RunWatch> report_;
  std::string model_;
  std::vector<GivenInputs> inputs_;
  bool simulated_ = false;
  std::mutex mutex_;
  Captured captured_;
};

// PROFILE with rank and execution before its ending. execution 0: of all executions.
std::string ModelRun::file_of(std::uint32_t rank, std::int64_t execution) const {
  const fs::path path = fs::path(options_.out) / target_.profile;
  std::string name = path.stem().string();
  if (simulated_) name += "_simulated";
  if (target_.cores.size() > 1 || target_.ranks > 1) name += "_rank_" + std::to_string(rank);
  if (target_.every > 0 && execution > 0) name += "_exec_" + std::to_string(execution);
  return (path.parent_path() / (name + path.extension().string())).string();
}

// One execution. `first_outputs` is a checksum of the outputs of the first.
Result<bool> ModelRun::execute(LoadedModel& model, const std::string& profile, std::int64_t number, std::size_t& first_outputs) {
  Message ignored;
  if (!profile.empty()) report_->writing(profile, true);
  Result<bool> done = model.execute(profile, target_.ignore_execution_errors, ignored);
  if (!profile.empty()) report_->writing(profile, false);
  if (!ignored.empty()) report_->note(ignored);
  if (!done || !target_.same_outputs) return done;
  const Result<std::map<std::string, NpyArray>> outputs = model.outputs();
  if (!outputs) return outputs.error();
  std::string all;
  for (const auto& [name, array] : *outputs) all += array.bytes;
  const std::size_t sum = std::hash<std::string>()(all);
  if (number == 1) first_outputs = sum;
  if (sum == first_outputs) return true;
  return Error{ErrorCode::unavailable, say("core {}: execution {} gave different outputs than the first", model.core(), number),
               ""};
}

Result<bool> ModelRun::save(const LoadedModel& model, std::uint32_t rank) {
  const Result<std::map<std::string, NpyArray>> outputs = model.outputs();
  if (!outputs) return outputs.error();
  const fs::path profile = file_of(rank, 0);
  for (const auto& [name, array] : *outputs) {
    std::string safe = name;
    std::replace(safe.begin(), safe.end(), '/', '_');
    const bool npy = target_.outputs == SavedOutputs::npy && !array.type.empty();
    const std::string path =
        (profile.parent_path() / (profile.stem().string() + "_output_" + safe + (npy ? ".npy" : ".bin"))).string();
    Result<OutputFile> file = OutputFile::create(path);
    if (!file) return file.error();
    file->write(npy ? npy_text(array) : array.bytes);
    if (const Result<bool> written = file->finish(); !written) return written;
    const std::lock_guard lock(mutex_);
    captured_.others.push_back(path);
  }
  return true;
}

void ModelRun::run_core(LoadedModel& model, std::uint32_t rank) {
  const bool profiled = target_.profiled_rank.value_or(rank) == rank;
  std::size_t first_outputs = 0;
  Result<bool> done = true;
  for (std::int64_t n = 1; n <= target_.executions && done && !report_->stopped(); ++n) {
    const bool now = profiled && (target_.every > 0 ? n % target_.every == 0 : n == target_.executions);
    const std::string profile = now ? file_of(rank, n) : "";
    done = execute(model, profile, n, first_outputs);
    report_->progress(say("execution {} of {}", n, target_.executions));
    std::error_code gone;
    const bool written = now && fs::exists(profile, gone) && fs::file_size(profile, gone) > 0;
    if (written && done) {
      const std::lock_guard lock(mutex_);
      captured_.files.push_back(profile);
    } else if (now) {
      fs::remove(profile, gone);
    }
    if (now && done && !written) done = Error{ErrorCode::unavailable, "the runtime wrote no profile", profile};
  }
  if (done && target_.outputs != SavedOutputs::none && !report_->stopped()) done = save(model, rank);
  if (done) return;
  report_->note(done.error().to_string());
  const std::lock_guard lock(mutex_);
  captured_.all = false;
}

Result<bool> ModelRun::load(const DeviceRuntime& runtime, Models& models) {
  const std::uint32_t ranks = std::max(target_.ranks, static_cast<std::uint32_t>(target_.cores.size()));
  std::set<std::string> zeros;
  for (std::size_t i = 0; i < target_.cores.size(); ++i) {
    models.push_back(std::make_unique<LoadedModel>(runtime, target_.cores[i]));
    report_->progress(say("loading onto core {}", target_.cores[i]));
    const auto rank = target_.first_rank + static_cast<std::uint32_t>(i);
    if (Result<bool> done = models.back()->load(model_, rank, ranks, target_.model); !done) return done;
    report_->progress(say("giving core {} its inputs", target_.cores[i]));
    if (Result<bool> filled = models.back()->fill(inputs_[i % inputs_.size()], target_.shared_from, zeros); !filled)
      return filled;
  }
  for (const std::string& name : zeros)
    report_->note(say("the input {} is all zeros, which may give NaN or infinity, and different times", name));
  if (target_.shared_from) {
    report_->note(say("inputs and outputs of more than {} bytes share one buffer, so the model's results are meaningless",
                      *target_.shared_from));
  }
  return true;
}

Result<Captured> ModelRun::run_on(const DeviceRuntime& runtime) {
  Models models;
  if (const Result<bool> loaded = load(runtime, models); !loaded) return loaded.error();
  wait_for_start(
      options_,
      {.progress = [this](const Message& text) { report_->progress(text); }, .note = {}, .stop = report_->watch().stop});
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < models.size(); ++i)
      threads.emplace_back([this, &models, i] { run_core(*models[i], target_.first_rank + static_cast<std::uint32_t>(i)); });
  }
  captured_.all = captured_.all && !report_->stopped();
  for (std::vector<std::string>* files : {&captured_.files, &captured_.others}) std::sort(files->begin(), files->end());
  return captured_;
}

Result<Captured> ModelRun::run() {
  Result<std::string> model = read_model(target_.model);
  if (!model) return model.error();
  model_ = *std::move(model);
  for (const NamedFiles& files : target_.inputs) {
    Result<GivenInputs> read = read_inputs(files);
    if (!read) return read.error();
    inputs_.push_back(*std::move(read));
  }
  if (inputs_.empty()) inputs_.emplace_back();
  report_->progress(say("loading {}", target_.library));
  const Result<DeviceRuntime> runtime = load_runtime(target_.library);
  if (!runtime) return runtime.error();
  RuntimeVersion version{};
  const int known = runtime->nrt_get_version(&version, sizeof version);
  const std::string detail(version.detail, ::strnlen(version.detail, sizeof version.detail));
  simulated_ = known == 0 && detail.find("simulated") != std::string::npos;
  if (simulated_) report_->note("the runtime is simulated: no device ran, and the results are marked as simulated");
  report_->progress("opening the device");
  if (const int status = runtime->nrt_init(kNoFramework, "", ""); status != 0)
    return Error{ErrorCode::unavailable, say("the device cannot be used: {}", runtime_status(status)), ""};
  const auto close = [](const DeviceRuntime* used) { used->nrt_close(); };
  const std::unique_ptr<const DeviceRuntime, decltype(close)> closed(&*runtime, close);
  return run_on(*runtime);
}

Result<bool> check_target(const ModelRunTarget& target, const CaptureOptions& options) {
  const auto wrong = [](TemplateMessage message) { return Error{ErrorCode::invalid_argument, std::move(message), ""}; };
  const std::size_t cores = target.cores.size(), lists = target.inputs.size();
  if (cores == 0) return wrong("no core is given");
  if (lists > 1 && lists != cores) return wrong(say("inputs of {} cores are given, but the number of cores is {}", lists, cores));
  if (target.ranks > 0 && target.first_rank + cores > target.ranks)
    return wrong(say("the ranks go from {} to {}, but the number of ranks is {}", target.first_rank,
                     target.first_rank + cores - 1, target.ranks));
  const std::optional<std::uint32_t> only = target.profiled_rank;
  if (only && (*only < target.first_rank || *only >= target.first_rank + cores))
    return wrong(say("rank {} is not on these cores", *only));
  if (target.every > target.executions) return wrong(say("of {} executions none is the {}th", target.executions, target.every));
  return check_start(options);
}

}  // namespace

DriverInfo model_run_driver() {
  return {.name = "neuron",
          .help = "Run a compiled model on a Neuron device and record it (tested on a simulated runtime only)",
          .refused = {{"--duration", "a model runs to its end; --executions sets how often"},
                      {"--iterations", "there is no training loop; --executions sets how often the model runs"},
                      {"--shapes", "the model declares its shapes"},
                      {"--stacks", "no Python runs on the device"},
                      {"--memory", "the device's profiler always records memory"},
                      {"--flops", "operations are derived from the instructions"},
                      {"--pid,--all,--job", "the command runs the model itself; --cores sets where"}}};
}

Result<Captured> capture_model_run(const ModelRunTarget& target, const CaptureOptions& options, const CaptureWatch& watch) {
  if (const Result<bool> fits = check_target(target, options); !fits) return fits.error();
  const fs::path folder = (fs::path(options.out) / target.profile).parent_path();
  if (const Result<bool> made = make_result_folder(folder.empty() ? "." : folder.string()); !made) return made.error();
  if (target.label_dma) ::setenv("NEURON_RT_ENABLE_DGE_NOTIFICATIONS", "1", 1);  // the runtime reads it when it starts
  const auto report = std::make_shared<RunWatch>(watch);
  // On a separate thread, which is left behind when a call of the runtime does not return.
  std::thread([report, run = std::make_shared<ModelRun>(target, options, report)] {
    try {
      report->finish(run->run());
    } catch (const std::exception& failure) {  // no memory, or no thread for a core
      report->finish(Error{ErrorCode::unavailable, failure.what(), ""});
    }
  }).detach();
  return report->wait(options.limit.count() > 0 ? options.limit : kSilence);
}

}  // namespace sightline::capture
