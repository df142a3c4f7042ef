// Costs computed by hand, a case or more for each family of the built-in table, and what a user's file does.
#include "analyses/costs/cost_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::analyses {

namespace {

const CostModel& built_in_model() {
  static const CostModel model = CostModel::make().value();
  return model;
}

// "flops read written", "-" for an unknown figure, ">=" before bounds; "none" without a cost.
std::string cost_text(const std::optional<OperatorCost>& cost) {
  if (!cost) return "none";
  std::string text = cost->at_least ? ">=" : "";
  for (const double figure : {cost->flops, cost->bytes_read, cost->bytes_written}) {
    if (!text.empty() && text != ">=") text += ' ';
    text += std::isnan(figure) ? "-" : std::to_string(static_cast<std::int64_t>(figure));
  }
  return text;
}

std::string costs(const OperatorCall& call) { return cost_text(built_in_model().cost(call)); }

}  // namespace

TEST(Costs, ProductsOfMatrices) {
  // 2*2*3*4 = 48; (2*3 + 3*4)*4 = 72; 2*4*4 = 32
  EXPECT_EQ(costs({"aten::mm", "[[2, 3], [3, 4]]", R"(["float", "float"])", "[[3, 1], [4, 1]]", R"(["", ""])"}), "48 72 32");
  // and 2*4 additions of the bias, of 4*2 bytes; 2-byte elements
  EXPECT_EQ(
      costs({"aten::addmm", "[[4], [2, 3], [3, 4], [], []]", R"(["c10::Half", "c10::Half", "c10::Half", "Scalar", "Scalar"])",
             "[[1], [3, 1], [4, 1], [], []]", R"(["", "", "", "1", "1"])"}),
      "56 44 16");
  // 5 products; an operand that is repeated along the batch is in memory once
  EXPECT_EQ(costs({"aten::bmm", "[[5, 2, 3], [5, 3, 4]]", R"(["float", "float"])", "[[6, 3, 1], [0, 4, 1]]", ""}), "240 168 160");
  // 2*(2*3)*4 rows and inputs of any number of dimensions: 6 rows of 4, and 6*5 outputs with a bias
  EXPECT_EQ(costs({"aten::linear", "[[2, 3, 4], [5, 4], [5]]", R"(["float", "float", "float"])", "", ""}), "270 196 120");
  EXPECT_EQ(costs({"aten::linear", "[[2, 3, 4], [5, 4], []]", R"(["float", "float", ""])", "", ""}), "240 176 120");
  EXPECT_EQ(costs({"aten::linear", "[[2, 3, 4], [5, 4], []]", R"(["float", "float", "None"])", "", ""}), "240 176 120");
  EXPECT_EQ(costs({"aten::matmul", "[[2, 3, 4], [2, 4, 5]]", R"(["float", "float"])", "", ""}), "240 256 120");
}

TEST(Costs, ScaledAndGroupedProducts) {
  // 8-bit operands: 2*16*32*8; 512 + 256 and two scales of 4 bytes; the output has type 15, of 2 bytes
  const OperatorCall scaled{"aten::_scaled_mm", "[[16, 32], [32, 8], [], [], [], [], [], []]",
                            R"(["c10::Float8_e4m3fn", "c10::Float8_e4m3fn", "float", "float", "", "", "Scalar", "Scalar"])", "",
                            R"(["", "", "", "", "", "", "15", "False"])"};
  EXPECT_EQ(costs(scaled), "8192 776 256");
  EXPECT_EQ(built_in_model().cost(scaled)->precision, "fp8");
  // 6 rows over 3 groups: 2*6*4*5; 6*4*2 + 3*4*5*2 + 3*4; 6*5*2
  EXPECT_EQ(costs({"aten::_grouped_mm", "[[6, 4], [3, 4, 5], [3], [], []]",
                   R"(["c10::BFloat16", "c10::BFloat16", "int", "", ""])", "", R"(["", "", "", "", ""])"}),
            "240 180 60");
  // 2 tokens, each to 4 of 4 experts: 2*8*(6*4 + 4*3) = 576, and 8*(4 products + 3 sums) of the results; all weights: 4*(24 +
  // 12)*2 = 288; 16 + 32 + 64 more
  EXPECT_EQ(costs({"vllm::inplace_fused_experts", "[[2, 4], [4, 6, 4], [4, 4, 3], [2, 4], [2, 4]]",
                   R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "float", "long int"])", "", ""}),
            "632 400 16");
  EXPECT_EQ(costs({"vllm::moe_forward", "[[2, 4], [2, 8], []]", R"(["c10::BFloat16", "c10::BFloat16", ""])", "", ""}),
            ">=- 48 16");
}

