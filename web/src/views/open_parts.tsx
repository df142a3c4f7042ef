// Ways to open a profile, as the dialog "Open" and the empty page show them: files, a folder, a path on the
// server, the profiles of its cache, and the sample.
import { useEffect, useRef, useState } from "preact/hooks";
import { errorText } from "../api/client";
import {
  closeUpload,
  lookAtOpening,
  opening as openingAtom,
  openThere,
  type Recent,
  type Upload,
} from "../api/opening";
import { lookNow } from "../api/profiles";
import type { ProfilePlace } from "../api/types";
import { language } from "../base/language";
import { fill, words } from "../base/words";
import { closeFloat } from "../widgets/float";
import { useAtom } from "../widgets/hooks";
import { Icon } from "../widgets/icon";
import { sendAndOpen } from "./drop_layer";
import { parcelsOfChoice } from "./dropped";
import { sizeText } from "./size_text";
import { goToOpened } from "./transfer_list";

const kSample = "sample_gpt.pt.trace.json.gz";

/** What the server opens; read again when the component appears. */
export function useOpening() {
  const opening = useAtom(openingAtom);
  useEffect(() => void lookAtOpening().catch(() => undefined), []);
  return opening;
}

/** Shows what the server has opened. */
async function shown(profiles: Promise<ProfilePlace[]>): Promise<void> {
  const opened = await profiles;
  await lookNow();
  closeFloat();
  goToOpened(opened);
}

function Chooser({ label, folder, primary }: { label: string; folder: boolean; primary?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        data-choose={folder ? "folder" : "files"}
        {...(folder ? { webkitdirectory: true } : {})}
        onChange={(event) => {
          const parcels = parcelsOfChoice(event.currentTarget.files);
          closeFloat();
          void sendAndOpen(parcels);
          event.currentTarget.value = "";
        }}
      />
      <button class={primary ? "button primary" : "button"} onClick={() => input.current?.click()}>
        {label}
      </button>
    </>
  );
}

export function Choosers() {
  return (
    <div class="open-choosers">
      <Chooser label={words.opening.chooseFiles} folder={false} primary />
      <Chooser label={words.opening.chooseFolder} folder />
    </div>
  );
}

/** A path on the server, as `sightline view` takes one. */
export function PathField() {
  const say = words.opening;
  const [path, setPath] = useState("");
  const [error, setError] = useState("");
  const [waiting, setWaiting] = useState(false);
  const open = (event: Event) => {
    event.preventDefault();
    setError("");
    setWaiting(true);
    shown(openThere({ path: path.trim() }))
      .catch((failed) => setError(pathError(failed)))
      .finally(() => setWaiting(false));
  };
  return (
    <form class="open-path" onSubmit={open}>
      <label>
        <span class="muted">{say.path}</span>
        <span class="open-path-line">
          <input
            class="field code"
            type="text"
            spellcheck={false}
            aria-label={say.path}
            placeholder={say.pathHint}
            value={path}
            onInput={(event) => setPath(event.currentTarget.value)}
          />
          <button class="button" disabled={waiting || path.trim() === ""}>
            {say.open}
          </button>
        </span>
      </label>
      {error && (
        <p class="source-problem" role="alert">
          {error}
        </p>
      )}
    </form>
  );
}

function pathError(failed: Error): string {
  const where = "detail" in failed ? (failed as { detail: { where?: string } }).detail.where : "";
  return (where ? `${where.replace(/:0$/, "")}: ` : "") + errorText(failed);
}

const kAges: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

function age(then: number): string {
  const seconds = (Date.now() - then) / 1000;
  const format = new Intl.RelativeTimeFormat(language.get(), { numeric: "auto", style: "short" });
  const [unit, length] = kAges.find(([, length]) => seconds >= length) ?? ["minute", 60];
  return format.format(-Math.floor(seconds / length), unit);
}

export function RecentList({ recent, most }: { recent: Recent[]; most: number }) {
  const [error, setError] = useState("");
  return (
    <>
      <ul class="open-list">
        {recent.slice(0, most).map((each) => (
          <li key={each.key}>
            <button
              data-recent={each.run}
              data-tip={each.file}
              onClick={() =>
                void shown(openThere({ key: each.key })).catch((failed) => setError(errorText(failed)))
              }
            >
              <span class="open-name">
                {each.run} <span class="muted">› {each.worker}</span>
              </span>
              <span class="muted">{sizeText(each.bytes)}</span>
              <span class="muted open-age">{age(each.last_used)}</span>
            </button>
          </li>
        ))}
      </ul>
      {error && (
        <p class="source-problem" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

/** What was sent to the server and is kept there; closing it frees the disk. */
export function UploadList({ uploads }: { uploads: Upload[] }) {
  const close = async ({ id }: Upload) => {
    await closeUpload(id);
    await lookNow();
    await lookAtOpening();
  };
  return (
    <ul class="open-list">
      {uploads
        .filter((upload) => upload.open)
        .map((upload) => (
          <li key={upload.id}>
            <button
              data-upload={upload.name}
              onClick={() => {
                closeFloat();
                goToOpened(upload.profiles);
              }}
            >
              <span class="open-name">{upload.name}</span>
              <span class="muted">{sizeText(upload.size)}</span>
            </button>
            <button
              class="plain round"
              aria-label={fill(words.opening.closeUpload, { name: upload.name })}
              data-tip={fill(words.opening.closeUpload, { name: upload.name })}
              onClick={() => void close(upload).catch(() => undefined)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
    </ul>
  );
}

/** The sample is a file of the page, and opened like one that is dropped. */
export async function openSample(): Promise<void> {
  const answer = await fetch(kSample);
  const file = new File([await answer.blob()], kSample);
  closeFloat();
  await sendAndOpen([{ name: kSample, list: () => Promise.resolve([{ path: kSample, file }]) }]);
}
