// Name tables of matrix-unit kernels and eligible operators. A part matches anywhere in the name, case counting.
// Families and a name of each: matrix_units_test.cc. Sources: docs/formats/pytorch.md, "Matrix units".
#include "formats/trace_events/matrix_units.h"

#include <algorithm>
#include <array>

namespace sightline::formats::trace_events {

namespace {

// Volta to Ampere: shapes of the mma instruction, and the library's own names. They count before kHelpers does.
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

}  // namespace sightline::formats::trace_events
