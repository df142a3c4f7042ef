// Numbers as the reader sees them: the unit of a column, and what is never rounded away.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chooseScale,
  columnScale,
  decimalPad,
  exactText,
  formatAlone,
  formatFigure,
  formatNumber,
  formatWithUnit,
} from "./units";

test("a column of times gets the unit of its largest value", () => {
  assert.equal(chooseScale("ns", [12, 999]).label, "ns");
  assert.equal(chooseScale("ns", [1_500, 20_000]).label, "µs");
  assert.equal(chooseScale("ns", [19_509_000, 2_000_000]).label, "ms");
  assert.equal(chooseScale("ns", [2_500_000_000, 1_000_000_000]).label, "s");
});

test("a column of mostly small times gets the unit in which most of them are readable", () => {
  const values = [1_200_000_000, ...Array<number>(99).fill(300_000)];
  const scale = chooseScale("ns", values);
  assert.equal(scale.label, "ms");
  assert.equal(formatNumber(1_200_000_000, scale), "1,200.00");
  assert.equal(formatNumber(300_000, scale), "0.30");
});

test("a value that would be rounded to zero is written as less than the smallest", () => {
  const scale = chooseScale("ns", [50_000_000, 50_000_000, 300]);
  assert.equal(formatNumber(300, scale), "<0.001");
  assert.equal(formatNumber(-300, scale), ">−0.001");
  assert.equal(formatNumber(0, scale), "0.000");
});

test("unknown is a dash and never zero", () => {
  assert.equal(formatNumber(NaN, chooseScale("ns", [NaN, 1])), "–");
  assert.equal(exactText(NaN, "bytes"), "–");
});

test("bytes are binary, rates decimal, shares in percent", () => {
  assert.equal(formatAlone(85_899_345_920, "bytes"), "80 GiB");
  assert.equal(formatAlone(3.35e12, "bytes_per_second"), "3.35 TB/s");
  assert.equal(formatAlone(0.8731, "share"), "87.3%");
  assert.equal(formatAlone(87.31, "percent"), "87.3%");
});

test("counts have separated thousands and ids do not", () => {
  assert.equal(formatAlone(1_234_567, "count"), "1,234,567");
  assert.equal(formatAlone(1_234_567, "id"), "1234567");
});

test("the exact value carries the base unit", () => {
  assert.equal(exactText(19_509_123, "ns"), "19,509,123 ns");
  assert.equal(exactText(0.1234567, "share"), "12.34567%");
  assert.equal(exactText(512, "bytes"), "512 bytes");
});

test("negative sizes keep a true minus sign", () => {
  assert.equal(formatWithUnit(-2048, chooseScale("bytes", [-2048])), "−2.000 KiB");
});

test("instants close to each other are distinguished, however far from zero", () => {
  const far = chooseScale("ns", [300_000_000, 300_150_000, 300_400_000]);
  assert.equal(formatNumber(300_150_000, far), "300.150");
  const spread = chooseScale("ns", [0, 300_150_000, 300_400_000]);
  assert.equal(formatNumber(300_150_000, spread), "300.15");
});

test("a cell has three significant digits, and its decimal point is below those of its column", () => {
  const values = [14_155_230, 187_950_000, 1_230_000, 45_600];
  const scale = columnScale("ns", values);
  assert.deepEqual(
    values.map((value) => formatNumber(value, scale)),
    ["14.2", "188", "1.23", "0.046"],
  );
  const widths = values.map(
    (value) => (formatNumber(value, scale) + decimalPad(value, scale)).split(/[.\u2008]/)[1].length,
  );
  assert.deepEqual(widths, [3, 3, 3, 3]);
});

test("digits before the decimal point are never rounded", () => {
  const scale = columnScale("ns", [19_123_456, 12_345, 9_000, 8_000, 7_000]);
  assert.equal(scale.label, "µs");
  assert.equal(formatNumber(19_123_456, scale), "19,123");
  assert.equal(formatNumber(12_345, scale), "12.3");
});

test("columns of one family have one unit, chosen from the values of all", () => {
  const host = [19_509_000, 20_100_000];
  const kernels = [730_338, 729_000];
  const all = [...host, ...kernels];
  const scales = [host, kernels].map((values) => columnScale("ns", values, all));
  assert.deepEqual(
    scales.map(({ label }) => label),
    ["ms", "ms"],
  );
  assert.equal(formatNumber(730_338, scales[1]), "0.730");
});

test("values that three digits do not distinguish have more", () => {
  const scale = columnScale("ns", [300_010_000, 300_020_000]);
  assert.equal(formatNumber(300_010_000, scale), "300.01");
});

test("a single figure has three digits", () => {
  assert.equal(formatFigure(19_509_123, "ns"), "19.5 ms");
  assert.equal(formatFigure(1_071_000_000_000_000, "flops_per_second"), "1.07 PFLOP/s");
  assert.equal(formatFigure(17, "count"), "17");
});
