"""Kernels that run on matrix units, and operators that could: names only, as plain substrings.

The first list and the operator list are the original's (they end with Ampere); the second list is our addition. The C++ code
has a separate table of the same patterns; the agreement test compares the two.
"""
import functools
import re

ORIGINAL_KERNEL_PATTERNS = (
    "h884", "s884", "h1688", "s1688", "hmma", "i8816", "16816", "dgrad_1x1_stride_2x2", "first_layer_wgrad_kernel", "conv1x1",
    "conv2d_c1_k1", "direct_group", "xmma_implicit_gemm", "xmma_sparse_conv", "xmma_warp_specialized_implicit_gemm", "xmma_gemm",
    "xmma_sparse_gemm", "c1688")

# Case-sensitive substrings. NVIDIA: shapes and engines of the mma, wgmma and tcgen05 instructions, cuBLAS' nvjet, fused
# attention. AMD: matrix instructions in Tensile and composable kernel (_xdl).
ADDED_KERNEL_PATTERNS = (
    "i16832", "i8832", "imma", "tensorop", "wmma",
    "nvjet", "sm90_xmma", "sm100_xmma", "gmma", "tcgen05", "_umma", "cutlass3x_sm90", "cutlass3x_sm100",
    "flash_fwd", "flash_bwd", "fmha", "Fmha", "FlashAttn", "sdpa_sm",
    "mfma", "MFMA", "_xdl")
# Seen in the samples and beyond: CUTLASS templates by their mangled names, cuDNN's TF32 implicit GEMM, the tensor memory shapes
# of TensorRT-LLM's generated kernels, MIOpen's assembly, and a Triton kernel known by name.
PROPOSED_KERNEL_PATTERNS = ("MmaTensorOp", "OpClassTensorOp", "tensor16x8x", "tensor8x8x", "dp256b_", "dp32b_", "gtcx", "matmul_ogs")
# Helpers of flash attention that only combine, prepare or convert, on ordinary cores.
EXCLUDED_PATTERNS = ("flash_bwd_dot_do_o", "flash_bwd_convert_d", "flash_fwd_splitkv_combine", "FlashAttnFwdCombine",
                     "FlashAttnBwdPreprocess", "FlashAttnBwdPostprocess")
# Device rows of other vendors.
UNTOLD_CATEGORIES = ("mtia_ccp_events", "hpu_op")
# Tensile (hipBLAS): MI is the matrix instruction's shape, and a number follows.
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


def kernel_uses_tensor_cores(kernel, faults):
    """None: unknown, because the kernel names of the device do not show it."""
    used = uses_tensor_cores(kernel.name, faults)
    untold = kernel.category in UNTOLD_CATEGORIES and "untold_tensor_cores_unused" not in faults
    return None if untold and not used else used


@functools.lru_cache(maxsize=None)
def uses_tensor_cores(name, faults=frozenset()):
    if any(pattern in name for pattern in ORIGINAL_KERNEL_PATTERNS):
        return True
    if "tensor_core_list_outdated" in faults or any(pattern in name for pattern in EXCLUDED_PATTERNS):
        return False
    if any(pattern in name for pattern in ADDED_KERNEL_PATTERNS) or _MATRIX_INSTRUCTION.search(name):
        return True
    return "tensor_core_list_incomplete" not in faults and any(pattern in name for pattern in PROPOSED_KERNEL_PATTERNS)
