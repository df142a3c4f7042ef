// The "?" of a panel or view: what it shows, its formula and its source, in plain text. Paragraphs that
// begin with "Formula:", "Source:" or "Differs:" (from the retired plugin) are set apart.
import { anchorOf, openFloat } from "../widgets/float";
import { words } from "../base/words";

interface Part {
  kind: "text" | "formula" | "source" | "differs";
  text: string;
}

type Label = Exclude<Part["kind"], "text">;

/** By label: as the program writes it, and in the current language. */
function labelled(): Record<string, Label> {
  const { formula, source, differs } = words;
  const english: Record<string, Label> = { Formula: "formula", Source: "source", Differs: "differs" };
  return { ...english, [formula]: "formula", [source]: "source", [differs]: "differs" };
}

export function docParts(text: string): Part[] {
  const kinds = labelled();
  const label = `(?:${Object.keys(kinds).join("|")})[:：]`;
  return text
    .split(new RegExp(`\\n+|(?<!\\w)(?=${label})`))
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const match = new RegExp(`^(${label})\\s*`).exec(part);
      if (!match) return { kind: "text", text: part };
      return { kind: kinds[match[1].slice(0, -1)], text: part.slice(match[0].length) };
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
