// AWS' runtime for Neuron devices, libnrt.so.1, loaded when it is needed. The declarations are our own, after its public
// documentation; no header of it is used. What ran on a simulated library says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"

namespace sightline::capture {

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
  char later[512];  // room for what newer releases add
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

// `library`: its path, or the name that the system's loader finds. unsupported: it is not there, or not that library.
Result<DeviceRuntime> load_runtime(const std::string& library);

// NumPy's letters for a type of the runtime, such as f4; bfloat16 and the 8-bit floats, which NumPy has not, are V2 and V1.
// Empty: unknown.
std::string numpy_type(int type);

std::string runtime_status(int status);
bool is_execution_error(int status);  // the model ran to its end, with NaN or wrong indices

}  // namespace sightline::capture
