// Hangs: the files of three ranks, of which one never called the second collective; the view opens first, names the rank and its line,
// and leads to the timeline. Skipped if the program is not built.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { onPage, withProgram, withoutProgram } from "./browser.mjs";

const root = mkdtempSync(join(tmpdir(), "sightline-hangs-"));
after(() => rmSync(root, { recursive: true, force: true }));

const call = (record, number, name) => ({
  record_id: record,
  pg_id: 0,
  process_group: ["0", "default_pg"],
  collective_seq_id: number,
  p2p_seq_id: 0,
  op_id: number,
  profiling_name: name,
  time_created_ns: 1_700_000_000_000_000_000 + 1_000_000 * record,
  input_sizes: [[16, 4]],
  input_dtypes: ["Float"],
  output_sizes: [[16, 4]],
  output_dtypes: ["Float"],
  state: number === 1 ? "completed" : "scheduled",
  retired: number === 1,
  is_p2p: false,
  frames: [{ name: "step", filename: "train.py", line: 10 + number }],
});
const folder = join(root, "job");
mkdirSync(folder);
for (const rank of [0, 1, 2]) {
  const entries = [call(0, 1, "nccl:all_reduce")];
  if (rank !== 1) entries.push(call(1, 2, "nccl:all_gather"));
  const dump = {
    version: "2.10",
    pg_config: {
      0: { name: "0", desc: "default_pg", ranks: "[0, 1, 2]" },
    },
    pg_status: {
      0: {
        last_enqueued_collective: String(entries.length),
        last_started_collective: "-1",
        last_completed_collective: "1",
      },
    },
    entries,
  };
  writeFileSync(
    join(folder, `nccl_trace_rank_${rank}.json`),
    JSON.stringify(dump),
  );
}

describe("Hangs", { skip: withoutProgram() }, () => {
  const on = withProgram(folder);

  test("opens first and names the rank that never called", async () => {
    await onPage(on("?"), async (page) => {
      await page.getByRole("heading", { name: "Where it began" }).waitFor();
      await page
        .getByText("rank 1 never called all_gather, number 2")
        .first()
        .waitFor();
      assert.ok(await page.getByText("train.py(11): step").first().isVisible());
    });
  });

  test("the timeline has a lane of each rank's group", async () => {
    await onPage(on("?view=timeline"), async (page) => {
      await page.waitForSelector('.timeline-lanes[data-drawn="true"]');
      const names = await page.locator(".timeline-name").allTextContents();
      for (const rank of [0, 1, 2]) assert.ok(names.includes(`rank ${rank}`));
      assert.equal(
        names.filter((name) => name === "default_pg (0)").length,
        3,
        names.join(),
      );
    });
  });
});
