// Long names: what is folded, what is kept, and that nothing is ever longer than its column.
import assert from "node:assert/strict";
import { test } from "node:test";
import { boxLabel, cutMiddle, foldBrackets, shortenName, Shortener } from "./names";

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

const kernel = (rest: string) => `void at::native::${rest}>(int)`;
const copy = (type: string, number: number) =>
  `at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#${number}}::operator()() const::{lambda(${type})#1}`;
const nocast = (functor: string) =>
  `at::native::gpu_kernel_impl_nocast<${functor} >(at::TensorIteratorBase&, ${functor} const&)::{lambda(int)#1}`;

test("names shown together keep what tells them apart: the functor, then the type", () => {
  const names = [
    kernel(`elementwise_kernel<128, 4, ${nocast(copy("long", 4))}`),
    kernel(`elementwise_kernel<128, 4, ${nocast(copy("float", 7))}`),
    kernel(`elementwise_kernel<128, 4, ${nocast("at::native::CUDAFunctor_add<c10::BFloat16>")}`),
    kernel(
      `elementwise_kernel<128, 4, ${nocast("at::native::BinaryFunctor<float, float, at::native::MulFunctor<float> >")}`,
    ),
  ];
  const shortener = new Shortener(names);
  for (const width of [34, 44, 60]) {
    const forms = names.map((name) => shortener.short(name, width));
    assert.equal(new Set(forms).size, names.length, forms.join("\n"));
    assert.ok(forms.every((form) => form.length <= width));
    assert.match(forms[2], /^element.*<CUDAFunctor_add/);
    assert.match(forms[3], /Functor/);
  }
  assert.equal(shortener.short(names[0], 60), "elementwise_kernel<direct_copy_kernel_cuda, long, #4, #3>");
});

test("a name without room for its arguments shows the functor", () => {
  const name = kernel(`unrolled_elementwise_kernel<${copy("float", 7)}, std::array<char*, 2ul>, 4`);
  assert.equal(shortenName(name, 41), "unrolled_…kernel<direct_copy_kernel_cuda>");
});

test("names without arguments are cut before their first difference", () => {
  const names = ["b", "f"].map(
    (way) =>
      `cudnn_generated_fort_native_sdpa_sm90_flash_${way}prop_wgmma_f16_knob_26_64x64x64_cga1x1x1_kernel0_0`,
  );
  const shortener = new Shortener(names);
  const forms = names.map((name) => shortener.short(name, 33));
  assert.match(forms[0], /^cudnn_.*…bprop_wgmma.*…$/);
  assert.match(forms[1], /^cudnn_.*…fprop_wgmma.*…$/);
  assert.ok(forms.every((form) => form.length <= 33));
});

test("a box has the telling part of a name, its beginning, or nothing", () => {
  const backward = "autograd::engine::evaluate_function: AddmmBackward0";
  assert.equal(boxLabel(backward, 60), backward);
  assert.equal(boxLabel(backward, 14), "AddmmBackward0");
  assert.equal(boxLabel(backward, 10), "AddmmBack…");
  assert.equal(boxLabel(backward, 6), "");
  assert.equal(boxLabel("aten::mm", 3), "mm");
  assert.equal(boxLabel("train.py(88): step", 9), "step");
  assert.equal(boxLabel("void at::native::gemm<4, float>(int*)", 20), "gemm");
  assert.equal(boxLabel("nn.Module: Linear_0", 12), "Linear_0");
});
