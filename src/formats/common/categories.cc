// Tables of names, and rules for what begins or contains them.
#include "formats/common/categories.h"
#include "base/fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace sightline::formats {

// ---- categories ----
// Category and name vocabulary. Source: the writers' own lists, see docs/formats/pytorch.md.

namespace {

struct Entry {
  std::string_view text;
  Category category;
};

constexpr Entry kCategories[] = {
    {"trace", Category::span},
    {"cpu_op", Category::op},
    {"operator", Category::op},
    {"python", Category::python_call},
    {"python_function", Category::python_function},
    {"user_annotation", Category::annotation},
    {"gpu_user_annotation", Category::device_annotation},
    {"runtime", Category::runtime},
    {"kernel", Category::kernel},
    {"mtia_ccp_events", Category::engine_task},
    {"hpu_op", Category::kernel},
    {"memcpy", Category::memcpy},
    {"gpu_memcpy", Category::memcpy},
    {"memset", Category::memset},
    {"gpu_memset", Category::memset},
    {"collective_comm", Category::collective},
    {"overhead", Category::overhead},
    {"cuda_sync", Category::sync},
    {"xpu_sync", Category::sync},
    {"cuda_event", Category::sync},
    {"graph_event_node", Category::sync},
    {"graph_host_node", Category::sync},
    {"cuda_profiler_range", Category::measurement},
};

bool ends_with(std::string_view text, std::string_view end) { return text.ends_with(end); }

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return text.starts_with(part); });
}

bool is_data_loading(std::string_view name) {
  return name.starts_with("enumerate(DataPipe)#") ||
         (name.starts_with("enumerate(DataLoader)#") && name.find(".__next__") != std::string_view::npos);
}

bool is_host_communication(std::string_view name) {
  return starts_with_any(name, {"nccl:", "gloo:", "hccl:", "rccl:", "xccl:", "mpi:", "ucc:"});
}

// Older writers record steps, data loading and the like as operators, newer ones as annotations.
SliceKind named_host_range(std::string_view name, SliceKind otherwise) {
  if (step_number(name) != kUnknown) return SliceKind::step;
  if (is_data_loading(name)) return SliceKind::data_loading;
  if (name.starts_with("Optimizer.step")) return SliceKind::optimizer;
  if (is_host_communication(name)) return SliceKind::host_communication;
  if (name.starts_with("[pl][")) return SliceKind::annotation;  // Lightning's hooks and modules: ranges around operators
  return otherwise;
}

}  // namespace

Category classify_category(std::string_view text) {
  const std::string folded = lower_case(text);
  for (const Entry& entry : kCategories) {
    if (folded == entry.text) return entry.category;
  }
  if (ends_with(folded, "_runtime") || ends_with(folded, "_driver")) return Category::runtime;
  return Category::unknown;
}

std::string_view category_text(SliceKind kind, bool is_operator) {
  switch (kind) {
    case SliceKind::op: return "cpu_op";
    case SliceKind::data_loading:
    case SliceKind::optimizer:
    case SliceKind::host_communication: return is_operator ? "cpu_op" : "user_annotation";
    case SliceKind::step:
    case SliceKind::annotation: return "user_annotation";
    case SliceKind::python:
    case SliceKind::module: return "python_function";
    case SliceKind::runtime: return "runtime";
    case SliceKind::overhead: return "overhead";
    case SliceKind::sync: return "cuda_sync";
    case SliceKind::span: return "Trace";
    case SliceKind::device_annotation: return "gpu_user_annotation";
    case SliceKind::measurement: return "cuda_profiler_range";
    case SliceKind::kernel: return "kernel";
    case SliceKind::memcpy: return "gpu_memcpy";
    case SliceKind::memset: return "gpu_memset";
    case SliceKind::collective: return "collective_comm";
    case SliceKind::other: return "other";
  }
  return "other";
}

