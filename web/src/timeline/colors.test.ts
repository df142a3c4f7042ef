// The colours of marks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Colors } from "./colors";

test("a step that a device repeats looks like the step of the host, whatever its number", () => {
  const colors = new Colors("light");
  const step = colors.hue("step", "ProfilerStep#3", 0, "");
  assert.equal(colors.hue("device_annotation", "ProfilerStep#3", 1, ""), step);
  assert.equal(colors.hue("device_annotation", "ProfilerStep#4", 1, ""), step);
  assert.notEqual(colors.hue("device_annotation", "forward", 1, ""), step);
});
