"""Which kernels run on matrix units and which operators could: names only, as plain substrings.

The first list and the operator list are the original's (they end with Ampere); the second list is what we add. The C++ side
has its own table of the same patterns; the agreement test is what holds the two together.
"""
import functools
import re

ORIGINAL_KERNEL_PATTERNS = (
    "h884", "s884", "h1688", "s1688", "hmma", "i8816", "16816", "dgrad_1x1_stride_2x2", "first_layer_wgrad_kernel", "conv1x1",
    "conv2d_c1_k1", "direct_group", "xmma_implicit_gemm", "xmma_sparse_conv", "xmma_warp_specialized_implicit_gemm", "xmma_gemm",
    "xmma_sparse_gemm", "c1688")

# Case-sensitive substrings.
ADDED_KERNEL_PATTERNS = (
    "nvjet", "tensorop", "cutlass3x_sm90", "cutlass3x_sm100", "cutlass3x_sm120", "sm90_xmma", "sm100_xmma", "gmma", "tcgen05", "_umma",
    "imma", "i16832", "i8832",
    "flash_fwd", "flash_bwd", "FlashAttn", "gtcx")
# Case-insensitive substring: CK writes FmhaFwd, TensorRT and xFormers fmha.
ADDED_FOLDED_PATTERNS = ("fmha",)
# All of a row must occur.
ADDED_CONJUNCTIONS = (
    ("cudnn_generated", "sdpa"),
    ("Cijk_", "MFMA"), ("Cijk_", "mfma"),
    ("ck::", "gemm"), ("ck::", "_xdl"), ("ck_tile::", "Gemm"))
# Helpers of flash attention that only reduce or convert, on ordinary cores.
EXCLUDED_PATTERNS = ("flash_bwd_dot_do_o", "flash_bwd_convert_d", "flash_fwd_splitkv_combine")
_MATRIX_INSTRUCTION = re.compile(r"Cijk_.*_MI\d")

ELIGIBLE_OPERATORS = frozenset(
    ["aten::" + name for name in (
        "_convolution conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d convolution cudnn_convolution "
        "cudnn_convolution_transpose prelu addmm addmv addr matmul mm mv linear addbmm baddbmm bmm chain_matmul linalg_multi_dot "
        "_thnn_fused_lstm_cell _thnn_fused_gru_cell lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell "
        "cudnn_convolution_transpose_backward cudnn_convolution_backward_weight addmm_ cudnn_convolution_transpose_backward_weight "
        "cudnn_convolution_transpose_backward_input cudnn_convolution_backward_input cudnn_convolution_backward").split()]
    + ["CudnnConvolutionBackward", "BmmBackward0", "CudnnConvolutionTransposeBackward", "MmBackward", "AddmvBackward", "MvBackward",
       "AddmmBackward", "AddbmmBackward"])


@functools.lru_cache(maxsize=None)
def uses_tensor_cores(name, outdated):
    if any(pattern in name for pattern in ORIGINAL_KERNEL_PATTERNS):
        return True
    if outdated or any(pattern in name for pattern in EXCLUDED_PATTERNS):
        return False
    folded = name.lower()
    return (any(pattern in name for pattern in ADDED_KERNEL_PATTERNS)
            or any(pattern in folded for pattern in ADDED_FOLDED_PATTERNS)
            or any(all(pattern in name for pattern in row) for row in ADDED_CONJUNCTIONS)
            or _MATRIX_INSTRUCTION.search(name) is not None)