bool is_collective_kernel(std::string_view name) {
  return contains_any(lower_case(name), {"nccl", "rccl", "hccl", "xccl", "oneccl", "msccl",
                                         // Kernels outside those libraries, such as symmetric-memory reductions.
                                         "all_reduce", "allreduce", "all_gather", "allgather", "reduce_scatter", "reducescatter",
                                         "all_to_all", "alltoall", "cross_device_reduce"});
}

std::int64_t step_number(std::string_view name) {
  constexpr std::string_view kPrefix = "ProfilerStep#";
  if (!name.starts_with(kPrefix)) return kUnknown;
  std::int64_t number = 0;
  const char* end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + kPrefix.size(), end, number);
  return error == std::errc() && rest == end ? number : kUnknown;
}

std::string memory_device_name(std::int64_t type, std::int64_t ordinal) {
  // By number; the graphics processors of two vendors share one name, since the framework's own does not tell them apart.
  constexpr std::string_view kTypes[] = {"CPU",  "GPU",  "MKLDNN", "OpenGL", "OpenCL", "IDEEP", "GPU",
                                         "FPGA", "MAIA", "XLA",    "Vulkan", "Metal",  "XPU",   "MPS",
                                         "Meta", "HPU",  "VE",     "Lazy",   "IPU",    "MTIA",  "PrivateUse"};
  const bool known = type >= 0 && type < static_cast<std::int64_t>(std::size(kTypes));
  std::string name = known              ? std::string(kTypes[type])
                     : type == kUnknown ? "unknown device"
                                        : "device type " + std::to_string(type) + ",";
  if (ordinal >= 0) name += (known ? "" : " ") + std::to_string(ordinal);
  return name;
}

bool is_listed_operator(std::string_view name) {
  return !name.starts_with("Optimizer.") && name != "DataParallel.forward" && name != "DistributedDataParallel.forward";
}

SliceKind slice_kind(Category category, std::string_view name) {
  switch (category) {
    case Category::span: return SliceKind::span;
    case Category::op: return named_host_range(name, SliceKind::op);
    case Category::annotation: return named_host_range(name, SliceKind::annotation);
    case Category::python_call: return SliceKind::annotation;
    case Category::python_function: return SliceKind::python;
    case Category::device_annotation: return SliceKind::device_annotation;
    case Category::runtime: return SliceKind::runtime;
    case Category::kernel:
      if (name.starts_with("metrics: ")) return SliceKind::other;  // a counter row written as an event, not work
      return is_collective_kernel(name) ? SliceKind::collective : SliceKind::kernel;
    case Category::memcpy: return SliceKind::memcpy;
    case Category::memset: return SliceKind::memset;
    case Category::collective: return SliceKind::collective;
    case Category::engine_task:
      if (name.starts_with("event_")) return SliceKind::sync;  // event_wait, event_record
      return name.starts_with("dma") ? SliceKind::memcpy : SliceKind::kernel;
    case Category::overhead: return SliceKind::overhead;
    case Category::sync: return SliceKind::sync;
    case Category::measurement: return SliceKind::measurement;
    case Category::unknown: return SliceKind::other;
  }
  return SliceKind::other;
}

// ---- matrix units ----
// Names of matrix-unit kernels and of eligible operators. A part matches anywhere in the name; case matters. Families, with
// one name of each: categories_test.cc. Sources: docs/formats/pytorch.md, "Matrix units".

