// What the page opens when the address does not say it.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Place } from "../base/place";
import { completePlace } from "./profiles";
import type { ServerState } from "./types";

const kViews = [
  ["overview", "time"],
  ["kernels", "time"],
  ["timeline", "when"],
  ["hangs", "ranks"],
  ["fleet", "fleet"],
  ["history", "compare", "runs"],
  ["metadata", "data"],
];

function opened(views: Record<string, string | null>, place: Partial<Place> = {}): string {
  const span = { name: "1", status: "ready", views };
  const state = {
    views: kViews.map(([id, group, scope = "profile"]) => ({ id, group, scope })),
    runs: [{ name: "r", workers: [{ name: "w", spans: [span] }] }],
  } as unknown as ServerState;
  const empty = { run: "", worker: "", span: "", view: "" } as Place;
  return completePlace(state, { ...empty, ...place }).view;
}

test("the first view that the profile has", () => {
  assert.equal(opened({ overview: null, kernels: null, fleet: "no lake" }), "overview");
  assert.equal(opened({ overview: "a lake", kernels: "a lake", fleet: null }), "fleet");
});

test("an answer comes before the timeline, which comes before what every profile has", () => {
  const none = { overview: "no steps", kernels: "no kernels", hangs: "no records", fleet: "no lake" };
  const always = { timeline: null, history: null, metadata: null };
  assert.equal(opened({ ...none, ...always, hangs: null }), "hangs");
  assert.equal(opened({ ...none, ...always }), "timeline");
});

test("the view of the address, also one that the profile lacks", () => {
  assert.equal(opened({ overview: null, kernels: "no kernels" }, { view: "kernels" }), "kernels");
});

test("the first view while the file is being read", () => assert.equal(opened({}), "overview"));
