// A name that may be a frame of a call stack: if the settings say how to open its file, it is a link.
import { settings as settingsAtom } from "../base/settings";
import { parseFrame, sourceLink, type Frame } from "../base/source_links";
import { useAtom } from "./hooks";

interface Props {
  /** The whole name. */
  frame: string;
  /** The drawn text. */
  shown: string;
}

function Link({ place, shown }: { place: Frame; shown: string }) {
  const link = sourceLink(place, useAtom(settingsAtom));
  if (!link) return <>{shown}</>;
  const web = /^https?:/i.test(link);
  return (
    <a class="source" href={link} {...(web ? { target: "_blank", rel: "noopener noreferrer" } : {})}>
      {shown}
    </a>
  );
}

export function SourceText({ frame, shown }: Props) {
  const place = parseFrame(frame);
  return place ? <Link place={place} shown={shown} /> : <>{shown}</>;
}

/** Whether a text is a recorded call stack. */
export function isStack(text: string): boolean {
  const frames = text.split(";");
  return frames.length > 1 && frames.some(parseFrame);
}

/** A recorded call stack, one line per frame; other texts as they are. */
export function StackText({ text }: { text: string }) {
  if (!isStack(text)) return <SourceText frame={text} shown={text} />;
  const frames = text.split(";");
  return (
    <ol class="stack">
      {frames.map((frame, i) => (
        <li key={i}>
          <SourceText frame={frame} shown={frame} />
        </li>
      ))}
    </ol>
  );
}
