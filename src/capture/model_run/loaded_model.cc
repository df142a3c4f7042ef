#include "capture/model_run/loaded_model.h"

#include <algorithm>
#include <memory>

namespace sightline::capture {

namespace {

constexpr int kOnDevice = 0;
constexpr int kInput = 0;

Error failed(const std::string& what, int status, const std::string& where) {
  return {ErrorCode::unavailable, what + ": " + runtime_status(status), where};
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

std::vector<std::int64_t> shape_of(const RuntimeTensorInfo& info) { return {info.shape, info.shape + info.dimensions}; }

// Whether an array is what the model declares. For raw bytes, only their number can be checked.
Result<bool> check_input(const RuntimeTensorInfo& wanted, const GivenInput& given) {
  const NpyArray& array = given.array;
  const std::string input = "the input " + std::string(wanted.name), type = numpy_type(wanted.type);
  const auto wrong = [&](std::string message) { return Error{ErrorCode::invalid_argument, input + message, given.file}; };
  const bool raw = array.type.empty();
  if (!raw && array.shape != shape_of(wanted))
    return wrong(" has the shape " + shape_text(shape_of(wanted)) + ", not " + shape_text(array.shape));
  if (!raw && !type.empty() && array.type != type) return wrong(" is of type " + type + ", not " + array.type);
  if (array.bytes.size() != wanted.size) {
    return wrong(" has " + std::to_string(wanted.size) + " bytes, not " + std::to_string(array.bytes.size()) +
                 (raw ? "; a file that is not .npy is read as raw bytes" : ""));
  }
  return true;
}

}  // namespace

LoadedModel::~LoadedModel() {
  // Slices before what they are slices of.
  std::for_each(tensors_.rbegin(), tensors_.rend(), [&](RuntimeTensor* tensor) { runtime_.nrt_tensor_free(&tensor); });
  if (input_set_ != nullptr) runtime_.nrt_destroy_tensor_set(&input_set_);
  if (output_set_ != nullptr) runtime_.nrt_destroy_tensor_set(&output_set_);
  if (model_ != nullptr) runtime_.nrt_unload(model_);
}

Result<bool> LoadedModel::load(const std::string& bytes, std::uint32_t rank, std::uint32_t ranks, const std::string& file) {
  const int status = ranks == 1 ? runtime_.nrt_load(bytes.data(), bytes.size(), core_, 1, &model_)
                                : runtime_.nrt_load_collectives(bytes.data(), bytes.size(), core_, 1, rank, ranks, &model_);
  if (status == 0) return true;
  model_ = nullptr;  // the value there is not a model
  return failed("it cannot be loaded onto core " + std::to_string(core_), status, file);
}

// One buffer as large as the largest of those that share it.
Result<bool> LoadedModel::share(const RuntimeTensorList& list, std::uint64_t shared_from) {
  std::size_t largest = 0;
  for (std::uint64_t i = 0; i < list.count; ++i) largest = std::max(largest, list.tensors[i].size);
  if (largest <= shared_from) return true;
  if (const int status = runtime_.nrt_tensor_allocate(kOnDevice, core_, largest, "shared", &shared_); status != 0)
    return failed("no memory of the device", status, "");
  tensors_.push_back(shared_);
  const std::string zeros(largest, '\0');
  if (const int status = runtime_.nrt_tensor_write(shared_, zeros.data(), 0, largest); status != 0)
    return failed("the device's memory cannot be written", status, "");
  return true;
}

Result<RuntimeTensor*> LoadedModel::allocate(const RuntimeTensorInfo& info, std::optional<std::uint64_t> shared_from) {
  RuntimeTensor* tensor = nullptr;
  const bool shares = shared_from && info.size > *shared_from;
  const int status = shares ? runtime_.nrt_tensor_allocate_slice(shared_, 0, info.size, info.name, &tensor)
                            : runtime_.nrt_tensor_allocate(kOnDevice, core_, info.size, info.name, &tensor);
  if (status != 0) return failed("no memory of the device", status, info.name);
  tensors_.push_back(tensor);
  return tensor;
}

// `bytes` null: of an output.
Result<bool> LoadedModel::add(const RuntimeTensorInfo& info, RuntimeTensor* tensor, const std::string* bytes) {
  int status = bytes != nullptr ? runtime_.nrt_tensor_write(tensor, bytes->data(), 0, bytes->size()) : 0;
  if (status == 0) status = runtime_.nrt_add_tensor_to_tensor_set(bytes != nullptr ? input_set_ : output_set_, info.name, tensor);
  if (status != 0) return failed("it cannot be given to the model", status, info.name);
  if (bytes == nullptr) {
    outputs_.push_back({info.name, {numpy_type(info.type), shape_of(info), ""}, info.size, tensor});
  }
  return true;
}

Result<bool> LoadedModel::fill(const GivenInputs& inputs, std::optional<std::uint64_t> shared_from,
                               std::set<std::string>& zeros) {
  RuntimeTensorList* list = nullptr;
  if (const int status = runtime_.nrt_get_model_tensor_info(model_, &list); status != 0)
    return failed("the model declares no tensors", status, "");
  const auto freed = [this](RuntimeTensorList* given) { runtime_.nrt_free_model_tensor_info(given); };
  const std::unique_ptr<RuntimeTensorList, decltype(freed)> owner(list, freed);
  if (runtime_.nrt_allocate_tensor_set(&input_set_) != 0 || runtime_.nrt_allocate_tensor_set(&output_set_) != 0) {
    return Error{ErrorCode::unavailable, "the runtime has no memory for the tensors", ""};
  }
  if (shared_from) {
    if (const Result<bool> shared = share(*list, *shared_from); !shared) return shared;
  }
  std::set<std::string> known;
  for (std::uint64_t i = 0; i < list->count; ++i) {
    const RuntimeTensorInfo& info = list->tensors[i];
    const bool input = info.usage == kInput;
    const auto given = input ? inputs.find(info.name) : inputs.end();
    if (input) known.insert(info.name);
    if (given != inputs.end()) {
      if (Result<bool> fits = check_input(info, given->second); !fits) return fits;
    } else if (input) {
      zeros.insert(info.name);
    }
    const Result<RuntimeTensor*> tensor = allocate(info, shared_from);
    if (!tensor) return tensor.error();
    const std::string nothing(input && given == inputs.end() ? info.size : 0, '\0');
    const std::string* bytes = given != inputs.end() ? &given->second.array.bytes : input ? &nothing : nullptr;
    if (Result<bool> added = add(info, *tensor, bytes); !added) return added;
  }
  const auto stranger = std::find_if(inputs.begin(), inputs.end(), [&](const auto& i) { return !known.contains(i.first); });
  if (stranger == inputs.end()) return true;
  std::string names;
  for (const std::string& one : known) names += (names.empty() ? "" : ", ") + one;
  return Error{ErrorCode::invalid_argument,
               "the model has no input " + stranger->first + "; it has " + (names.empty() ? "none" : names),
               stranger->second.file};
}

Result<bool> LoadedModel::execute(const std::string& profile, bool ignore_errors, std::string& ignored) {
  if (!profile.empty()) {
    if (const int status = runtime_.nrt_profile_start(model_, profile.c_str()); status != 0)
      return failed("the profiler did not start", status, profile);
  }
  const int status = runtime_.nrt_execute(model_, input_set_, output_set_);
  if (!profile.empty()) {
    if (const int stopped = runtime_.nrt_profile_stop(profile.c_str()); stopped != 0)
      return failed("the profile was not written", stopped, profile);
  }
  if (status == 0) return true;
  const std::string core = "core " + std::to_string(core_) + ": ";
  if (!ignore_errors || !is_execution_error(status)) {
    const char* hint = is_execution_error(status) ? " (--ignore-exec-errors keeps the profile)" : "";
    return Error{ErrorCode::unavailable, "the model failed on " + core + runtime_status(status) + hint, ""};
  }
  ignored = core + runtime_status(status) + " ignored";
  return true;
}

Result<std::map<std::string, NpyArray>> LoadedModel::outputs() const {
  std::map<std::string, NpyArray> read;
  for (const Output& output : outputs_) {
    NpyArray& array = read[output.name] = output.array;
    array.bytes.resize(output.size);
    if (const int status = runtime_.nrt_tensor_read(output.tensor, array.bytes.data(), 0, output.size); status != 0)
      return failed("the output cannot be read", status, output.name);
  }
  return read;
}

}  // namespace sightline::capture
