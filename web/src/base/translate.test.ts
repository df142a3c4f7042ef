// Texts of the program, found by their English; names of the trace, and texts without a translation, stay as
// they are.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { setProgramWords, translate, translateIn, translateNamed, type Messages } from "./translate";

const kTable = {
  Kernels: "内核",
  "Its part. Window: all.": "占比。窗口：全部。",
  "start and end": "开始与结束",
};
const speak = () => setProgramWords(kTable, { Formula: "公式", Source: "来源", Differs: "差异" });
afterEach(() => setProgramWords(null, null));

test("without a table everything stays English", () => {
  assert.equal(translate("Kernels"), "Kernels");
  assert.equal(translateIn({ "3 kernels": ["{} kernels", "3"] }, "3 kernels"), "3 kernels");
});

test("a text without values is found as a whole", () => {
  speak();
  assert.equal(translate("Kernels"), "内核");
  assert.equal(translate("Few kernels"), "Few kernels");
});

test("of a doc every line is looked up, and a formula stays", () => {
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
