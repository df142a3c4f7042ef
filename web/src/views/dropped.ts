// What a drop or a choice of files holds, as parcels: a folder is one, and all loose files are one. Hidden files
// and folders are left out, as the server leaves them out of a search.
import type { Parcel, SentFile } from "../api/transfers";

const isHidden = (path: string) => path.split("/").some((part) => part.startsWith("."));

function loose(files: SentFile[]): Parcel[] {
  if (files.length === 0) return [];
  const name = files.length === 1 ? files[0].path : `${files[0].path} +${files.length - 1}`;
  return [{ name, list: () => Promise.resolve(files) }];
}

async function filesBelow(entry: FileSystemEntry): Promise<SentFile[]> {
  if (entry.name.startsWith(".")) return [];
  if (entry.isFile) {
    const file = await new Promise<File>((take, fail) => (entry as FileSystemFileEntry).file(take, fail));
    return [{ path: entry.fullPath.replace(/^\//, ""), file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: SentFile[] = [];
  for (;;) {
    // A browser gives some entries at a time.
    const some = await new Promise<FileSystemEntry[]>((take, fail) => reader.readEntries(take, fail));
    if (some.length === 0) return found;
    for (const each of some) found.push(...(await filesBelow(each)));
  }
}

/** Call this while the drop is handled: afterwards the browser forgets what was dropped. */
export function parcelsOfDrop(data: DataTransfer | null): Parcel[] {
  const parcels: Parcel[] = [];
  const files: SentFile[] = [];
  for (const item of data?.items ?? []) {
    const entry = item.kind === "file" ? item.webkitGetAsEntry?.() : null;
    const file = item.kind === "file" ? item.getAsFile() : null;
    if (entry?.isDirectory) parcels.push({ name: entry.name, list: () => filesBelow(entry) });
    else if (file) files.push({ path: file.name, file });
  }
  return [...parcels, ...loose(files)];
}

/** Of an input that takes files, or a folder. */
export function parcelsOfChoice(chosen: FileList | null): Parcel[] {
  const files = [...(chosen ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  const folder = files.find(({ path }) => path.includes("/"))?.path.split("/")[0];
  if (folder === undefined) return loose(files);
  return [{ name: folder, list: () => Promise.resolve(files.filter(({ path }) => !isHidden(path))) }];
}