TEST(Costs, Convolutions) {
  // 1x3x8x8 by 6 kernels of 3x3, stride 2, padding 1: 4x4 positions, 6*16 = 96 outputs of 2*27 each
  const std::string_view types =
      R"(["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar", "ScalarList", "Scalar"])";
  const std::string_view shapes = "[[1, 3, 8, 8], [6, 3, 3, 3], [], [], [], [], [], [], []]";
  EXPECT_EQ(
      costs({"aten::convolution", shapes, types, "", R"(["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1"])"}),
      "5184 1416 384");
  // transposed: the same input makes 2*27 operations an element; (8-1)*2 - 2 + 2 + 0 + 1 = 15 positions a side of 3 channels
  EXPECT_EQ(costs({"aten::convolution", "[[1, 6, 8, 8], [6, 3, 3, 3], [], [], [], [], [], [], []]", types, "",
                   R"(["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "True", "[0, 0]", "1"])"}),
            "20736 2184 2700");
  // both gradients: twice 5184; the output's gradient is read twice
  const std::string_view back = "[[1, 6, 4, 4], [1, 3, 8, 8], [6, 3, 3, 3], [], [], [], [], [], [], [], []]";
  const std::string_view back_types = R"(["float", "float", "float", "ScalarList", "ScalarList", "ScalarList", "ScalarList",
                                         "Scalar", "ScalarList", "Scalar", "ScalarList"])";
  EXPECT_EQ(costs({"aten::convolution_backward", back, back_types, "",
                   R"(["", "", "", "[6]", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", "[True, True, False]"])"}),
            "10368 2184 1416");
  EXPECT_EQ(costs({"aten::convolution_backward", back, back_types, "",
                   R"(["", "", "", "[6]", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", "[False, True, True]"])"}),
            "5184 1152 672");
  EXPECT_EQ(costs({"aten::convolution", shapes, types, "", ""}), "- 1416 -") << "the stride is not recorded";
}

TEST(Costs, Attention) {
  // 2 batches, 4 heads, 8 queries and keys, width 16: 2*2*4*64*(16+16); Q, K, V, output: 1024 elements each
  const std::string_view types = R"(["c10::Half", "c10::Half", "c10::Half", "Scalar", "Scalar", "Scalar", "Scalar"])";
  const std::string_view shapes = "[[2, 4, 8, 16], [2, 4, 8, 16], [2, 4, 8, 16], [], [], [], []]";
  EXPECT_EQ(
      costs({"aten::_scaled_dot_product_flash_attention", shapes, types, "", R"(["", "", "", "0.", "False", "False", "0.25"])"}),
      "32768 6144 2048");
  EXPECT_EQ(
      costs({"aten::_scaled_dot_product_flash_attention", shapes, types, "", R"(["", "", "", "0.", "True", "False", "0.25"])"}),
      "16384 6144 2048");
  // tokens before heads, and two query heads for a key head
  const std::string_view flash = R"(["c10::Half", "c10::Half", "c10::Half", "", "", "Scalar", "Scalar", "Scalar", "Scalar"])";
  EXPECT_EQ(costs({"aten::_flash_attention_forward", "[[2, 8, 4, 16], [2, 8, 2, 16], [2, 8, 2, 16], [], [], [], [], [], []]",
                   flash, "", R"(["", "", "", "", "", "8", "8", "0.", "False"])"}),
            "32768 4096 2048");
  // sequences of unknown length: 16 tokens of 2 sequences have at least 2*8*8 pairs
  EXPECT_EQ(costs({"aten::_flash_attention_forward", "[[16, 4, 16], [16, 4, 16], [16, 4, 16], [3], [3], [], [], [], []]",
                   R"(["c10::Half", "c10::Half", "c10::Half", "int", "int", "Scalar", "Scalar", "Scalar", "Scalar"])", "",
                   R"(["", "", "", "", "", "8", "8", "0.", "False"])"}),
            ">=32768 6144 2048");
  // backward: 2*2*4*64*(3*16 + 2*16)
  EXPECT_EQ(
      costs({"aten::_scaled_dot_product_flash_attention_backward",
             "[[2, 4, 8, 16], [2, 4, 8, 16], [2, 4, 8, 16], [2, 4, 8, 16], [2, 4, 8, 16], [2, 4, 8], [], [], [], [], [], []]",
             R"(["c10::Half", "c10::Half", "c10::Half", "c10::Half", "c10::Half", "float", "", "", "Scalar", "Scalar",
                      "Scalar", "Scalar"])",
             "", R"(["", "", "", "", "", "", "", "", "8", "8", "0.", "False"])"}),
      "81920 8192 6144");
}