namespace {

// Volta to Ampere: shapes of the mma instruction, and the library's own names. They are checked before kHelpers.
constexpr std::string_view kEarlyParts[] = {
    "h884",
    "s884",
    "h1688",
    "s1688",
    "hmma",
    "i8816",
    "16816",
    "dgrad_1x1_stride_2x2",
    "first_layer_wgrad_kernel",
    "conv1x1",
    "conv2d_c1_k1",
    "direct_group",
    "xmma_implicit_gemm",
    "xmma_sparse_conv",
    "xmma_warp_specialized_implicit_gemm",
    "xmma_gemm",
    "xmma_sparse_gemm",
    "c1688",
};

// Kernels of the attention families that only prepare or reduce.
constexpr std::string_view kHelpers[] = {
    "flash_bwd_dot_do_o",  "flash_bwd_convert_d",    "flash_fwd_splitkv_combine",
    "FlashAttnFwdCombine", "FlashAttnBwdPreprocess", "FlashAttnBwdPostprocess",
};

constexpr std::string_view kLaterParts[] = {
    "i16832",
    "i8832",
    "imma",
    "tensorop",
    "MmaTensorOp",
    "OpClassTensorOp",
    "tensor16x8x",
    "tensor8x8x",
    // Hopper and Blackwell, and the kernel generators that target them.
    "wmma",
    "nvjet",
    "sm90_xmma",
    "sm100_xmma",
    "gmma",
    "tcgen05",
    "_umma",
    "cutlass3x_sm90",
    "cutlass3x_sm100",
    "dp256b_",
    "dp32b_",
    "gtcx",
    "matmul_ogs",
    // Fused attention.
    "flash_fwd",
    "flash_bwd",
    "fmha",
    "Fmha",
    "FlashAttn",
    "sdpa_sm",
    // AMD: matrix instructions and composable kernel's xdl pipelines.
    "mfma",
    "MFMA",
    "_xdl",
};

constexpr std::string_view kEligibleOps[] = {
    "aten::_convolution",
    "aten::conv1d",
    "aten::conv2d",
    "aten::conv3d",
    "aten::conv_tbc",
    "aten::conv_transpose1d",
    "aten::conv_transpose2d",
    "aten::conv_transpose3d",
    "aten::convolution",
    "aten::cudnn_convolution",
    "aten::cudnn_convolution_transpose",
    "aten::prelu",
    "aten::addmm",
    "aten::addmv",
    "aten::addr",
    "aten::matmul",
    "aten::mm",
    "aten::mv",
    "aten::linear",
    "aten::addbmm",
    "aten::baddbmm",
    "aten::bmm",
    "aten::chain_matmul",
    "aten::linalg_multi_dot",
    "aten::_thnn_fused_lstm_cell",
    "aten::_thnn_fused_gru_cell",
    "aten::lstm_cell",
    "aten::gru_cell",
    "aten::rnn_tanh_cell",
    "aten::rnn_relu_cell",
    "aten::cudnn_convolution_transpose_backward",
    "aten::cudnn_convolution_backward_weight",
    "aten::addmm_",
    "aten::cudnn_convolution_transpose_backward_weight",
    "aten::cudnn_convolution_transpose_backward_input",
    "aten::cudnn_convolution_backward_input",
    "aten::cudnn_convolution_backward",
    "CudnnConvolutionBackward",
    "BmmBackward0",
    "CudnnConvolutionTransposeBackward",
    "MmBackward",
    "AddmvBackward",
    "MvBackward",
    "AddmmBackward",
    "AddbmmBackward",
};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Tensile kernels name their matrix instruction "_MI16x16..."; without one they run on vector units.
bool is_matrix_tensile(std::string_view name) {
  if (!name.starts_with("Cijk_")) return false;
  for (std::size_t at = name.find("_MI"); at != std::string_view::npos; at = name.find("_MI", at + 1)) {
    if (at + 3 < name.size() && name[at + 3] >= '0' && name[at + 3] <= '9') return true;
  }
  return false;
}

}  // namespace

CoreType core_type(std::string_view name) {
  const auto listed = [&](const auto& parts) {
    return std::any_of(std::begin(parts), std::end(parts), [&](std::string_view part) { return contains(name, part); });
  };
  if (listed(kEarlyParts)) return CoreType::matrix;
  if (listed(kHelpers)) return CoreType::general;
  return listed(kLaterParts) || is_matrix_tensile(name) ? CoreType::matrix : CoreType::general;
}

bool is_matrix_eligible(std::string_view name) {
  return std::find(std::begin(kEligibleOps), std::end(kEligibleOps), name) != std::end(kEligibleOps);
}

}  // namespace sightline::formats
