// What the server opens from this page: files that the page sends, paths on the server's machine, profiles of
// its cache; and the profiles that it opened so.
import { Atom } from "../base/atom";
import { getJson } from "./client";
import { inFile } from "./source";
import type { ApiError, ProfilePlace } from "./types";
import type { Messages } from "../base/translate";

/** Files that were sent together. */
export interface Upload {
  id: string;
  name: string;
  files: number;
  size: number;
  arrived: number;
  /** Whether all files have arrived and were opened. */
  open: boolean;
  profiles: ProfilePlace[];
  /** Files that are no profiles, and why. */
  left_out: ApiError[];
  messages?: Messages;
}

/** A profile of the server's cache. */
export interface Recent {
  key: string;
  run: string;
  worker: string;
  file: string;
  bytes: number;
  events: number;
  /** ms since 1970. */
  last_used: number;
}

export interface Opening {
  /** Whether it takes files. */
  files: boolean;
  /** Whether it opens paths of its machine. */
  paths: boolean;
  /** Bytes that it takes now. */
  room: number;
  uploads: Upload[];
  recent: Recent[];
}

/** Null until known, and in a page that is a file. */
export const opening = new Atom<Opening | null>(null);

export async function lookAtOpening(): Promise<void> {
  if (!inFile()) opening.set(await getJson<Opening>("api/open"));
}

function post<T>(address: string, body: unknown): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  return getJson<T>(address, undefined, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Opens a path of the server's machine, or a profile of its cache. */
export async function openThere(what: { path: string } | { key: string }): Promise<ProfilePlace[]> {
  return (await post<{ profiles: ProfilePlace[] }>("api/open", what)).profiles;
}

export function announce(files: { path: string; size: number }[]): Promise<Upload> {
  return post<Upload>("api/uploads", { files });
}

/** Removes the files from the server, and their profiles from its list. */
export async function closeUpload(id: string): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  await getJson(`api/uploads/${id}`, undefined, { method: "DELETE", headers, body: "{}" });
}