TEST(Costs, AttentionOfALayoutThatIsAText) {
  // 2 batches, 8 queries and keys, 4 heads of width 16: 2*2*4*64*(16+16); backward 2*2*4*64*(3*16 + 2*16)
  const auto forward = [](std::string_view shape, std::string_view layout, std::string_view mask, std::string_view mode) {
    const std::string type = R"("c10::Half", )", none = R"("", )";
    std::string shapes = "[", types = "[", values = "[";
    for (int i = 0; i < 19; ++i) {
      const bool is_tensor = i < 3 || (i == 7 && !mask.empty());
      shapes += (is_tensor ? std::string(i == 7 ? mask : shape) : "[]") + ", ";
      types += is_tensor ? type : R"("Scalar", )";
      values += i == 4      ? "\"" + std::string(layout) + "\", "
                : i == 16   ? "\"" + std::string(mode) + "\", "
                : is_tensor ? none
                            : R"("5", )";
    }
    return costs({"npu::npu_fusion_attention", shapes + "]", types + "]", "", values + "]"});
  };
  EXPECT_EQ(forward("[2, 8, 64]", "BSH", "", "0"), "32768 6144 2048");
  EXPECT_EQ(forward("[8, 2, 64]", "SBH", "", "0"), "32768 6144 2048");
  EXPECT_EQ(forward("[2, 4, 8, 16]", "BNSD", "", "0"), "32768 6144 2048");
  EXPECT_EQ(forward("[2, 8, 4, 16]", "BSND", "", "0"), "32768 6144 2048");
  EXPECT_EQ(forward("[2, 8, 64]", "BSH", "[2048, 2048]", "2"), "16384 6144 2048") << "causal";
  EXPECT_EQ(forward("[2, 8, 64]", "BSH", "[8, 8]", "1"), "- 6144 2048") << "what the mask lets pass is not recorded";
  EXPECT_EQ(forward("[16, 4, 16]", "TND", "", "0"), "- 6144 2048") << "the lengths of packed sequences are not read";
}

TEST(Costs, ProductsOf8BitFloatsThatAreRecordedAsBytes) {
  // A 8x16 transposed, B 4x16: 2*4*8*16; A 128 and B 64 elements, output 32 of 2 bytes
  const auto product = [](std::string_view type) {
    const std::string t(type), none = R"("", )",
                               shapes = "[[8, 16], [1], [], [], [], [4, 16], [1], [], [], [], [4, 8], [], [], [], [0]]";
    std::string types = "[" + t + R"("float", "Scalar", "Scalar", "Scalar", )" + t + R"("float", "Scalar", "Scalar", "Scalar", )";
    types += R"("c10::BFloat16", "", "Scalar", "", "c10::BFloat16"])";
    return costs(
        {"tex_ts::te_gemm_ts", shapes, types, "", R"(["", "", "0", "6", "1", "", "", "0", "6", "0", "", "", "5", "", ""])"});
  };
  EXPECT_EQ(product(R"("unsigned char", )"), "1024 192 64");
  EXPECT_EQ(product(R"("c10::BFloat16", )"), "1024 384 64");
}

TEST(Costs, PagedAttentionTakesTheSumsOfTheStep) {
  OperatorCall call{"vllm::unified_attention_with_output",
                    "[[6, 4, 8], [6, 2, 8], [6, 2, 8], [6, 4, 8], [], [], []]",
                    R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "", "", ""])",
                    "",
                    "",
                    {{4, 4, 16, 16}, {2, 10, 2, 10}}};
  // 4*(8+8)*(2*16 - 16 + 2*10); Q 6*32*2, K and V 14*2*16*2; output 6*32*2
  EXPECT_EQ(costs(call), "2304 1280 384");
  call.sums = {};
  EXPECT_EQ(costs(call), ">=- 768 384");
  EXPECT_TRUE(built_in_model().takes_step_sums(call.name));
  EXPECT_FALSE(built_in_model().takes_step_sums("aten::mm"));
}

