// Recording processes from the page: requests to the server's capture desk, and its state.
import { Atom } from "../base/atom";
import type { CaptureState } from "../base/wire";
import { getJson, sendJson } from "./client";
import { inFile } from "./source";

export type { CaptureTarget } from "../base/wire";

export interface CaptureRequest {
  way: "processes" | "torch" | "xla" | "http";
  address?: string;
  traces?: string;
  pid?: number;
  duration_ms?: number;
  iterations?: number;
  shapes?: boolean;
  stacks?: boolean;
  flops?: boolean;
}

const kAddress = "api/capture";

/** Null until known. */
export const capture = new Atom<CaptureState | null>(null);
/** Counts requests and answers: a poll that began earlier has an outdated state. */
let changes = 0;

export async function lookAtCapture(): Promise<void> {
  if (inFile()) return;
  const before = changes;
  const state = await getJson<CaptureState>(kAddress);
  if (changes === before) capture.set(state);
}

async function change(method: "PUT" | "DELETE", request: object): Promise<void> {
  changes++;
  try {
    capture.set(await sendJson<CaptureState>(method, kAddress, request));
  } finally {
    changes++;
  }
}

export const beginCapture = (request: CaptureRequest): Promise<void> => change("PUT", request);
export const stopCapture = (): Promise<void> => change("DELETE", {});
