// Advice, most severe first: the finding, its figures, the action, and a link to the rows that it is about.
import type { AdviceItem, PanelOf } from "../api/types";
import { go, place } from "../base/history";
import { inView } from "../base/place";
import { words } from "../base/words";

const kOrder = ["high", "medium", "low", "note"];

/** Only web addresses become links: a link in a report must not run anything. */
function isWeb(address: string): boolean {
  return /^https?:\/\//.test(address);
}

function Item({ item }: { item: AdviceItem }) {
  const { link } = item;
  return (
    <li class="advice-item">
      <span class={`severity severity-${item.severity}`}>{words.severity[item.severity]}</span>
      <div class="advice-text">
        <h3>{item.title}</h3>
        {item.evidence && <p class="muted">{item.evidence}</p>}
        {item.action && <p>{item.action}</p>}
        <p class="advice-doors">
          {link && (
            <button class="link" onClick={() => go(inView(place.get(), link.view, link.parameters ?? {}))}>
              {words.seeRows}
            </button>
          )}
          {item.doc_url && isWeb(item.doc_url) && (
            <a class="link" href={item.doc_url} target="_blank" rel="noopener noreferrer">
              {words.learnMore}
            </a>
          )}
        </p>
      </div>
    </li>
  );
}

export function Advice({ panel }: { panel: PanelOf<"advice"> }) {
  if (panel.items.length === 0) return <p class="panel-empty">{panel.empty || words.noAdvice}</p>;
  const items = [...panel.items].sort((a, b) => kOrder.indexOf(a.severity) - kOrder.indexOf(b.severity));
  return (
    <ul class="advice">
      {items.map((item) => (
        <Item key={item.id} item={item} />
      ))}
    </ul>
  );
}
