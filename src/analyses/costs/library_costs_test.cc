// Costs of operators of libraries and serving engines, computed by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "analyses/costs/cost_model.h"
#include "analyses/costs/step_sums.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kBf16 = "c10::BFloat16", kFp8 = "c10::Float8_e4m3fnuz", kScalar = "Scalar";

struct Argument {
  std::string shape;
  std::string_view type;
  std::string value = {};
};

Argument bf16(std::string shape) { return {std::move(shape), kBf16}; }
Argument fp8(std::string shape) { return {std::move(shape), kFp8}; }
Argument of(std::string_view type, std::string shape) { return {std::move(shape), type}; }
Argument number(std::string value) { return {"[]", kScalar, std::move(value)}; }
Argument none() { return {"[]", ""}; }

struct Texts {
  std::string shapes = "[", types = "[", values = "[";
  explicit Texts(const std::vector<Argument>& arguments) {
    for (const Argument& one : arguments) {
      shapes += one.shape + ", ";
      types += '"' + std::string(one.type) + "\", ";
      values += '"' + one.value + "\", ";
    }
    for (std::string* list : {&shapes, &types, &values}) list->back() = ']';
  }
};

// "flops read written", "-" for an unknown figure, ">=" before bounds.
std::string costs(std::string_view name, const std::vector<Argument>& arguments, const ServingStepSums& sums = {}) {
  static const CostModel model = CostModel::make().value();
  const Texts texts(arguments);
  const auto cost = model.cost({name, texts.shapes, texts.types, "", texts.values, sums});
  if (!cost) return "none";
  std::string text = cost->at_least ? ">=" : "";
  for (const double figure : {cost->flops, cost->bytes_read, cost->bytes_written}) {
    text += std::isnan(figure) ? "-" : std::to_string(static_cast<std::int64_t>(figure));
    text += ' ';
  }
  text.pop_back();
  return text;
}

}  // namespace

TEST(LibraryCosts, AStepThatStatesOnePartHasNoRequestsInTheOther) {
  const PartSums unknown = part_sums(4, kUnknown, 16, 16), decode = part_sums(2, 10, 2, 10);
  EXPECT_EQ(stated_sum(step_sums(unknown, decode), "context", "sqsk"), 0);
  EXPECT_EQ(stated_sum(step_sums(unknown, decode), "generation", "sk"), 10);
  EXPECT_EQ(stated_sum(step_sums(decode, unknown), "generation", "sk"), 0);
  EXPECT_FALSE(are_stated(step_sums(unknown, unknown)));
  EXPECT_TRUE(std::isnan(stated_sum(step_sums(decode, decode), "context", "pages"))) << "there is no such sum";
}

TEST(LibraryCosts, PagedAttention) {
  // 2 sequences of 2 new tokens, 2 heads of width 8, one of keys: 2*(2*2*2)/2*2*(8+8); queries, new keys and values
  const std::vector<Argument> prefill = {bf16("[4, 2, 8]"), bf16("[100, 1, 8]"), bf16("[100, 1, 8]"), of("int", "[3]"),
                                         of("int", "[3]"),  of("int", "[9]"),    number("2"),         number("2"),
                                         number("0."),      number("0.3"),       number("0."),        number("False"),
                                         number("True")};
  EXPECT_EQ(costs("aiter::mha_batch_prefill", prefill), ">=256 256 128");
  // 2*(8+8)*(2*12 - 8); 6 keys
  EXPECT_EQ(costs("aiter::mha_batch_prefill", prefill, step_sums(part_sums(4, 6, 8, 12), {})), "512 320 128");
  // one token of 2 requests and 10 keys: 2*2*(8+8)*10; 2*2*8 and 10*16 elements
  const std::vector<Argument> decode = {bf16("[2, 2, 8]"),      of("unsigned char", "[999]"), bf16("[2, 2, 8]"),
                                        bf16("[100, 1, 1, 8]"), bf16("[100, 1, 1, 8]"),       of("int", "[3]")};
  const std::string_view name = "sglang_profiler::attention_paged_attention_ragged";
  EXPECT_EQ(costs(name, decode, step_sums({}, part_sums(2, 10, 2, 10))), "640 384 64");
  EXPECT_EQ(costs(name, decode), ">=- 64 64") << "the keys are not known";
}

