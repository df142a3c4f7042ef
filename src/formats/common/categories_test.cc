// One kernel of each family, and neighbours that must not match.
#include "formats/common/categories.h"

#include <gtest/gtest.h>

namespace sightline::formats {

namespace {

TEST(MatrixUnits, KernelsOfEachFamilyAreKnown) {
  for (const char* name : {
           "volta_fp16_s884cudnn_fp16_256x128_ldg8_relu_f2f_exp_small_nhwc2nchw_tn_v1",  // Volta
           "turing_fp16_s1688gemm_fp16_128x128_ldg8_f2f_tn",                             // Turing
           "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x4_tn",                 // Ampere
           "sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize32x32x64_stage6",           // cuDNN / cuBLAS xmma
           "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_32x6_tn_align8>(Params)",  // CUTLASS sm80
           "void cutlass::device_kernel<cutlass3x_sm90_tensorop_h64x128x16gemm_f16>(Params)",                    // CUTLASS sm90
           "cutlass3x_sm100_tensorop_s128x256x16gemm_bf16_bf16_f32",                                             // CUTLASS sm100
           "sm90_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas",
           "nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NTT",  // cuBLAS on Hopper and Blackwell
           "nvjet_tst_192x192_64x4_2x1_v_bz_TNN",
           "void flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4>>(Flash_fwd_params)",  // flash attention
           "void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<>(Flash_bwd_params)",
           "fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention)",  // memory-efficient attention
           "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x64_4x1x1_cga1x1x1_kernel0_0",
           "Cijk_Alik_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT256x256x64_MI16x16x1_SN_LDSB1",  // Tensile with MFMA
           "_ZN2ck16kernel_gemm_xdlIffEEvv",                                               // composable kernel
           "Cijk_Ailk_Bljk_HHS_BH_MFMA_MT64x64",
           "bmm_MxE4m3_MxE2m1MxE4m3_Fp32_t128x16x256u2_s3_m128x16x32_cga1x1x1_16dp256b_rM_TN_tma_sm100f",  // block-scaled
                                                                                                           // batched
                                                                                                           // products
           "fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvSlidingOrChunkedCausalVarSeqQ128Kv128PersistentContext",
           "matmul_ogs_NNT_bf16xbf16xmxfp4_128x256x128x1_swiglu",
       }) {
    EXPECT_EQ(core_type(name), CoreType::matrix) << name;
  }
}

TEST(MatrixUnits, OtherKernelsAreNot) {
  for (const char* name : {
           "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)",
           "volta_sgemm_128x64_nn",                 // single precision on ordinary cores
           "Cijk_Ailk_Bljk_SB_MT64x64x8_SE_TT4_4",  // Tensile without a matrix instruction
           "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgs)",
           "Cijk_Ailk_Bljk_HB_MT32x32x32_SE_MIAV0_TT4_4",  // an assembly flag, not an instruction
           "void flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<64>>(Flash_fwd_params)",
           "summary_kernel",
           "void ck::tensor_operation::device::elementwise_kernel<>()",
           "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float>",
       }) {
    EXPECT_EQ(core_type(name), CoreType::general) << name;
  }
}

TEST(MatrixUnits, EligibleOperatorsAreMatchedWhole) {
  EXPECT_TRUE(is_matrix_eligible("aten::addmm"));
  EXPECT_TRUE(is_matrix_eligible("BmmBackward0"));
  EXPECT_FALSE(is_matrix_eligible("aten::addmm_out"));
  EXPECT_FALSE(is_matrix_eligible("aten::add"));
}

}  // namespace
}  // namespace sightline::formats