TEST(Costs, Normalization) {
  // 4x8: 5*32 + 6*8; (32 + 8 + 8)*4; 32*4 and two statistics of 4 rows
  EXPECT_EQ(costs({"aten::native_layer_norm", "[[4, 8], [], [8], [8], []]",
                   R"(["float", "ScalarList", "float", "float", "Scalar"])", "", R"(["", "[8]", "", "", "1e-05"])"}),
            "208 192 160");
  // 2x4x3x3 = 72: 9*72; gradient, input, weight, two statistics; gradients of input, weight and bias
  EXPECT_EQ(costs({"aten::native_batch_norm_backward", "[[2, 4, 3, 3], [2, 4, 3, 3], [4], [4], [4], [4], [4], [], [], []]",
                   R"(["c10::Half", "c10::Half", "float", "float", "float", "float", "float", "Scalar", "Scalar", "ScalarList"])",
                   "", R"(["", "", "", "", "", "", "", "True", "1e-05", "[True, True, True]"])"}),
            "648 336 176");
  EXPECT_EQ(costs({"_C::fused_add_rms_norm", "[[4, 8], [4, 8], [8], []]",
                   R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "Scalar"])", "", R"(["", "", "", "1e-05"])"}),
            "168 144 128");
}

TEST(Costs, ElementByElement) {
  EXPECT_EQ(costs({"aten::silu", "[[4, 8]]", R"(["c10::BFloat16"])", "", ""}), "32 64 64");
  // the wider type, the broadcast shape
  EXPECT_EQ(costs({"aten::mul", "[[4, 8], [8]]", R"(["float", "c10::BFloat16"])", "", ""}), "32 144 128");
  // a scalar tensor does not widen the type
  EXPECT_EQ(costs({"aten::add", "[[4, 8], [], []]", R"(["c10::Half", "double", "Scalar"])", "", R"(["", "", "1"])"}), "32 72 64");
  // a repeated dimension is read once
  EXPECT_EQ(costs({"aten::div", "[[4, 8], []]", R"(["float", "Scalar"])", "[[1, 0], []]", R"(["", "2"])"}), "32 16 128");
  EXPECT_EQ(costs({"aten::eq", "[[4, 8], []]", R"(["long int", "Scalar"])", "", R"(["", "1"])"}), "32 256 32");
  EXPECT_EQ(costs({"_C::silu_and_mul", "[[4, 8], [4, 16]]", R"(["c10::Half", "c10::Half"])", "", ""}), "160 128 64");
  EXPECT_EQ(
      costs({"_C::static_scaled_fp8_quant", "[[4, 8], [4, 8], []]", R"(["c10::Float8_e4m3fn", "c10::Half", "float"])", "", ""}),
      "64 68 32");
}

TEST(Costs, ReductionsAndSoftmax) {
  EXPECT_EQ(costs({"aten::mean", "[[2, 4, 8], [], [], []]", R"(["float", "ScalarList", "Scalar", ""])", "",
                   R"(["", "[-1]", "True", ""])"}),
            "64 256 32");
  EXPECT_EQ(costs({"aten::sum", "[[2, 4, 8], []]", R"(["float", ""])", "", R"(["", ""])"}), "64 256 4");
  EXPECT_EQ(costs({"aten::max", "[[2, 4, 8], [], []]", R"(["float", "Scalar", "Scalar"])", "", R"(["", "1", "False"])"}),
            "64 256 192");
  EXPECT_EQ(
      costs({"aten::_softmax", "[[2, 8], [], []]", R"(["c10::Half", "Scalar", "Scalar"])", "", R"(["\"a\", b", "-1", "True"])"}),
      "80 32 64")
      << "a text with quotes and a comma is one value";
  EXPECT_EQ(costs({"aten::_softmax", "[[2, 8], [], []]", R"(["c10::Half", "Scalar", "Scalar"])", "", R"(["", "-1", "True"])"}),
            "80 32 64");
}

TEST(Costs, IndexingCopiesAndFills) {
  EXPECT_EQ(costs({"aten::embedding", "[[100, 8], [4], [], [], []]", R"(["float", "long int", "Scalar", "Scalar", "Scalar"])", "",
                   R"(["", "", "-1", "False", "False"])"}),
            "0 160 128");
  EXPECT_EQ(costs({"aten::index_select", "[[100, 8], [], [4]]", R"(["float", "Scalar", "long int"])", "", R"(["", "0", ""])"}),
            "0 160 128");
  EXPECT_EQ(costs({"aten::copy_", "[[4, 8], [4, 8], []]", R"(["float", "c10::Half", "Scalar"])", "", R"(["", "", "False"])"}),
            "0 64 128");
  EXPECT_EQ(costs({"aten::fill_", "[[4, 8], []]", R"(["float", "Scalar"])", "", R"(["", "0"])"}), "0 0 128");
  // the type of a list of tensors is not recorded
  EXPECT_EQ(costs({"aten::cat", "[[[4, 8], [2, 8]], []]", R"(["TensorList", "Scalar"])", "", R"(["", "0"])"}), ">=0 48 48");
  EXPECT_EQ(costs({"aten::cat", "[[], []]", R"(["TensorList", "Scalar"])", "", R"(["", "0"])"}), "none");
}