TEST(LibraryCosts, PackedSequencesOfWhichTheLongestIsKnown) {
  // 6 tokens in 2 sequences, the longest of 4: at least 4*4 + 2*2 pairs, of 2*(8+8); 3 tensors of 48 elements
  std::vector<Argument> call = {bf16("[6, 1, 8]"), bf16("[6, 1, 8]"), bf16("[6, 1, 8]"), of("int", "[3]"), of("int", "[3]"),
                                number("4"),       number("4"),       number("0."),      number("0.3"),    number("False")};
  EXPECT_EQ(costs("flash_attn::_flash_attn_varlen_forward", call), ">=640 288 96");
  call[5].value = call[6].value = "";  // 2 sequences of 3: 18 pairs
  EXPECT_EQ(costs("flash_attn::_flash_attn_varlen_forward", call), ">=576 288 96");
  call[5].value = call[6].value = "99";
  EXPECT_EQ(costs("flash_attn::_flash_attn_varlen_forward", call), ">=576 288 96") << "longer than all together";
}

TEST(LibraryCosts, FlagsAtTheirPlaces) {
  // 4 queries and keys, one head of width 8, causal: 2*4*4/2*(8+8)
  std::vector<Argument> third(25, none());
  third[0] = third[1] = third[2] = bf16("[1, 4, 1, 8]");
  third[24] = number("True");
  EXPECT_EQ(costs("flash_attn_3::fwd", third), "256 192 64");
  third[14] = of("int", "[1, 9]");  // pages
  EXPECT_EQ(costs("flash_attn_3::fwd", third), ">=- 64 64");
  std::vector<Argument> packed(13, number("0"));
  packed[0] = packed[1] = packed[2] = bf16("[4, 1, 8]");
  packed[3] = packed[4] = of("int", "[2]");
  packed[5] = packed[6] = number("4");
  packed[12] = number("True");
  EXPECT_EQ(costs("aiter::mha_varlen_fwd", packed), ">=256 192 64");
  packed[9] = packed[10] = number("False");  // older versions
  EXPECT_EQ(costs("aiter::mha_varlen_fwd", packed), ">=512 192 64");
}

TEST(LibraryCosts, ScaledProducts) {
  // 4x8 by 6 rows of 8: 2*4*8*6; 32 + 48 and scales of 4 bytes; output of 2 bytes
  const std::vector<Argument> by_block = {fp8("[4, 8]"), fp8("[6, 8]"), of("float", "[4, 1]"), of("float", "[1, 1]"),
                                          bf16("[4, 6]")};
  for (const char* name :
       {"aiter::gemm_a8w8_blockscale_ck", "aiter::_gemm_a8w8_blockscale_bpreshuffle_asm", "aiter::gfx950_a8w8_blockscale_asm",
        "sglang_profiler::fp8_utils_gemm_a8w8_blockscale", "vllm::rocm_aiter_triton_gemm_a8w8_blockscale"})
    EXPECT_EQ(costs(name, by_block), "384 100 48") << name;
  // the same with the scale after each operand, the second transposed
  EXPECT_EQ(costs("primus_turbo_cpp_extension::hipblaslt_gemm_fp8",
                  {fp8("[4, 8]"), of("float", "[]"), fp8("[6, 8]"), of("float", "[]"), number("15"), number("False"),
                   number("True"), number("False"), none()}),
            "384 88 48");
  // two values in a byte, 4x16 by 6x16: 2*4*16*6
  const std::string_view fp4 = "c10::Float4_e2m1fn_x2";
  for (const char* name : {"aiter::gemm_a4w4", "aiter::_gemm_a4w4_asm", "aiter::gemm_afp4wfp4_"})
    EXPECT_EQ(costs(name, {of(fp4, "[4, 8]"), of(fp4, "[6, 8]")}), "768 80 48") << name;
  // 2 batches of 3x8 by 5 rows of 8, not mistaken for the product without batches: 2*2*3*8*5
  EXPECT_EQ(costs("aiter::batched_gemm_a8w8", {fp8("[2, 3, 8]"), fp8("[2, 5, 8]"), of("float", "[2]")}), "480 136 60");
}

