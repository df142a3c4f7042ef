// Recording processes from the page: requests to the server's capture desk, and its state.
import { Atom } from "../base/atom";
import { getJson, sendJson } from "./client";
import { inFile } from "./source";

export interface Target {
  pid: number;
  user: string;
  devices: string;
  release: string;
  command: string;
  busy: boolean;
}

export interface CaptureState {
  /** Where the results go; null: nothing is recorded from this page. */
  folder: string | null;
  running: boolean;
  progress: string;
  error: string;
  notes: string[];
  files: string[];
  /** Of the last search; null: none was made. */
  processes: Target[] | null;
}

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

/** Null until it is known. */
export const capture = new Atom<CaptureState | null>(null);
/** Counts what was requested and what was answered: a look begun before is of how it stood before. */
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
