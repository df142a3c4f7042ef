// Long names: what is folded, what is kept, and that nothing is ever longer than its column.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cutMiddle, foldBrackets, shortenName } from "./names";

const kAdd =
  "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >" +
  "(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)";

test("a name that fits is left alone", () => {
  assert.equal(shortenName("aten::conv2d", 20), "aten::conv2d");
});

test("the argument list goes before anything of the template arguments", () => {
  assert.equal(
    shortenName(kAdd, 110),
    "at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >",
  );
});

test("template arguments lose their own arguments, then their namespaces, then their number", () => {
  assert.equal(
    shortenName(kAdd, 95),
    "at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<…>, std::array<…> >",
  );
  assert.equal(
    shortenName(kAdd, 75),
    "at::native::vectorized_elementwise_kernel<4, CUDAFunctor_add<…>, array<…>>",
  );
  assert.equal(shortenName(kAdd, 60), "vectorized_elementwise_kernel<4, CUDAFunctor_add<…>, …>");
});

test("a result type goes with the argument list", () => {
  const name =
    "std::enable_if<(8 > 0) && vllm::_typeConvert<c10::BFloat16>::exists, void>::type " +
    "vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, c10::BFloat16*, float, int)";
  assert.equal(shortenName(name, 60), "vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>");
  assert.equal(
    shortenName("autograd::engine::evaluate_function: ConvolutionBackward0", 40),
    cutMiddle("autograd::engine::evaluate_function: ConvolutionBackward0", 40),
  );
});

test("no form is longer than the column", () => {
  const names = [
    kAdd,
    "a".repeat(300),
    "operator<<(std::ostream&, x)",
    "f<g<h<i<j>>>>::k(int)",
    'x "<img src=y>"',
  ];
  for (const name of names) {
    for (let width = 6; width < 200; width += 7) {
      assert.ok(shortenName(name, width).length <= width, `${name} at ${width}`);
    }
  }
});

test("brackets that open nothing are not folded", () => {
  assert.equal(foldBrackets("operator<(a, b)", "<", ">", 0), "operator<(a, b)");
  assert.equal(foldBrackets("a < b", "<", ">", 0), "a < b");
  assert.equal(foldBrackets("(anonymous namespace)::f<int>", "(", ")", 0), "(anonymous namespace)::f<int>");
});

test("a stack of frames shows its first frame and how many follow", () => {
  assert.equal(
    shortenName("train.py(88): step\ntorch/nn/module.py(10): call", 40),
    "train.py(88): step … +1",
  );
});

test("a cut keeps both ends", () => {
  assert.equal(cutMiddle("abcdefghij", 7), "abcd…ij");
});
