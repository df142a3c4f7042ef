// Facts: a compact list of label and value, in as many columns as fit. Unknown is a dash with a reason; several of them fold into one line.
import { useState } from "preact/hooks";
import type { Fact } from "../api/types";
import { exactText, formatFigure, kUnknown } from "../base/units";
import { fill, words } from "../base/words";
import { kLeastFolded } from "../widgets/table/fold";
import { isUnknownFact } from "./empty_panels";

export function factText(fact: Fact): { text: string; tip: string | undefined } {
  if (fact.text !== undefined && fact.text !== null) return { text: fact.text, tip: undefined };
  if (typeof fact.value !== "number") return { text: kUnknown, tip: fact.unknown || words.unknown };
  const unit = fact.unit ?? "none";
  const text = formatFigure(fact.value, unit);
  const exact = exactText(fact.value, unit);
  return { text, tip: exact === text ? undefined : exact };
}

const kLong = 40; // characters, of which a column has room for about half; a Chinese one is as wide as two

const isLong = (text: string) => text.length + (text.match(/[\u2e80-\uffff]/g)?.length ?? 0) > kLong;

export function Facts({ facts }: { facts: Fact[] }) {
  const [unfolded, setUnfolded] = useState(false);
  const unknown = facts.filter(isUnknownFact);
  const folds = !unfolded && unknown.length >= kLeastFolded && unknown.length < facts.length;
  return (
    <>
      <FactList facts={folds ? facts.filter((fact) => !isUnknownFact(fact)) : facts} />
      {folds && (
        <p class="folded">
          {fill(words.foldedFacts, {
            n: String(unknown.length),
            names: unknown.map(({ label }) => label).join(", "),
          })}
          <button class="plain text" onClick={() => setUnfolded(true)}>
            {words.showFolded}
          </button>
        </p>
      )}
    </>
  );
}

function FactList({ facts }: { facts: Fact[] }) {
  return (
    <dl class="facts">
      {facts.map((fact, i) => {
        const { text, tip } = factText(fact);
        return (
          <div class={isLong(text) ? "fact long" : "fact"} key={i}>
            <dt data-tip={fact.doc} class={fact.doc ? "explained" : undefined}>
              {fact.label}
            </dt>
            <dd data-tip={tip} class={text === kUnknown ? "muted" : undefined}>
              {text}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
