// Sending files to the server: each dropped folder is one transfer, and so are all loose files of a drop, since
// they may belong together. Bytes go from the disk to the server; the page holds none of them.
import { Atom } from "../base/atom";
import { translateIn, type Messages } from "../base/translate";
import { words } from "../base/words";
import { errorText, RequestError } from "./client";
import { announce, closeUpload, lookAtOpening, openThere, type Upload } from "./opening";
import { lookNow } from "./profiles";
import type { ApiError, ProfilePlace } from "./types";

/** A file with its path below the folder that was chosen or dropped. */
export interface SentFile {
  path: string;
  file: File;
}

/** Files that are sent together; `list` finds them. */
export interface Parcel {
  name: string;
  list: () => Promise<SentFile[]>;
}

export interface Transfer {
  id: number;
  name: string;
  state: "listing" | "sending" | "opening" | "open" | "failed";
  files: number;
  size: number;
  sent: number;
  /** Bytes per second, lately. */
  speed: number;
  error: string;
  profiles: ProfilePlace[];
  leftOut: string[];
}

export const transfers = new Atom<Transfer[]>([]);

const kStreams = 3; // of the six connections that a browser has for one server
const kParcels = 6; // fewer than the server takes at a time
const kWindow = 1000; // ms over which the speed is measured

let lastId = 0;
const leaving = new Map<number, AbortController>();

function change(id: number, by: Partial<Transfer>): void {
  transfers.update((all) => all.map((each) => (each.id === id ? { ...each, ...by } : each)));
}

export function dismiss(id: number): void {
  transfers.update((all) => all.filter((each) => each.id !== id));
}

/** Ends a transfer; what has arrived is removed from the server. */
export function cancel(id: number): void {
  leaving.get(id)?.abort();
  dismiss(id);
}

// ---- one body ----

/** Runs at most `most` pieces of work at a time; the others wait. */
class Turns {
  private waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.free === 0) await new Promise<void>((go) => this.waiting.push(go));
    else this.free--;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}

const streams = new Turns(kStreams);
const parcelsAtOnce = new Turns(kParcels);

/** fetch cannot say how much of a body was sent. */
function put(
  address: string,
  file: Blob,
  leave: AbortSignal,
  progress: (sent: number) => void,
): Promise<Upload> {
  return new Promise((resolve, reject) => {
    if (leave.aborted) return reject(new DOMException("", "AbortError"));
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    leave.addEventListener("abort", abort);
    request.open("PUT", address);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = (event) => progress(event.loaded);
    request.onabort = () => reject(new DOMException("", "AbortError"));
    request.onerror = () => void whyLost(file).then(reject);
    request.onloadend = () => leave.removeEventListener("abort", abort);
    request.onload = () => {
      const answer = parsed(request.responseText);
      if (request.status === 200 && answer) return resolve(answer as Upload);
      const detail = answer?.error ?? { code: "http", message: words.noAnswer };
      reject(new RequestError(request.status, { ...detail, messages: answer?.messages }));
    };
    request.send(file);
  });
}

function parsed(text: string): (Upload & { error?: ApiError; messages?: Messages }) | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A request without an answer: the file may have changed or gone, or the server. */
async function whyLost(file: Blob): Promise<Error> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return new RequestError(0, { code: "unreachable", message: words.opening.lost });
  } catch {
    return new RequestError(0, { code: "unreadable", message: words.opening.unreadable });
  }
}

// ---- a transfer ----

class Speed {
  private marks: [time: number, sent: number][] = [];

  at(sent: number): number {
    const now = performance.now();
    this.marks.push([now, sent]);
    while (this.marks.length > 2 && this.marks[1][0] < now - kWindow) this.marks.shift();
    const [time, before] = this.marks[0];
    return now - time < 100 ? 0 : Math.max(0, ((sent - before) / (now - time)) * 1000);
  }
}

/** Fails when the beginning of the file shows that the server cannot open it. */
function sendHead({ id, head }: Upload, file: File, leave: AbortSignal): Promise<Upload> {
  return streams.take(() =>
    put(`api/uploads/${id}/0?part=head`, file.slice(0, head), leave, () => undefined),
  );
}

