// A compiled model, loaded on its device through the device's runtime library, and the arrays that go into it and come out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace sightline::capture {

// ---- the runtime library ----
// AWS' runtime for Neuron devices, libnrt.so.1, loaded when it is needed.
// We wrote the declarations from its public documentation, and use none
// of its headers. Tests use a simulated library, which identifies itself.

struct RuntimeTensorInfo {
  char name[256];
  int usage;  // 0: input, 1: output
  std::size_t size;
  int type;
  std::uint32_t* shape;
  std::uint32_t dimensions;
};

struct RuntimeTensorList {
  std::uint64_t count;
  RuntimeTensorInfo tensors[1];  // `count` of them
};

struct RuntimeVersion {
  std::uint64_t major, minor, patch, maintenance;
  char detail[128];
  char source[64];
  char later[512];  // for members of newer releases
};

struct RuntimeModel;
struct RuntimeTensor;
struct RuntimeTensorSet;

// The functions that a capture calls; each returns 0, or a status that runtime_status() names.
struct DeviceRuntime {
  int (*nrt_get_version)(RuntimeVersion*, std::size_t);
  int (*nrt_init)(int framework, const char* framework_version, const char* layer_version);
  void (*nrt_close)();
  int (*nrt_load)(const void* bytes, std::size_t size, std::int32_t core, std::int32_t cores, RuntimeModel**);
  int (*nrt_load_collectives)(const void* bytes, std::size_t size, std::int32_t core, std::int32_t cores, std::uint32_t rank,
                              std::uint32_t ranks, RuntimeModel**);
  int (*nrt_unload)(RuntimeModel*);
  int (*nrt_get_model_tensor_info)(RuntimeModel*, RuntimeTensorList**);
  int (*nrt_free_model_tensor_info)(RuntimeTensorList*);
  int (*nrt_allocate_tensor_set)(RuntimeTensorSet**);
  void (*nrt_destroy_tensor_set)(RuntimeTensorSet**);
  int (*nrt_tensor_allocate)(int placement, int core, std::size_t size, const char* name, RuntimeTensor**);
  void (*nrt_tensor_free)(RuntimeTensor**);
  int (*nrt_tensor_allocate_slice)(const RuntimeTensor* of, std::size_t offset, std::size_t size, const char* name,
                                   RuntimeTensor**);
  int (*nrt_tensor_write)(RuntimeTensor*, const void* bytes, std::size_t offset, std::size_t size);
  int (*nrt_tensor_read)(const RuntimeTensor*, void* bytes, std::size_t offset, std::size_t size);
  int (*nrt_add_tensor_to_tensor_set)(RuntimeTensorSet*, const char* name, RuntimeTensor*);
  int (*nrt_profile_start)(RuntimeModel*, const char* file);
  int (*nrt_execute)(RuntimeModel*, const RuntimeTensorSet* inputs, RuntimeTensorSet* outputs);
  int (*nrt_profile_stop)(const char* file);
};

// `library`: its path, or a name for the system's loader. unsupported: it was not found, or is another library.
Result<DeviceRuntime> load_runtime(const std::string& library);

// NumPy's letters for a type of the runtime, such as f4; bfloat16 and the 8-bit floats, which NumPy has not, are V2 and V1.
// Empty: unknown.
std::string numpy_type(int type);

std::string runtime_status(int status);
bool is_execution_error(int status);  // the model ran to its end, with NaN or wrong indices

// ---- arrays as .npy files ----

struct NpyArray {
  std::string type;  // NumPy's letters without the byte order: f4, i8, u1, ...; bfloat16 is stored as V2. Empty: unknown
  std::vector<std::int64_t> shape;
  std::string bytes;  // little-endian, the last dimension fastest
};

// For a file that is not .npy: its bytes unchanged, without a type.
// malformed: cut short; unsupported: big-endian, columns first, or Python objects. `where` is the file.
Result<NpyArray> read_array(const std::string& path);

std::string npy_text(const NpyArray& array);

// ---- the model ----

struct GivenInput {
  std::string file;
  NpyArray array;
};

using GivenInputs = std::map<std::string, GivenInput>;  // by the input's name

// A model on one core: its tensors, its executions with or
// without the device's profiler, and its outputs. The
// destructor frees everything that it got from the runtime.
class LoadedModel {
 public:
  LoadedModel(const DeviceRuntime& runtime, std::int32_t core) : runtime_(runtime), core_(core) {}
  ~LoadedModel();
  LoadedModel(const LoadedModel&) = delete;
  LoadedModel& operator=(const LoadedModel&) = delete;

  // `bytes` of the file `file`, as `rank` of `ranks` that work together.
  Result<bool> load(const std::string& bytes, std::uint32_t rank, std::uint32_t ranks, const std::string& file);

  // Sets the named inputs, and the other inputs to 0; their names
  // are added to `zeros`. Tensors of more than `shared_from`
  // bytes share one buffer, so their contents are meaningless.
  Result<bool> fill(const GivenInputs& inputs, std::optional<std::uint64_t> shared_from, std::set<std::string>& zeros);

  // Runs it once; `profile` is the file that the device's profiler writes, empty: none. True: whole; false: it ended with an
  // error of the execution, which is `ignored` where that was wished.
  Result<bool> execute(const std::string& profile, bool ignore_errors, Message& ignored);

  // The outputs of the last execution, by name.
  Result<std::map<std::string, NpyArray>> outputs() const;

  std::int32_t core() const { return core_; }

 private:
  struct Output {
    std::string name;
    NpyArray array;  // without its bytes
    std::size_t size;
    RuntimeTensor* tensor;
  };

  Result<RuntimeTensor*> allocate(const RuntimeTensorInfo& info, std::optional<std::uint64_t> shared_from);
  Result<bool> share(const RuntimeTensorList& list, std::uint64_t shared_from);
  Result<bool> add(const RuntimeTensorInfo& info, RuntimeTensor* tensor, const std::string* bytes);

  const DeviceRuntime& runtime_;
  const std::int32_t core_;
  RuntimeModel* model_ = nullptr;
  RuntimeTensorSet *input_set_ = nullptr, *output_set_ = nullptr;
  std::vector<RuntimeTensor*> tensors_;
  RuntimeTensor* shared_ = nullptr;  // one of tensors_
  std::vector<Output> outputs_;
};

}  // namespace sightline::capture
