// The "?" of a panel or view: what it shows, its formula and its source, in plain text. Paragraphs that
// begin with "Formula:", "Source:" or "Differs:" (from the retired plugin) are set apart.
import { anchorOf, openFloat } from "../widgets/float";
import { words } from "../base/words";

interface Part {
  kind: "text" | "formula" | "source" | "differs";
  text: string;
}

export function docParts(text: string): Part[] {
  return text
    .split(/\n+|(?=\b(?:Formula|Source|Differs):)/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const match = /^(Formula|Source|Differs):\s*/.exec(part);
      if (!match) return { kind: "text", text: part };
      return { kind: match[1].toLowerCase() as Part["kind"], text: part.slice(match[0].length) };
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
            <dt>{words[part.kind]}</dt>
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
