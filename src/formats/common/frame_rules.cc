#include "formats/common/frame_rules.h"

#include <algorithm>
#include <array>

namespace sightline::formats {

namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

template <std::size_t n>
bool has_any(std::string_view text, const std::array<std::string_view, n>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return has(text, part); });
}

bool is_compiled(std::string_view file) {
  constexpr std::array<std::string_view, 6> kEndings = {".cpp", ".cc", ".cu", ".h", ".hpp", ".so"};
  return file.empty() || file == "??" ||
         std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) { return file.ends_with(ending); });
}

// The part that the frame itself is in; empty: it does not tell.
std::string_view own_part(std::string_view name, std::string_view file) {
  constexpr std::array<std::string_view, 5> kCollectives = {"all_gather", "all_reduce", "reduce_scatter", "all_to_all",
                                                            "broadcast_coalesced"};
  constexpr std::array<std::string_view, 3> kSetUp = {"load_state_dict", "reset_parameters", "_apply"};
  const bool in_framework = has(file, "torch/");
  if (has(name, "ProcessGroup") || has(name, "nccl") || (has(file, "torch/distributed/") && has_any(name, kCollectives)))
    return "communication";
  if (has(file, "torch/optim/") || has(name, "torch::optim")) return "optimizer";
  if (has(name, "torch::autograd::Engine") || has(name, "torch::autograd::python::PythonEngine") ||
      (has(file, "torch/autograd/") && has(name, "backward")) || (has(file, "torch/_tensor.py") && name == "backward"))
    return "backward";
  if (in_framework && has(file, "nn/modules/") && (has_any(name, kSetUp) || name == "__init__")) return "parameters";
  if (has(file, "torch/nn/init.py") || has(file, "torch/nn/parameter.py")) return "parameters";
  if (has(file, "torch/utils/data/")) return "input";
  if (in_framework && has(file, "nn/modules/") && (has(name, "forward") || has(name, "_call_impl"))) return "forward";
  return {};
}

}  // namespace

bool is_library(std::string_view name, std::string_view file) {
  if (is_compiled(file) || file.starts_with("<") || name == "??") return true;
  if (file.starts_with("torch/") || has(file, "/torch/")) return true;
  return has(file, "/lib/python") && !has(file, "-packages/");
}

// A forward pass inside another part belongs to that part: a checkpoint computes it again in the backward pass.
std::string_view part_inside(std::string_view around, std::string_view name, std::string_view file) {
  const std::string_view own = own_part(name, file);
  return own.empty() || (own == "forward" && !around.empty()) ? around : own;
}

}  // namespace sightline::formats
