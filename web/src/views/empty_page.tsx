// The page without a profile: where to drop files, recent profiles, and what to do without a trace.
import { capture } from "../api/capture";
import type { ServerState } from "../api/types";
import { fill, words } from "../base/words";
import { copyText } from "../widgets/copy";
import { useAtom } from "../widgets/hooks";
import { Icon } from "../widgets/icon";
import { Choosers, openSample, PathField, RecentList, useOpening } from "./open_parts";

const kMostRecent = 10;
const kCommands = ["view", "capture", "tunnel"] as const;

function Command({ title, text }: { title: string; text: string }) {
  return (
    <li>
      <span class="muted">{title}</span>
      <code>{text}</code>
      <button
        class="plain text"
        aria-label={fill(words.opening.copyCommand, { command: text })}
        onClick={() => void copyText(text)}
      >
        {words.opening.copy}
      </button>
    </li>
  );
}

export function EmptyPage({ state }: { state: ServerState }) {
  const say = words.opening;
  const opening = useOpening();
  const canRecord = useAtom(capture)?.folder;
  const watching = (state.watching ?? []).join(", ");
  return (
    <div class="empty-page" data-state="empty">
      <h1>{say.emptyTitle}</h1>
      {opening && (
        <div class="empty-drop">
          <Icon name="open" />
          <p class="empty-drop-text">{opening.files ? say.dropHere : say.notHere}</p>
          {opening.files && <p class="muted">{say.dropWhat}</p>}
          {opening.files && <Choosers />}
          {opening.paths && <PathField />}
        </div>
      )}
      {watching && <p class="muted">{fill(words.noProfilesWatched, { paths: watching })}</p>}
      <div class="empty-columns">
        {opening && opening.recent.length > 0 && (
          <section>
            <h2>{say.recent}</h2>
            <RecentList recent={opening.recent} most={kMostRecent} />
          </section>
        )}
        <section>
          <h2>{say.noTrace}</h2>
          <div class="open-choosers">
            {opening?.files && (
              <button class="button" onClick={() => void openSample()}>
                {say.sample}
              </button>
            )}
            {canRecord && (
              <button
                class="button"
                onClick={() => void import("./capture_dialog").then((dialog) => dialog.openCapture())}
              >
                {words.capture.button}
              </button>
            )}
          </div>
          <ul class="empty-commands">
            {kCommands.map((key) => (
              <Command key={key} {...say.commands[key]} />
            ))}
          </ul>
        </section>
      </div>
    </div>
  );
}
