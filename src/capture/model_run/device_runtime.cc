#include "capture/model_run/device_runtime.h"

#include <dlfcn.h>

#include <iterator>
#include <utility>

namespace sightline::capture {

namespace {

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace

Result<DeviceRuntime> load_runtime(const std::string& library) {
  void* loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays loaded: it has threads of its own
  if (loaded == nullptr) {
    return Error{ErrorCode::unsupported,
                 std::string("a Neuron device and its runtime are needed here (package aws-neuronx-runtime-lib): ") + ::dlerror(),
                 ""};
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
  if (missing != nullptr) return Error{ErrorCode::unsupported, std::string("it has no function ") + missing, library};
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

}  // namespace sightline::capture
