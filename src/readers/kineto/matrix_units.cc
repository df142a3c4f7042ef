// Name tables of matrix-unit kernels and eligible operators. A part matches anywhere in the name, case counting.
// Families and a name of each: matrix_units_test.cc. Sources: docs/formats/pytorch.md, "Matrix units".
#include "readers/kineto/matrix_units.h"

#include <algorithm>
#include <array>

namespace sightline::kineto {

namespace {

constexpr std::string_view kKernelParts[] = {
    // Volta to Ampere: shapes of the mma instruction, and cuDNN's own names.
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
    "i16832",
    "i8832",
    "imma",
    "tensorop",
    "tensor_op",
    // Hopper and Blackwell.
    "nvjet",
    "sm90_xmma",
    "gmma",
    "qgmma",
    "tcgen05",
    "umma",
    "cutlass3x_sm90",
    "cutlass3x_sm100",
    // Fused attention.
    "flash_fwd",
    "flash_bwd",
    "fmha",
    "FlashAttn",
    "flash::",
    "sdpa_sm80",
    "sdpa_sm90",
    "sdpa_sm100",
    // AMD: Tensile kernels with an MFMA tile, composable kernel's xdl pipelines.
    "mfma",
    "MFMA",
    "_xdl",
    "wmma",
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

}  // namespace

CoreType core_type(std::string_view name) {
  const bool listed =
      std::any_of(std::begin(kKernelParts), std::end(kKernelParts), [&](std::string_view part) { return contains(name, part); });
  if (listed) return CoreType::matrix;
  // Tensile names its tile "MI16x16x..." (matrix instruction) or "MT.._MI..": without it the kernel uses vector units.
  if (name.starts_with("Cijk_") && contains(name, "_MI")) return CoreType::matrix;
  return CoreType::general;
}

bool is_matrix_eligible(std::string_view name) {
  return std::find(std::begin(kEligibleOps), std::end(kEligibleOps), name) != std::end(kEligibleOps);
}

}  // namespace sightline::kineto