TEST(Costs, OptimizersOverListsOfTensors) {
  EXPECT_EQ(costs({"aten::_fused_adamw_", "[[[4], [2, 3]], [[4], [2, 3]], [[4], [2, 3]], [[4], [2, 3]], []]",
                   R"(["TensorList", "TensorList", "TensorList", "TensorList", "TensorList"])", "", ""}),
            ">=140 80 60");
  EXPECT_EQ(costs({"aten::_foreach_add_", "[[[4], [2, 3]], [[4], [2, 3]], []]", R"(["TensorList", "TensorList", "Scalar"])", "",
                   R"(["", "", "1"])"}),
            ">=10 40 20");
}

TEST(Costs, CompiledKernelsHaveAtLeastTheirTensors) {
  // 32 items: two tensors of 32 floats, and 32 elements of a larger one
  EXPECT_EQ(costs({"triton_poi_fused_add_0", "[[4, 8], [4, 8], [100, 8], []]", R"(["float", "float", "float", "Scalar"])", "",
                   R"(["", "", "", "32"])"}),
            ">=- 384 0");
}

TEST(Costs, WithoutAFormulaOrShapesThereIsNone) {
  EXPECT_EQ(costs({"my::operator", "[[4]]", R"(["float"])", "", ""}), "none");
  EXPECT_EQ(costs({"aten::mm", "", "", "", ""}), "none");
  EXPECT_EQ(costs({"aten::mm", "[[2, 3], [3, 4]]", R"(["unheard of", "float"])", "", ""}), "48 - -");
}

TEST(Costs, UsersFormulasComeFirst) {
  const Result<CostModel> model = CostModel::make(
      "# ours\n"
      "my::gemm_*, aten::silu | ours | matrix | fp4 | 2 * numel(0) | >= bytes(0) | -\n",
      "my.costs");
  ASSERT_TRUE(model.ok());
  const std::optional<OperatorCost> cost = model->cost({"my::gemm_nt", "((4, 8),)", "('float',)", "", ""});
  EXPECT_EQ(cost_text(cost), ">=64 128 -");
  EXPECT_EQ(cost->family, "ours");
  EXPECT_EQ(cost->precision, "fp4");
  EXPECT_EQ(cost->unit, CostUnit::kMatrix);
  EXPECT_EQ(cost_text(model->cost({"aten::silu", "[[4, 8]]", R"(["float"])", "", ""})), ">=64 128 -");
}

TEST(Costs, AWrongLineIsNamed) {
  const auto error_of = [](std::string_view text) { return std::string(CostModel::make(text, "my.costs").error().to_string()); };
  EXPECT_EQ(error_of("# comment\n\na | b | vector | 0 | 1 | 1\n"), "my.costs, line 3: a formula has 7 columns, this line has 6");
  EXPECT_EQ(error_of("a | b | tensor | 0 | 1 | 1 | 1"), "my.costs, line 1: the unit is matrix, vector or memory, not 'tensor'");
  EXPECT_EQ(error_of("a, | b | vector | 0 | 1 | 1 | 1"), "my.costs, line 1: a name is empty");
  EXPECT_EQ(error_of("a | b | vector | 0 | 1 + | 1 | 1"), "my.costs, line 1: the expression ends where a value is expected");
  EXPECT_EQ(error_of("a | b | vector | 0 | 1 2 | 1 | 1"), "my.costs, line 1: '2' follows the expression");
  EXPECT_EQ(error_of("a | b | vector | 0 | dims(0) | 1 | 1"), "my.costs, line 1: there is no function 'dims'");
  EXPECT_EQ(error_of("a | b | vector | 0 | dim(0) | 1 | 1"), "my.costs, line 1: 'dim' takes 2 values, not 1");
  EXPECT_EQ(error_of("a | b | vector | 0 | (1 | 1 | 1"), "my.costs, line 1: a closing parenthesis is missing");
}

TEST(Costs, APatternFitsAnyText) {
  EXPECT_TRUE(fits_pattern("triton_poi_fused_0", "triton_*"));
  EXPECT_TRUE(fits_pattern("vllm::w8a8_block_fp8", "vllm::*block*"));
  EXPECT_FALSE(fits_pattern("vllm::w8a8", "vllm::*block*"));
  EXPECT_TRUE(fits_pattern("ab", "ab*"));
  EXPECT_FALSE(fits_pattern("ab", "ab*c"));
}

}  // namespace sightline::analyses
