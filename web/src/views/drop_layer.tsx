// Files may be dropped anywhere on the page. A drop never makes the browser leave the page, also where nothing
// can be opened.
import { useLayoutEffect, useState } from "preact/hooks";
import { opening } from "../api/opening";
import { inFile } from "../api/source";
import type { ProfilePlace } from "../api/types";
import { Atom } from "../base/atom";
import { words } from "../base/words";
import { say } from "../widgets/copy";
import { useAtom } from "../widgets/hooks";
import { Icon } from "../widgets/icon";
import { lazy } from "../widgets/lazy";
import { parcelsOfDrop } from "./dropped";

const Transfers = lazy(async () => (await import("./transfer_list")).TransferList, null);
/** Whether anything was sent from this page. */
const hasSent = new Atom(false);

/** Sends files, and opens the first profile that they hold. */
export async function sendAndOpen(parcels: import("../api/transfers").Parcel[]): Promise<void> {
  if (parcels.length === 0) return;
  if (inFile()) return say(words.opening.notInFile);
  if (opening.get()?.files === false) return say(words.opening.notHere);
  hasSent.set(true);
  (await import("./transfer_list")).sendParcels(parcels);
}

/** Has the server open a trace of its machine or of a cloud. */
export async function openTrace(path: string, opened: (profile: ProfilePlace) => void): Promise<void> {
  hasSent.set(true);
  (await import("../api/transfers")).openTrace(path, opened);
}

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

/** Text may be dropped where it can be typed. */
function isTyping(event: DragEvent): boolean {
  const target = event.target as Element | null;
  return !holdsFiles(event) && target?.closest?.("input, textarea") !== null;
}

/** A part of the page that takes files itself. */
function isTaken(event: DragEvent): boolean {
  return event.target instanceof Element && event.target.closest("[data-drops]") !== null;
}

export function DropLayer() {
  const [over, setOver] = useState(false);
  const sent = useAtom(hasSent);
  useLayoutEffect(() => {
    let ending = 0;
    // A drag that leaves the window says so with events of many elements, or not at all.
    const drag = (event: DragEvent) => {
      if (isTyping(event)) return;
      const taken = isTaken(event);
      if (!event.defaultPrevented && event.dataTransfer)
        event.dataTransfer.dropEffect = holdsFiles(event) ? "copy" : "none";
      event.preventDefault();
      setOver(holdsFiles(event) && !taken);
      clearTimeout(ending);
      ending = window.setTimeout(() => setOver(false), 400);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (isTyping(event)) return;
      event.preventDefault();
      setOver(false);
      if (!isTaken(event)) void sendAndOpen(parcelsOfDrop(event.dataTransfer));
    };
    const listeners = { dragenter: drag, dragover: drag, dragleave: leave, drop };
    for (const [name, listener] of Object.entries(listeners))
      addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        removeEventListener(name, listener as EventListener);
    };
  }, []);
  return (
    <>
      {over && (
        <div class="drop-cover" aria-hidden="true">
          <div>
            <Icon name="open" />
            <p>{inFile() ? words.opening.notInFile : words.opening.dropNow}</p>
          </div>
        </div>
      )}
      {sent && <Transfers />}
    </>
  );
}
