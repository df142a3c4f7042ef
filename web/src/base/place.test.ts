// The address: every visible state can be written to it and read back.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatPlace,
  inView,
  kNowhere,
  parsePlace,
  withPage,
  withoutRows,
  withParameters,
  type Place,
} from "./place";

const kPlace: Place = {
  run: "resnet50/a b",
  worker: "host&7",
  span: "1",
  view: "operators",
  parameters: { group_by: "name", steps: "5-10" },
  page: { "operators.sort": "-device_self", "operators.search": "conv<2 & x=1", "operators.open": "3-5,9" },
};

test("a place written as a query reads back as itself", () => {
  assert.deepEqual(parsePlace(formatPlace(kPlace)), kPlace);
});

test("the query is legible: separators of rows and paths are not escaped", () => {
  assert.match(formatPlace(kPlace), /run=resnet50\/a\+b&worker=host%267&span=1&view=operators/);
  assert.match(formatPlace(kPlace), /operators\.open=3-5,9/);
});

test("a token never stays in the address", () => {
  assert.equal(formatPlace(parsePlace("?token=secret&view=kernels")), "?view=kernels");
});

test("another view keeps the profile and drops the state of the old view", () => {
  const next = inView(kPlace, "kernels", { operator: "aten::mm" });
  assert.equal(next.run, kPlace.run);
  assert.deepEqual(next.parameters, { operator: "aten::mm" });
  assert.deepEqual(next.page, {});
});

test("a default is spelt as nothing", () => {
  assert.equal(formatPlace(withPage(kPlace, { "operators.sort": "" })).includes("sort"), false);
  assert.equal(formatPlace(withParameters(kPlace, { group_by: null })).includes("group_by"), false);
  assert.equal(formatPlace(kNowhere), "");
});

test("another question drops rows named by number and keeps sort and search", () => {
  const { page } = withoutRows({
    ...kPlace,
    page: { ...kPlace.page, "operators.select": "3", "operators/3/stacks.sort": "-a" },
  });
  assert.deepEqual(Object.keys(page), ["operators.sort", "operators.search"]);
});

test("the language is in the address but not part of the place's parameters", () => {
  const address = formatPlace(kPlace, "zh");
  assert.match(address, /&lang=zh$/);
  assert.deepEqual(parsePlace(address), kPlace);
  assert.doesNotMatch(formatPlace(kPlace), /lang/);
});
