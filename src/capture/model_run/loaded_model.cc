// The runtime library is loaded when it is needed. Tensors that the model shares lie in one buffer.
#include "capture/model_run/loaded_model.h"

#include <dlfcn.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "base/text.h"

namespace sightline::capture {

// ---- the runtime library ----

namespace {

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace

Result<DeviceRuntime> load_runtime(const std::string& library) {
  void* loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays loaded: it has its own threads
  if (loaded == nullptr) {
    return Error{ErrorCode::unsupported,
                 say("a Neuron device and its runtime are needed here (package aws-neuronx-runtime-lib): {}", ::dlerror()), ""};
  }
  DeviceRuntime runtime{};
  const char* missing = nullptr;
  const auto need = [&](const char* name, auto& function) {
    if (!find(loaded, name, function) && missing == nullptr) missing = name;
  };
#define NEED(name) need(#name, runtime.name)
  NEED(nrt_get_version);
  NEED(nrt_init);
  NEED(nrt_close);
  NEED(nrt_load);
  NEED(nrt_load_collectives);
  NEED(nrt_unload);
  NEED(nrt_get_model_tensor_info);
  NEED(nrt_free_model_tensor_info);
  NEED(nrt_allocate_tensor_set);
  NEED(nrt_destroy_tensor_set);
  NEED(nrt_tensor_allocate);
  NEED(nrt_tensor_free);
  NEED(nrt_tensor_allocate_slice);
  NEED(nrt_tensor_write);
  NEED(nrt_tensor_read);
  NEED(nrt_add_tensor_to_tensor_set);
  NEED(nrt_profile_start);
  NEED(nrt_execute);
  NEED(nrt_profile_stop);
#undef NEED
  if (missing != nullptr) return Error{ErrorCode::unsupported, say("it has no function {}", missing), library};
  return runtime;
}

std::string numpy_type(int type) {
  constexpr const char* kTypes[] = {"", "u8", "i1", "u1", "i2", "u2", "V2", "f2", "i4", "u4", "f4", "f4", "i8", "V1", "V1", "V1"};
  return type > 0 && type < static_cast<int>(std::size(kTypes)) ? kTypes[type] : "";
}

std::string runtime_status(int status) {
  constexpr std::pair<int, const char*> kWords[] = {{1, "failure"},
                                                    {2, "invalid argument"},
                                                    {3, "invalid handle"},
                                                    {4, "out of resources"},
                                                    {5, "timeout"},
                                                    {6, "hardware error"},
                                                    {7, "queue full"},
                                                    {9, "not enough cores"},
                                                    {10, "unsupported version of the model file"},
                                                    {11, "out of host memory"},
                                                    {13, "not initialised: is there a device and its driver?"},
                                                    {14, "closed"},
                                                    {101, "execution unit dead"},
                                                    {1002, "bad input"},
                                                    {1003, "NaN in the results"},
                                                    {1004, "execution error"},
                                                    {1005, "core busy"},
                                                    {1006, "index out of bounds"},
                                                    {1100, "collectives pending"},
                                                    {1200, "collectives stuck"},
                                                    {1201, "uncorrectable memory error"},
                                                    {1204, "notification queue overflow"}};
  for (const auto& [number, word] : kWords) {
    if (number == status) return std::string(word) + " (status " + std::to_string(status) + ")";
  }
  return "status " + std::to_string(status);
}

bool is_execution_error(int status) { return status == 1003 || status == 1004 || status == 1006; }

// ---- arrays as .npy files ----

namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

// The value of `key` in the header, which is a Python dictionary.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find("'" + std::string(key) + "':");
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + key.size() + 3);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const char closing = rest.starts_with('(') ? ')' : rest.starts_with('\'') ? '\'' : ',';
  return rest.substr(0, rest.find(closing, 1));
}

bool parse_shape(std::string_view text, std::vector<std::int64_t>& shape) {
  while (!text.empty()) {
    const std::size_t begin = text.find_first_of("0123456789");
    if (begin == std::string_view::npos) return true;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto size = whole_number<std::int64_t>(text.substr(0, end));
    if (!size) return false;
    shape.push_back(*size);
    text.remove_prefix(end);
  }
  return true;
}

// Bytes that the shape needs; nullopt when that many cannot be.
std::optional<std::uint64_t> size_of(const std::vector<std::int64_t>& shape, std::uint64_t element) {
  std::uint64_t size = element;
  for (const std::int64_t dimension : shape) {
    if (__builtin_mul_overflow(size, static_cast<std::uint64_t>(dimension), &size)) return std::nullopt;
  }
  return size;
}

}  // namespace

