// Advice, the largest gain first: the finding, its figures, the action, what it can win at most, and a link to the
// rows or the gap that it is about.
import type { AdviceItem, PanelOf, ViewLink } from "../api/types";
import { go, place } from "../base/history";
import { cutMiddle } from "../base/names";
import { inView } from "../base/place";
import { formatAlone, formatFigure } from "../base/units";
import { words } from "../base/words";

/** Only web addresses become links: a link in a report must not run anything. */
function isWeb(address: string): boolean {
  return /^https?:\/\//.test(address);
}

function follow(link: ViewLink): void {
  go(inView(place.get(), link.view, link.parameters));
}

function Gain({ item }: { item: AdviceItem }) {
  const { gain, share } = item;
  if (typeof gain !== "number") return null;
  return (
    <div class="advice-gain" data-tip={words.gainDoc}>
      <span class="advice-win">
        {words.atMost} −{formatFigure(gain, "ns")}
      </span>
      {typeof share === "number" && (
        <span class="advice-share">
          <span class="advice-track" aria-hidden="true">
            <i style={{ width: `${Math.min(100, share * 100)}%` }} />
          </span>
          <span class="muted">{formatAlone(share, "share").replace(/^(?!<)/, "−")}</span>
        </span>
      )}
    </div>
  );
}

function Item({ item }: { item: AdviceItem }) {
  const links = [...(item.link ? [item.link] : []), ...(item.more_links ?? [])];
  return (
    <li class="advice-item" data-advice={item.id}>
      <span class={`severity severity-${item.severity}`}>{words.severity[item.severity]}</span>
      <div class="advice-text">
        <h3>{item.title}</h3>
        {item.evidence && <p class="muted">{item.evidence}</p>}
        {item.action && <p>{item.action}</p>}
        <p class="advice-doors">
          {links.map((link) => (
            <button
              key={JSON.stringify(link)}
              class="link"
              data-view={link.view}
              onClick={() => follow(link)}
            >
              {link.title || words.seeRows}
            </button>
          ))}
          {item.change && (
            <button
              class="link"
              data-tip={`${words.tryChangeDoc}: ${cutMiddle(item.change, 120)}`}
              onClick={() =>
                follow({ view: "what_if", title: words.tryChange, parameters: { change: item.change ?? "" } })
              }
            >
              {words.tryChange}
            </button>
          )}
          {item.doc_url && isWeb(item.doc_url) && (
            <a class="link" href={item.doc_url} target="_blank" rel="noopener noreferrer">
              {words.learnMore}
            </a>
          )}
        </p>
      </div>
      <Gain item={item} />
    </li>
  );
}

export function Advice({ panel }: { panel: PanelOf<"advice"> }) {
  if (panel.items.length === 0) return <p class="panel-empty">{panel.empty || words.noAdvice}</p>;
  return (
    <ul class="advice">
      {panel.items.map((item) => (
        <Item key={item.id} item={item} />
      ))}
    </ul>
  );
}
