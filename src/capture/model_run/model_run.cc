#include "capture/model_run/model_run.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "capture/model_run/device_runtime.h"
#include "capture/model_run/npy_file.h"

namespace sightline {

namespace {

namespace fs = std::filesystem;

constexpr int kNoFramework = 1;
constexpr int kOnDevice = 0;
constexpr int kInput = 0;

// The letters of NumPy for a type of the runtime; empty: it has none, any of the same size is taken.
std::string numpy_type(int type) {
  constexpr const char* kTypes[] = {"", "u8", "i1", "u1", "i2", "u2", "V2", "f2", "i4", "u4", "f4", "f4", "i8"};
  return type > 0 && type < 13 ? kTypes[type] : "";
}

Error failed(const std::string& what, int status, const std::string& where) {
  return {ErrorCode::unavailable, what + ": " + runtime_status(status), where};
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

// Whether an array is what the model declares.
Result<bool> check_input(const RuntimeTensorInfo& wanted, const NpyArray& array, const std::string& file) {
  const std::vector<std::int64_t> shape(wanted.shape, wanted.shape + wanted.dimensions);
  const std::string type = numpy_type(wanted.type);
  if (array.shape != shape) {
    return Error{
        ErrorCode::invalid_argument,
        "the input " + std::string(wanted.name) + " has the shape " + shape_text(shape) + ", not " + shape_text(array.shape),
        file};
  }
  if (!type.empty() && array.type != type) {
    return Error{ErrorCode::invalid_argument,
                 "the input " + std::string(wanted.name) + " is of type " + type + ", not " + array.type, file};
  }
  if (array.bytes.size() != wanted.size) {
    return Error{ErrorCode::invalid_argument,
                 "the input " + std::string(wanted.name) + " has " + std::to_string(wanted.size) + " bytes, not " +
                     std::to_string(array.bytes.size()),
                 file};
  }
  return true;
}

// One core with the model on it. What it took from the runtime goes with it.
class LoadedModel {
 public:
  LoadedModel(const DeviceRuntime& runtime, std::int32_t core) : runtime_(runtime), core_(core) {}
  ~LoadedModel() {
    for (RuntimeTensor* tensor : tensors_) runtime_.nrt_tensor_free(&tensor);
    if (inputs_ != nullptr) runtime_.nrt_destroy_tensor_set(&inputs_);
    if (outputs_ != nullptr) runtime_.nrt_destroy_tensor_set(&outputs_);
    if (model_ != nullptr) runtime_.nrt_unload(model_);
  }
  LoadedModel(const LoadedModel&) = delete;
  LoadedModel& operator=(const LoadedModel&) = delete;

  Result<bool> load(const std::string& bytes, std::uint32_t rank, std::uint32_t ranks, const std::string& file);
  // Gives it what is named, zeros for the rest, whose names are added to `zeros`.
  Result<bool> fill(const std::map<std::string, std::pair<std::string, NpyArray>>& arrays, std::set<std::string>& zeros);
  Result<bool> execute(const std::string& profile, bool ignore_errors, std::string& ignored);

  std::int32_t core() const { return core_; }

 private:
  Result<bool> add(const RuntimeTensorInfo& info, const std::string& bytes);

  const DeviceRuntime& runtime_;
  std::int32_t core_;
  RuntimeModel* model_ = nullptr;
  RuntimeTensorSet *inputs_ = nullptr, *outputs_ = nullptr;
  std::vector<RuntimeTensor*> tensors_;
};

Result<bool> LoadedModel::load(const std::string& bytes, std::uint32_t rank, std::uint32_t ranks, const std::string& file) {
  const int status = ranks == 1 ? runtime_.nrt_load(bytes.data(), bytes.size(), core_, 1, &model_)
                                : runtime_.nrt_load_collectives(bytes.data(), bytes.size(), core_, 1, rank, ranks, &model_);
  if (status == 0) return true;
  model_ = nullptr;  // whatever stands there is none
  return failed("it cannot be loaded onto core " + std::to_string(core_), status, file);
}

Result<bool> LoadedModel::add(const RuntimeTensorInfo& info, const std::string& bytes) {
  RuntimeTensor* tensor = nullptr;
  if (const int status = runtime_.nrt_tensor_allocate(kOnDevice, core_, info.size, info.name, &tensor); status != 0) {
    return failed("no memory of the device", status, info.name);
  }
  tensors_.push_back(tensor);
  int status = info.usage == kInput ? runtime_.nrt_tensor_write(tensor, bytes.data(), 0, bytes.size()) : 0;
  if (status == 0) status = runtime_.nrt_add_tensor_to_tensor_set(info.usage == kInput ? inputs_ : outputs_, info.name, tensor);
  if (status != 0) return failed("it cannot be given to the model", status, info.name);
  return true;
}

Result<bool> LoadedModel::fill(const std::map<std::string, std::pair<std::string, NpyArray>>& arrays,
                               std::set<std::string>& zeros) {
  RuntimeTensorList* list = nullptr;
  if (const int status = runtime_.nrt_get_model_tensor_info(model_, &list); status != 0)
    return failed("the model names no tensors", status, "");
  const auto freed = [this](RuntimeTensorList* given) { runtime_.nrt_free_model_tensor_info(given); };
  const std::unique_ptr<RuntimeTensorList, decltype(freed)> owner(list, freed);
  if (runtime_.nrt_allocate_tensor_set(&inputs_) != 0 || runtime_.nrt_allocate_tensor_set(&outputs_) != 0) {
    return Error{ErrorCode::unavailable, "the runtime has no room for the tensors", ""};
  }
  std::set<std::string> known;
  for (std::uint64_t i = 0; i < list->count; ++i) {
    const RuntimeTensorInfo& info = list->tensors[i];
    const auto given = info.usage == kInput ? arrays.find(info.name) : arrays.end();
    if (info.usage == kInput) known.insert(info.name);
    if (given != arrays.end()) {
      if (const Result<bool> fits = check_input(info, given->second.second, given->second.first); !fits) return fits.error();
    } else if (info.usage == kInput) {
      zeros.insert(info.name);
    }
    const Result<bool> added = add(info, given != arrays.end() ? given->second.second.bytes : std::string(info.size, '\0'));
    if (!added) return added.error();
  }
  for (const auto& [name, array] : arrays) {
    if (known.contains(name)) continue;
    std::string names;
    for (const std::string& one : known) names += (names.empty() ? "" : ", ") + one;
    return Error{ErrorCode::invalid_argument, "the model has no input " + name + "; it has " + (names.empty() ? "none" : names),
                 array.first};
  }
  return true;
}

// `profile` empty: without the profiler.
Result<bool> LoadedModel::execute(const std::string& profile, bool ignore_errors, std::string& ignored) {
  if (!profile.empty()) {
    if (const int status = runtime_.nrt_profile_start(model_, profile.c_str()); status != 0)
      return failed("the profiler did not start", status, profile);
  }
  const int status = runtime_.nrt_execute(model_, inputs_, outputs_);
  if (!profile.empty()) {
    if (const int stopped = runtime_.nrt_profile_stop(profile.c_str()); stopped != 0)
      return failed("the profile was not written", stopped, profile);
  }
  if (status == 0) return true;
  if (!ignore_errors || !is_execution_error(status)) {
    const char* hint = is_execution_error(status) ? " (--ignore-exec-errors keeps the profile)" : "";
    return Error{ErrorCode::unavailable,
                 "the model failed on core " + std::to_string(core_) + ": " + runtime_status(status) + hint, ""};
  }
  ignored = "core " + std::to_string(core_) + ": " + runtime_status(status) + " ignored";
  return true;
}

// PROFILE with what tells it from the others before its ending.
std::string file_of(const ModelRunTarget& target, std::size_t rank, std::int64_t execution, bool simulated) {
  const fs::path path = target.profile;
  std::string name = path.stem().string();
  if (simulated) name += "_simulated";
  if (target.cores.size() > 1) name += "_rank_" + std::to_string(rank);
  if (target.every > 0) name += "_exec_" + std::to_string(execution);
  return (path.parent_path() / (name + path.extension().string())).string();
}

Result<std::string> read_model(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code failure;
  if (!file || fs::is_directory(path, failure))
    return Error{ErrorCode::not_found, "no such file, or none that can be read", path};
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

class ModelRun {
 public:
  ModelRun(const ModelRunTarget& target, const CaptureWatch& watch, const DeviceRuntime& runtime, bool simulated)
      : target_(target), watch_(watch), runtime_(runtime), simulated_(simulated) {}

  Result<Captured> run(const std::string& model, const std::map<std::string, std::pair<std::string, NpyArray>>& arrays);

 private:
  void run_core(LoadedModel& loaded, std::size_t rank);

  const ModelRunTarget& target_;
  const CaptureWatch& watch_;
  const DeviceRuntime& runtime_;
  const bool simulated_;
  std::mutex mutex_;
  Captured captured_;
};

void ModelRun::run_core(LoadedModel& loaded, std::size_t rank) {
  for (std::int64_t n = 1; n <= target_.executions && !watch_.stop.stop_requested(); ++n) {
    const bool profiled = target_.every > 0 ? n % target_.every == 0 : n == target_.executions;
    const std::string profile = profiled ? file_of(target_, rank, n, simulated_) : "";
    std::string ignored;
    const Result<bool> done = loaded.execute(profile, target_.ignore_execution_errors, ignored);
    const std::lock_guard lock(mutex_);
    watch_.progress("execution " + std::to_string(n) + " of " + std::to_string(target_.executions));
    if (!ignored.empty()) watch_.note(ignored);
    std::error_code gone;
    const bool written = profiled && fs::exists(profile, gone);
    if (done && written) captured_.files.push_back(profile);
    if (!done) {
      watch_.note(done.error().to_string());
      if (written) fs::remove(profile, gone);
    } else if (profiled && !written) {
      watch_.note(profile + ": the runtime wrote no profile");
    }
    captured_.all = captured_.all && done.ok() && written == profiled;
    if (!done) return;
  }
}

Result<Captured> ModelRun::run(const std::string& model, const std::map<std::string, std::pair<std::string, NpyArray>>& arrays) {
  std::vector<std::unique_ptr<LoadedModel>> loaded;
  std::set<std::string> zeros;
  const auto ranks = static_cast<std::uint32_t>(target_.cores.size());
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    loaded.push_back(std::make_unique<LoadedModel>(runtime_, target_.cores[rank]));
    watch_.progress("loading onto core " + std::to_string(target_.cores[rank]));
    if (const Result<bool> done = loaded.back()->load(model, rank, ranks, target_.model); !done) return done.error();
    if (const Result<bool> filled = loaded.back()->fill(arrays, zeros); !filled) return filled.error();
  }
  for (const std::string& name : zeros)
    watch_.note("the input " + name + " is all zeros, which may give NaN or infinity, and other times");
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      threads.emplace_back([this, &loaded, rank] { run_core(*loaded[rank], rank); });
  }
  if (watch_.stop.stop_requested()) captured_.all = false;
  std::sort(captured_.files.begin(), captured_.files.end());
  return std::move(captured_);
}

}  // namespace

Result<Captured> capture_model_run(const ModelRunTarget& target, const CaptureWatch& watch) {
  const Result<std::string> model = read_model(target.model);
  if (!model) return model.error();
  std::map<std::string, std::pair<std::string, NpyArray>> arrays;
  for (const auto& [name, file] : target.inputs) {
    Result<NpyArray> array = read_npy(file);
    if (!array) return array.error();
    arrays.insert_or_assign(name, std::pair(file, std::move(*array)));
  }
  const Result<DeviceRuntime> runtime = load_runtime(target.library);
  if (!runtime) return runtime.error();
  RuntimeVersion version{};
  const int known = runtime->nrt_get_version(&version, sizeof version);
  const bool simulated =
      known == 0 &&
      std::string(version.detail, ::strnlen(version.detail, sizeof version.detail)).find("simulated") != std::string::npos;
  if (simulated) watch.note("the runtime is simulated: no device ran, and the names of the results say so");
  if (const int status = runtime->nrt_init(kNoFramework, "", ""); status != 0)
    return failed("the device cannot be used", status, "");
  const auto close = [&](const DeviceRuntime* used) { used->nrt_close(); };
  const std::unique_ptr<const DeviceRuntime, decltype(close)> closed(&*runtime, close);
  return ModelRun(target, watch, *runtime, simulated).run(*model, arrays);
}

}  // namespace sightline
