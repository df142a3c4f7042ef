// The files that are on their way to the server: how far, how fast, and what became of them.
import { cancel, dismiss, send, transfers, type Parcel, type Transfer } from "../api/transfers";
import type { ProfilePlace } from "../api/types";
import { translate } from "../base/translate";
import { fill, grouped, words } from "../base/words";
import { useAtom } from "../widgets/hooks";
import { Icon } from "../widgets/icon";
import { goToProfile } from "./navigate";
import { sizeText } from "./size_text";

export function goToOpened([first]: ProfilePlace[]): void {
  if (first) goToProfile(first.run, first.worker, first.span);
}

/** The first profile that is opened is shown; a single parcel then needs no row in the list. */
export function sendParcels(parcels: Parcel[]): void {
  let shown = false;
  send(parcels, (profiles) => {
    if (!shown) goToOpened(profiles);
    shown = true;
    const all = transfers.get();
    if (all.length === 1 && all[0].state === "open" && all[0].leftOut.length === 0) dismiss(all[0].id);
  });
}

function amount({ files, sent, size, speed, state }: Transfer): string {
  const say = words.opening;
  const parts = [];
  if (files > 1) parts.push(fill(say.files, { n: grouped(files) }));
  if (state === "sending" || state === "opening") parts.push(`${sizeText(sent)} / ${sizeText(size)}`);
  else if (size > 0) parts.push(sizeText(size));
  if (state === "sending" && speed > 0)
    parts.push(fill(words.megabytesPerSecond, { n: (speed / 1e6).toFixed(speed < 1e7 ? 1 : 0) }));
  return parts.join(" · ");
}

function Row({ transfer }: { transfer: Transfer }) {
  const say = words.opening;
  const { id, name, state, sent, size, error, profiles, leftOut } = transfer;
  const ended = state === "open" || state === "failed";
  const share = state === "open" ? 1 : size > 0 ? sent / size : 0;
  const end = ended ? say.dismiss : say.cancel;
  return (
    <li class={`transfer transfer-${state}`} data-transfer={name} data-state={state}>
      <div class="transfer-line">
        <span class="transfer-name code" data-tip={name}>
          {name}
        </span>
        <span class="muted">{say.states[state]}</span>
        {state === "open" && (
          <button class="link" onClick={() => goToOpened(profiles)}>
            {say.show}
          </button>
        )}
        <button
          class="plain round"
          aria-label={`${end}: ${name}`}
          data-tip={end}
          onClick={() => (ended ? dismiss(id) : cancel(id))}
        >
          <Icon name="close" />
        </button>
      </div>
      {!ended && (
        <div
          class="progress"
          role="progressbar"
          aria-label={name}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(share * 100)}
        >
          <i style={{ width: `${(share * 100).toFixed(1)}%` }} />
        </div>
      )}
      {state !== "failed" && <p class="muted">{amount(transfer)}</p>}
      {error && (
        <p class="source-problem" role="alert">
          {translate(error.startsWith(`${name}: `) ? error.slice(name.length + 2) : error)}
        </p>
      )}
      {leftOut.map((text) => (
        <p class="muted" key={text}>
          {fill(say.leftOut, { what: translate(text) })}
        </p>
      ))}
    </li>
  );
}

export function TransferList() {
  const all = useAtom(transfers);
  if (all.length === 0) return null;
  const ended = all.every(({ state }) => state === "open" || state === "failed");
  return (
    <section class="transfers" aria-label={words.opening.transfers}>
      <header>
        <h2>{words.opening.transfers}</h2>
        {ended && (
          <button class="plain text" onClick={() => transfers.set([])}>
            {words.done}
          </button>
        )}
      </header>
      <ul>
        {[...all].reverse().map((transfer) => (
          <Row key={transfer.id} transfer={transfer} />
        ))}
      </ul>
    </section>
  );
}
