// What the server opens from this page: files that the page sends, paths on the server's machine, profiles of
// its cache; and the profiles that it opened so.
import { Atom } from "../base/atom";
import { getJson } from "./client";
import { inFile } from "./source";
import type { Opening, ProfilePlace, Upload } from "../base/wire";

export type { Opening, Recent, Upload } from "../base/wire";

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