Result<NpyArray> read_array(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::not_found, say("cannot be opened: {}", std::strerror(errno)), path};
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  const auto broken = [&](const char* what) { return Error{ErrorCode::malformed, what, path}; };
  if (!all.starts_with(kMagic)) return NpyArray{.type = "", .shape = {}, .bytes = all};
  if (all.size() < 12) return broken("its header is truncated");
  const std::size_t length_size = all[6] == 1 ? 2 : 4;  // version 1 has a short header
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_size; ++i) length |= std::size_t{static_cast<unsigned char>(all[8 + i])} << (8 * i);
  const std::size_t data = 8 + length_size + length;
  if (data > all.size()) return broken("its header is truncated");
  const std::string_view header = std::string_view(all).substr(8 + length_size, length);
  std::string_view type = value_of(header, "descr");
  if (type.starts_with('\'')) type.remove_prefix(1);
  NpyArray array;
  const auto element = type.size() > 2 ? whole_number<std::uint64_t>(type.substr(2)) : std::nullopt;
  if (!element || !parse_shape(value_of(header, "shape"), array.shape)) return broken("its header is not understood");
  if (type[0] == '>' || type[1] == 'O' || type[1] == 'U' || value_of(header, "fortran_order") != "False") {
    return Error{ErrorCode::unsupported, "store it little-endian, rows first, and as numbers", path};
  }
  const std::optional<std::uint64_t> size = size_of(array.shape, *element);
  if (!size || *size != all.size() - data) return broken("its number of bytes does not match its shape");
  array.type = std::string(type.substr(1));
  array.bytes = all.substr(data);
  return array;
}

// A header of version 1, padded with a line feed at its end, so the array after it is aligned to 64 bytes.
std::string npy_text(const NpyArray& array) {
  std::string shape;
  for (const std::int64_t size : array.shape) shape += std::to_string(size) + ", ";
  const char order = array.type.ends_with('1') || array.type.starts_with('V') ? '|' : '<';
  std::string header = std::string("{'descr': '") + order + array.type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t kBefore = 10, kAligned = 64;  // the magic, the version and the length
  header.append(kAligned - 1 - (kBefore + header.size()) % kAligned, ' ').push_back('\n');
  std::string text(kMagic);
  text.append({'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)});
  return text + header + array.bytes;
}

// ---- the model ----

namespace {

constexpr int kOnDevice = 0;
constexpr int kInput = 0;

Error failed(const Message& what, int status, const std::string& where) {
  return {ErrorCode::unavailable, say("{}: {}", what, runtime_status(status)), where};
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

std::vector<std::int64_t> shape_of(const RuntimeTensorInfo& info) { return {info.shape, info.shape + info.dimensions}; }

// Whether an array is as the model declares it. For raw bytes, only their number can be checked.
Result<bool> check_input(const RuntimeTensorInfo& wanted, const GivenInput& given) {
  const NpyArray& array = given.array;
  const std::string_view name = wanted.name;
  const std::string type = numpy_type(wanted.type);
  const auto wrong = [&](const Message& message) { return Error{ErrorCode::invalid_argument, message, given.file}; };
  const bool raw = array.type.empty();
  if (!raw && array.shape != shape_of(wanted))
    return wrong(say("the input {} has the shape {}, not {}", name, shape_text(shape_of(wanted)), shape_text(array.shape)));
  if (!raw && !type.empty() && array.type != type)
    return wrong(say("the input {} is of type {}, not {}", name, type, array.type));
  if (array.bytes.size() != wanted.size) {
    const Message bytes = say("the input {} has {} bytes, not {}", name, wanted.size, array.bytes.size());
    return wrong(raw ? say("{}; a file that is not .npy is read as raw bytes", bytes) : bytes);
  }
  return true;
}

}  // namespace

LoadedModel::~LoadedModel() {
  // Slices of a tensor before the tensor.
  std::for_each(tensors_.rbegin(), tensors_.rend(), [&](RuntimeTensor* tensor) { runtime_.nrt_tensor_free(&tensor); });
  if (input_set_ != nullptr) runtime_.nrt_destroy_tensor_set(&input_set_);
  if (output_set_ != nullptr) runtime_.nrt_destroy_tensor_set(&output_set_);
  if (model_ != nullptr) runtime_.nrt_unload(model_);
}

Result<bool> LoadedModel::load(const std::string& bytes, std::uint32_t rank, std::uint32_t ranks, const std::string& file) {
  const int status = ranks == 1 ? runtime_.nrt_load(bytes.data(), bytes.size(), core_, 1, &model_)
                                : runtime_.nrt_load_collectives(bytes.data(), bytes.size(), core_, 1, rank, ranks, &model_);
  if (status == 0) return true;
  model_ = nullptr;  // after a failure, the value is not a model
  return failed(say("it cannot be loaded onto core {}", core_), status, file);
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
               say("the model has no input {}; it has {}", stranger->first, names.empty() ? "none" : names),
               stranger->second.file};
}

Result<bool> LoadedModel::execute(const std::string& profile, bool ignore_errors, Message& ignored) {
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
  if (!ignore_errors || !is_execution_error(status)) {
    const Message failure = say("the model failed on core {}: {}", core_, runtime_status(status));
    return Error{ErrorCode::unavailable,
                 is_execution_error(status) ? say("{} (--ignore-exec-errors keeps the profile)", failure) : failure, ""};
  }
  ignored = say("core {}: {} ignored", core_, runtime_status(status));
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