async function sendAll(id: number, upload: Upload, files: SentFile[], leave: AbortSignal): Promise<Upload> {
  const sent = files.map(() => 0);
  const speed = new Speed();
  const note = (i: number, bytes: number) => {
    sent[i] = Math.min(bytes, files[i].file.size);
    const sum = sent.reduce((a, b) => a + b, 0);
    change(id, { sent: sum, speed: speed.at(sum), state: sum < upload.size ? "sending" : "opening" });
  };
  let last = upload;
  let next = 0;
  const line = async () => {
    while (next < files.length) {
      const i = next++;
      const address = `api/uploads/${upload.id}/${i}`;
      const answer = await streams.take(() => put(address, files[i].file, leave, (bytes) => note(i, bytes)));
      note(i, files[i].file.size);
      if (answer.open) last = answer;
    }
  };
  await Promise.all(Array.from({ length: Math.min(kStreams, files.length) }, line));
  return last;
}

function problem({ message, where }: ApiError, messages?: Messages): string {
  const said = translateIn(messages, message);
  return where ? `${where.replace(/:0$/, "")}: ${said}` : said;
}

function reasonOf(error: Error): string {
  if (!(error instanceof RequestError)) return error.message;
  return problem({ ...error.detail, message: errorText(error) });
}

async function run(id: number, parcel: Parcel, leave: AbortController): Promise<ProfilePlace[]> {
  let upload: Upload | null = null;
  try {
    leave.signal.throwIfAborted();
    const files = await parcel.list();
    if (files.length === 0) throw new Error(words.opening.emptyFolder);
    const size = files.reduce((sum, { file }) => sum + file.size, 0);
    change(id, { state: "sending", files: files.length, size });
    leave.signal.throwIfAborted();
    upload = await announce(files.map(({ path, file }) => ({ path, size: file.size })));
    if (upload.head > 0) await sendHead(upload, files[0].file, leave.signal);
    const { profiles, left_out, messages } = await sendAll(id, upload, files, leave.signal);
    const leftOut = left_out.map((error) => problem(error, messages));
    change(id, { state: "open", profiles, leftOut, sent: size });
    return profiles;
  } catch (error) {
    leave.abort(); // the other files of this transfer
    if (upload) void closeUpload(upload.id).catch(() => undefined);
    change(id, { state: "failed", error: reasonOf(error as Error) });
    return [];
  } finally {
    leaving.delete(id);
  }
}

const kNothing = { files: 0, size: 0, sent: 0, speed: 0, error: "", profiles: [], leftOut: [] };

/** Opens a trace by its path on the server's machine or its address in a cloud. A row shows it until it is open, or why it
 * cannot be opened; `opened` is called unless the user has removed the row. */
export function openTrace(path: string, opened: (profile: ProfilePlace) => void): void {
  const id = ++lastId;
  const name = path.slice(path.lastIndexOf("/") + 1);
  transfers.update((all) => [...all, { id, name, state: "opening", ...kNothing }]);
  openThere({ path })
    .then(async ([profile]) => {
      if (!profile) return change(id, { state: "failed", error: words.opening.notRead });
      await lookNow();
      const wanted = transfers.get().some((each) => each.id === id);
      dismiss(id);
      if (wanted) opened(profile);
    })
    .catch((error) => change(id, { state: "failed", error: reasonOf(error) }));
}

/** Sends the parcels; `opened` is called for each that the server has opened, once the state has its profiles. */
export function send(parcels: Parcel[], opened: (profiles: ProfilePlace[]) => void): void {
  for (const parcel of parcels) {
    const id = ++lastId;
    const leave = new AbortController();
    leaving.set(id, leave);
    const { name } = parcel;
    transfers.update((all) => [...all, { id, name, state: "listing", ...kNothing }]);
    void parcelsAtOnce
      .take(() => run(id, parcel, leave))
      .then(async (profiles) => {
        if (profiles.length === 0) return;
        await lookNow();
        opened(profiles);
        void lookAtOpening().catch(() => undefined);
      });
  }
}
