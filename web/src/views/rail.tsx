// The list of views at the left, grouped by the question they answer. A view that the profile cannot have is
// grey and gives the reason; it is never left out.
import { useLayoutEffect, useRef } from "preact/hooks";
import { findSpan, server } from "../api/profiles";
import type { ServerState, SpanState, ViewEntry } from "../api/types";
import { linkTo, place as placeAtom } from "../base/history";
import { changeSettings, isRailFolded, settings as settingsAtom } from "../base/settings";
import { words } from "../base/words";
import { useAtom } from "../widgets/hooks";
import { Icon } from "../widgets/icon";
import { goToView, viewPlace } from "./navigate";
import { viewKeys } from "./view_keys";

function byGroup(views: ViewEntry[]): [string, ViewEntry[]][] {
  const groups = new Map<string, ViewEntry[]>();
  for (const view of views) {
    const list = groups.get(view.group);
    if (list) list.push(view);
    else groups.set(view.group, [view]);
  }
  return [...groups];
}

/** Why the entry leads nowhere; null if it does not. */
function shutReason(
  state: ServerState | null,
  span: SpanState | undefined,
  view: ViewEntry,
): string | null | undefined {
  if (span?.status === "ready") return span.views?.[view.id];
  if (view.id === "losses") return null; // it is about files that the user chooses
  if (span?.status === "failed") return words.opening.notRead;
  return state?.runs.length === 0 && !state.loading ? words.opening.needsProfile : null;
}

export function Rail() {
  const state = useAtom(server);
  const place = useAtom(placeAtom);
  useAtom(settingsAtom);
  const { span } = findSpan(state, place);
  const keys = viewKeys(state?.views ?? []);
  const folded = isRailFolded();
  const list = useRef<HTMLDivElement>(null);
  const areListed = state !== null;
  useLayoutEffect(() => {
    list.current?.querySelector(".current")?.scrollIntoView({ block: "nearest" });
  }, [place.view, areListed, folded]);
  return (
    <nav class="rail" aria-label={words.views}>
      <div class="rail-views" ref={list}>
        {byGroup(state?.views ?? []).map(([group, views]) => (
          <div class="rail-group" role="group" aria-label={group} key={group}>
            <div class="rail-group-title">{group}</div>
            {views.map((view) => {
              const reason = shutReason(state, span, view);
              const shut = typeof reason === "string";
              const current = view.id === place.view;
              const key = keys.get(view.id);
              const tip = [
                folded || shut ? view.title : "",
                shut ? reason : "",
                key && !shut ? `g ${key}` : "",
              ];
              return (
                <a
                  key={view.id}
                  class={"rail-view" + (current ? " current" : "") + (shut ? " shut" : "")}
                  href={linkTo(viewPlace(view.id))}
                  aria-current={current ? "page" : undefined}
                  aria-disabled={shut}
                  aria-label={shut ? `${view.title}: ${reason}` : view.title}
                  data-view-link={view.id}
                  data-tip={tip.filter(Boolean).join("\n")}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
                    event.preventDefault();
                    goToView(view.id);
                  }}
                >
                  <Icon name={view.id} letter={view.title} />
                  <span class="rail-title">{view.title}</span>
                </a>
              );
            })}
          </div>
        ))}
      </div>
      <button
        class="rail-fold"
        aria-label={folded ? words.unfoldRail : words.foldRail}
        data-tip={folded ? words.unfoldRail : words.foldRail}
        onClick={() => changeSettings({ railFolded: !folded })}
      >
        <Icon name="fold" />
      </button>
    </nav>
  );
}
