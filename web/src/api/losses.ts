// Logs of training runs, sent to the server, which reads the losses in them. The page keeps the files as the
// browser gave them and does not read them.
import { getJson, makeReport, type Report } from "./client";
import type { WireReport } from "./types";

export interface Log {
  id: number;
  file: File;
  lossTag: string;
  iterationTag: string;
  /** Whether the log is drawn. */
  shown: boolean;
}

/** `names` are the names of the logs in the answer; `base` and `compared` are numbers of logs, from 1. */
export async function fetchLosses(
  logs: Log[],
  names: string[],
  base: number,
  compared: number,
  signal: AbortSignal,
): Promise<Report> {
  const form = new FormData();
  form.append("base", String(base));
  form.append("compared", String(compared));
  for (const [i, { file, lossTag, iterationTag }] of logs.entries()) {
    form.append("loss_tag", lossTag);
    form.append("iteration_tag", iterationTag);
    form.append("log", file, names[i]);
  }
  const wire = await getJson<WireReport>("api/losses", signal, { method: "POST", body: form });
  return makeReport(wire, "", "losses");
}
