// Texts of the program, found by their English; names of the trace, and texts without a translation, stay as
// they are.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { setProgramWords, translate, translateIn, translateNamed, type Messages } from "./translate";

const kTable = {
  Kernels: "内核",
  "the extent of all operators": "所有算子的范围",
  "No steps were recorded: {what} stands for one step.": "没有记录 Step：以{say what}代表一个 Step。",
  "{n#} kernel(s)": "{n} 个内核",
  "{n#} kernel(s) of {name}": "{name} 的 {n} 个内核",
  "step {n#}": "Step {n}",
  "Attributed: {rules}.": "归属：{each rules}。",
  "{n#} by a linked id": "{n} 个按关联 id",
  "{n#} not attributed": "{n} 个未归属",
  "Its part.": "占比。",
  "Window: all.": "窗口：全部。",
  "start and end": "开始与结束",
};
const speak = () => setProgramWords(kTable, { Formula: "公式", Source: "来源", Differs: "差异" });
afterEach(() => setProgramWords(null, null));

test("without a table everything stays English", () => {
  assert.equal(translate("Kernels"), "Kernels");
  assert.equal(translateIn({ "3 kernels": ["{} kernels", "3"] }, "3 kernels"), "3 kernels");
});

test("a number's gap does not reach into the next sentence", () => {
  setProgramWords(
    {
      Kernels: "内核",
      "{n#} type(s) of kernels.": "{n} 类内核。",
      "{n#} of the matrix kernels among them.": "其中 {n} 个矩阵内核。",
    },
    null,
  );
  assert.equal(
    translate("9 types of kernels. 16 of the matrix kernels among them."),
    "9 类内核。其中 16 个矩阵内核。",
  );
});

test("a text is found as it is, or by its pattern; the text of a gap is looked up if the key says so", () => {
  speak();
  assert.equal(translate("Kernels"), "内核");
  assert.equal(translate("1 kernel"), "1 个内核");
  assert.equal(translate("8,772 kernels"), "8,772 个内核");
  assert.equal(translate("Few kernels"), "Few kernels");
  assert.equal(
    translate("No steps were recorded: the extent of all operators stands for one step."),
    "没有记录 Step：以所有算子的范围代表一个 Step。",
  );
  assert.equal(
    translate("Attributed: 1,029 by a linked id, 4 not attributed."),
    "归属：1,029 个按关联 id、4 个未归属。",
  );
});

test("of a doc every line and sentence is looked up, and a formula stays", () => {
  speak();
  assert.equal(
    translate("Its part. Window: all.\nFormula: total / sum\nSource: start and end\nDiffers: Not there."),
    "占比。窗口：全部。\n公式：total / sum\n来源：开始与结束\n差异：Not there.",
  );
});

const kTemplates = {
  ...kTable,
  "{} kernels": "{} 个内核",
  "{} of {}": "{1} 的 {0}",
  "{}, step {}": "{}，Step {}",
  "{} of {ranks}": "{}（共 {}）",
  "Only {}.": "只有{}。",
  "It is so.": "确实如此。",
  "; ": "；",
};

test("for a text in messages, the template is looked up, and those values that are texts", () => {
  setProgramWords(kTemplates, null);
  const messages: Messages = {
    "3 kernels of add<int, 4>(Kernels), step 7": [
      "{}, step {}",
      ["{} of {}", ["{} kernels", "3"], "add<int, 4>(Kernels)"],
      "7",
    ],
    "2 of 8": ["{} of {ranks}", "2", "8"],
    "Only Kernels. It is so.": { list: [["Only {}.", ["Kernels"]], ["It is so."]], between: " " },
    "3 kernels; Kernels": { list: [["{} kernels", "3"], "Kernels"], between: "; " },
  };
  const said = (text: string) => translateIn(messages, text);
  assert.equal(said("3 kernels of add<int, 4>(Kernels), step 7"), "add<int, 4>(Kernels) 的 3 个内核，Step 7");
  assert.equal(said("2 of 8"), "2（共 8）");
  assert.equal(said("Only Kernels. It is so."), "只有内核。确实如此。");
  assert.equal(said("3 kernels; Kernels"), "3 个内核；Kernels");
  assert.equal(said("Kernels"), "内核");
});

test("in a place that may hold names, only texts in messages are looked up", () => {
  setProgramWords(kTemplates, null);
  assert.equal(translateNamed({}, "Kernels"), "Kernels");
  assert.equal(translateNamed({ Kernels: ["Kernels"] }, "Kernels"), "内核");
});
