// The "?" of a panel or view: what it shows, its formula and its source, in plain text. Paragraphs that
// begin with "Formula:" or "Source:" are set apart.
import { anchorOf, openFloat } from "../widgets/float";
import { words } from "../base/words";

interface Part {
  kind: "text" | "formula" | "source";
  text: string;
}

export function docParts(text: string): Part[] {
  return text
    .split(/\n+|(?=\b(?:Formula|Source):)/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const match = /^(Formula|Source):\s*/.exec(part);
      if (!match) return { kind: "text", text: part };
      return { kind: match[1] === "Formula" ? "formula" : "source", text: part.slice(match[0].length) };
    });
}

export function DocText({ title, text }: { title: string; text: string }) {
  return (
    <div class="doc">
      <h3>{title}</h3>
      {docParts(text).map((part, i) =>
        part.kind === "text" ? (
          <p key={i}>{part.text}</p>
        ) : (
          <dl key={i}>
            <dt>{part.kind === "formula" ? words.formula : words.source}</dt>
            <dd class={part.kind === "formula" ? "code" : undefined}>{part.text}</dd>
          </dl>
        ),
      )}
    </div>
  );
}

export function DocButton({ title, text }: { title: string; text: string }) {
  return (
    <button
      class="plain round"
      aria-label={`${words.panelDoc}: ${title}`}
      aria-haspopup="dialog"
      onClick={(event) =>
        openFloat({
          anchor: anchorOf(event.currentTarget),
          title,
          align: "left",
          content: () => <DocText title={title} text={text} />,
        })
      }
    >
      ?
    </button>
  );
}