TEST(LibraryCosts, GroupedProductsAndExperts) {
  // 6 rows over 3 groups of 4x5, in either orientation
  EXPECT_EQ(costs("primus_turbo::grouped_gemm", {bf16("[6, 4]"), bf16("[3, 4, 5]"), of("long int", "[3]")}), "240 168 60");
  EXPECT_EQ(costs("primus_turbo::grouped_gemm_impl", {bf16("[6, 4]"), bf16("[3, 5, 4]"), of("long int", "[3]")}), "240 168 60");
  // 2 tokens to 2 of 2 experts, up to 6 rows of 4: 2*2*4*2*6; 2x2x3 results
  EXPECT_EQ(costs("aiter::moe_cktile2stages_gemm1_ck", {bf16("[2, 4]"), bf16("[2, 6, 4]"), bf16("[2, 2, 3]")}), "192 112 24");
  // and down to rows of 4: 2*2*2*3*4
  EXPECT_EQ(costs("aiter::moe_cktile2stages_gemm2_ck", {bf16("[2, 2, 3]"), bf16("[2, 4, 3]"), bf16("[2, 4]")}), "96 72 16");
  // both at once, with 4*2 weighted sums of 2 results: 192 + 96 + 8*3
  EXPECT_EQ(costs("aiter::fmoe_g1u1", {bf16("[2, 4]"), bf16("[2, 4]"), bf16("[2, 6, 4]"), bf16("[2, 4, 3]"), none(), none(),
                                       none(), none(), number("2")}),
            "312 160 16");
}

TEST(LibraryCosts, NormsGatesAndPositions) {
  const Argument rows = bf16("[2, 4]"), weight = bf16("[4]");
  // 5*8 + 2*2; two inputs and the weight; two outputs
  EXPECT_EQ(costs("aiter::add_rmsnorm", {rows, rows, rows, rows, weight, number("1e-06")}), "44 40 32");
  EXPECT_EQ(costs("aiter::rmsnorm", {rows, rows, weight, number("1e-06")}), "36 24 16");
  EXPECT_EQ(costs("sgl_kernel::silu_and_mul", {rows, bf16("[2, 8]")}), "40 32 16");
  // queries of 2 heads and keys of one, width 4: 3*(16 + 8); positions, and their row of the table
  const std::vector<Argument> rotated = {of("long int", "[2]"), bf16("[2, 8]"), bf16("[2, 4]"), number("4"), bf16("[16, 4]")};
  EXPECT_EQ(costs("sgl_kernel::rotary_embedding", rotated), "72 80 48");
  EXPECT_EQ(costs("sglang::store_cache", {rows, rows, bf16("[99, 4]"), bf16("[99, 4]"), of("long int", "[2]")}), "0 48 32");
  const Argument image = bf16("[1, 2, 3]");  // 5*6 + 6*2
  EXPECT_EQ(costs("aiter::_groupnorm_run", {image, of("float", "[9]"), image, number("1"), bf16("[2]"), bf16("[2]")}),
            "42 20 12");
  EXPECT_EQ(costs("aiter::_groupnorm_run", {image, number("1"), bf16("[2]"), bf16("[2]"), number("1e-05")}), "42 20 12");
}

TEST(LibraryCosts, ConvolutionsAndStateSpaces) {
  // 2*27 operations an element of the gradient, 96 elements
  EXPECT_EQ(costs("aten::cudnn_convolution_backward_input", {none(), of("float", "[1, 6, 4, 4]"), of("float", "[6, 3, 3, 3]")}),
            "5184 1032 -");
  EXPECT_EQ(costs("aten::replication_pad3d", {of("float", "[1, 1, 2, 3, 4]"), {"[]", "ScalarList", "[1, 1, 0, 0, 2, 0]"}}),
            "0 96 288");
  EXPECT_EQ(costs("DaoAILab::_causal_conv1d_fwd_cpp", {bf16("[1, 2, 5]"), bf16("[2, 4]"), bf16("[2]")}), "80 40 20");
  // 4 tokens, 2 heads of 3, a state of 2, chunks of 2: filters 2*10*4*4, and products 32 + 3 * 96
  std::vector<Argument> scan(17, none());
  scan[0] = bf16("[1, 4, 18]");
  scan[1] = bf16("[10, 4]");
  scan[2] = bf16("[10]");
  scan[3] = scan[4] = scan[5] = of("float", "[2]");
  scan[6] = number("2");
  scan[15] = number("3");
  scan[16] = number("1");
  EXPECT_EQ(costs("MambaSplitConv1dScanCombinedFn", scan), "640 268 48");
}

}  // namespace sightline::analyses
