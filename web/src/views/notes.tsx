// Notes that the user must know before using the figures: a partial answer, a choice that was made.
import type { Note } from "../api/types";
import { words } from "../base/words";

export function Notes({ notes }: { notes: Note[] }) {
  if (notes.length === 0) return null;
  return (
    <ul class="notes">
      {notes.map((note, i) => (
        <li key={i} class={`note note-${note.level}`}>
          <span
            class="note-mark"
            role="img"
            aria-label={note.level === "warning" ? words.warning : words.note}
          >
            {note.level === "warning" ? "!" : "i"}
          </span>
          {note.text}
        </li>
      ))}
    </ul>
  );
}
