// A compiled model on one core: its tensors, its executions with or without the device's profiler, and what they gave.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "capture/model_run/device_runtime.h"
#include "capture/model_run/npy_file.h"

namespace sightline::capture {

struct GivenInput {
  std::string file;
  NpyArray array;
};

using GivenInputs = std::map<std::string, GivenInput>;  // by the input's name

// What it took from the runtime goes with it.
class LoadedModel {
 public:
  LoadedModel(const DeviceRuntime& runtime, std::int32_t core) : runtime_(runtime), core_(core) {}
  ~LoadedModel();
  LoadedModel(const LoadedModel&) = delete;
  LoadedModel& operator=(const LoadedModel&) = delete;

  // `bytes` of the file `file`, as `rank` of `ranks` that work together.
  Result<bool> load(const std::string& bytes, std::uint32_t rank, std::uint32_t ranks, const std::string& file);

  // Gives it what is named, zeros for the rest, whose names are added to `zeros`. Tensors of more than `shared_from` bytes all
  // are in one buffer, so that their contents are meaningless.
  Result<bool> fill(const GivenInputs& inputs, std::optional<std::uint64_t> shared_from, std::set<std::string>& zeros);

  // Runs it once; `profile` is the file that the device's profiler writes, empty: none. True: whole; false: it ended with an
  // error of the execution, which is `ignored` where that was wished.
  Result<bool> execute(const std::string& profile, bool ignore_errors, std::string& ignored);

  // What the last execution gave, by name.
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
