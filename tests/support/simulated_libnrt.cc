// A library with the functions of AWS' libnrt.so.1 that a capture calls, for tests without a device. It executes nothing.
//
// A model for it is a text: lines "input NAME TYPE SIZE..." and "output NAME TYPE SIZE...", with the runtime's number of the
// type. The profile is a copy of the file in $SIMULATED_NTFF. $SIMULATED_NRT_LOG gets a line per call. $SIMULATED_NRT_FAILS,
// such as nrt_execute=1003, makes one function fail; $SIMULATED_NRT_HANGS, such as nrt_load, makes one never return. Outputs
// hold the number of the execution in each byte, or with $SIMULATED_NRT_SAME always 7.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "capture/model_run/loaded_model.h"

namespace sightline::capture {

struct RuntimeModel {
  std::vector<RuntimeTensorInfo> tensors;
  std::vector<std::vector<std::uint32_t>> shapes;
  int executions = 0;
};
struct RuntimeTensor {
  std::string bytes;
};
struct RuntimeTensorSet {
  std::vector<RuntimeTensor*> tensors;
};

}  // namespace sightline::capture

using namespace sightline::capture;

namespace {

std::mutex log_mutex;

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int called(const std::string& function, const std::string& details = "") {
  std::unique_lock lock(log_mutex);
  std::ofstream(setting("SIMULATED_NRT_LOG"), std::ios::app) << function << (details.empty() ? "" : " ") << details << "\n";
  lock.unlock();
  while (setting("SIMULATED_NRT_HANGS") == function) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const std::string fails = setting("SIMULATED_NRT_FAILS");
  return fails.starts_with(function + "=") ? std::atoi(fails.c_str() + function.size() + 1) : 0;
}

constexpr std::size_t kTypeSizes[] = {0, 8, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 8, 1, 1, 1};

RuntimeModel* parse(const void* bytes, std::size_t size) {
  auto* model = new RuntimeModel;
  std::istringstream text(std::string(static_cast<const char*>(bytes), size));
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string usage, name;
    RuntimeTensorInfo info{};
    words >> usage >> name >> info.type;
    std::strncpy(info.name, name.c_str(), sizeof info.name - 1);
    info.usage = usage == "output" ? 1 : 0;
    info.size = kTypeSizes[info.type];
    model->shapes.emplace_back();
    for (std::uint32_t dimension; words >> dimension; info.size *= dimension) model->shapes.back().push_back(dimension);
    info.dimensions = static_cast<std::uint32_t>(model->shapes.back().size());
    model->tensors.push_back(info);
  }
  for (std::size_t i = 0; i < model->tensors.size(); ++i) model->tensors[i].shape = model->shapes[i].data();
  return model;
}

}  // namespace

extern "C" {

int nrt_get_version(RuntimeVersion* version, std::size_t) {
  std::strcpy(version->detail, "simulated");
  return called("nrt_get_version");
}
int nrt_init(int framework, const char*, const char*) { return called("nrt_init", std::to_string(framework)); }
void nrt_close() { called("nrt_close"); }
int nrt_load(const void* bytes, std::size_t size, std::int32_t core, std::int32_t cores, RuntimeModel** model) {
  *model = parse(bytes, size);
  return called("nrt_load", std::to_string(core) + " " + std::to_string(cores));
}
int nrt_load_collectives(const void* bytes, std::size_t size, std::int32_t core, std::int32_t, std::uint32_t rank,
                         std::uint32_t ranks, RuntimeModel** model) {
  *model = parse(bytes, size);
  return called("nrt_load_collectives", std::to_string(core) + " " + std::to_string(rank) + "/" + std::to_string(ranks));
}
int nrt_unload(RuntimeModel* model) {
  delete model;
  return called("nrt_unload");
}
int nrt_get_model_tensor_info(RuntimeModel* model, RuntimeTensorList** list) {
  const std::size_t count = model->tensors.size();
  *list = static_cast<RuntimeTensorList*>(std::calloc(1, sizeof(RuntimeTensorList) + count * sizeof(RuntimeTensorInfo)));
  (*list)->count = count;
  if (count > 0) std::memcpy((*list)->tensors, model->tensors.data(), count * sizeof(RuntimeTensorInfo));
  return called("nrt_get_model_tensor_info");
}
int nrt_free_model_tensor_info(RuntimeTensorList* list) {
  std::free(list);
  return called("nrt_free_model_tensor_info");
}
int nrt_allocate_tensor_set(RuntimeTensorSet** set) {
  *set = new RuntimeTensorSet;
  return called("nrt_allocate_tensor_set");
}
void nrt_destroy_tensor_set(RuntimeTensorSet** set) {
  delete *set;
  *set = nullptr;
  called("nrt_destroy_tensor_set");
}
int nrt_tensor_allocate(int, int core, std::size_t size, const char* name, RuntimeTensor** tensor) {
  *tensor = new RuntimeTensor{std::string(size, '\0')};
  return called("nrt_tensor_allocate", std::string(name) + " " + std::to_string(size) + " on " + std::to_string(core));
}
void nrt_tensor_free(RuntimeTensor** tensor) {
  delete *tensor;
  *tensor = nullptr;
  called("nrt_tensor_free");
}
int nrt_tensor_allocate_slice(const RuntimeTensor* of, std::size_t offset, std::size_t size, const char* name,
                              RuntimeTensor** tensor) {
  *tensor = new RuntimeTensor{std::string(size, '\0')};
  const int status = called("nrt_tensor_allocate_slice", std::string(name) + " " + std::to_string(size));
  return offset + size > of->bytes.size() ? 2 : status;
}
int nrt_tensor_write(RuntimeTensor* tensor, const void* bytes, std::size_t offset, std::size_t size) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += static_cast<const unsigned char*>(bytes)[i];
  const int status = called("nrt_tensor_write", std::to_string(size) + " bytes, sum " + std::to_string(sum));
  return offset + size > tensor->bytes.size() ? 2 : status;
}
int nrt_tensor_read(const RuntimeTensor* tensor, void* bytes, std::size_t offset, std::size_t size) {
  const int status = called("nrt_tensor_read", std::to_string(size));
  if (offset + size > tensor->bytes.size()) return 2;
  std::memcpy(bytes, tensor->bytes.data() + offset, size);
  return status;
}
int nrt_add_tensor_to_tensor_set(RuntimeTensorSet* set, const char* name, RuntimeTensor* tensor) {
  set->tensors.push_back(tensor);
  return called("nrt_add_tensor_to_tensor_set", name);
}
int nrt_profile_start(RuntimeModel*, const char* file) { return called("nrt_profile_start", file); }
int nrt_execute(RuntimeModel* model, const RuntimeTensorSet*, RuntimeTensorSet* outputs) {
  ++model->executions;
  const bool same = !setting("SIMULATED_NRT_SAME").empty();
  for (RuntimeTensor* output : outputs->tensors)
    output->bytes.assign(output->bytes.size(), static_cast<char>(same ? 7 : model->executions));
  return called("nrt_execute");
}
int nrt_profile_stop(const char* file) {
  std::ofstream out(file, std::ios::binary);
  std::ifstream device(setting("SIMULATED_NTFF"), std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(device), {}};
  out.write(all.data(), static_cast<std::streamsize>(all.size())).flush();
  const int status = called("nrt_profile_stop", file);
  return out ? status : 1;
}

}  // extern "C"
