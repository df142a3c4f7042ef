// A chip for a filter: a press on its text changes the filter, a press on its cross removes it.
import { words } from "../base/words";
import { Icon } from "./icon";

interface ChipProps {
  text: string;
  tip?: string;
  onRemove: () => void;
  onOpen?: (event: MouseEvent) => void;
}

export function Chip({ text, tip, onRemove, onOpen }: ChipProps) {
  return (
    <span class="chip">
      {onOpen ? (
        <button class="chip-text" data-tip={tip} onClick={onOpen}>
          {text}
        </button>
      ) : (
        <span class="chip-text" data-tip={tip}>
          {text}
        </span>
      )}
      <button class="chip-remove" aria-label={`${words.remove}: ${text}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </span>
  );
}
