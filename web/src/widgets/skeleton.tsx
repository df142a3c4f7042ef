// What is shown where a part of the page is being computed or loaded.
import { words } from "../base/words";

export function Skeleton() {
  return <div class="skeleton" role="status" aria-label={words.loadingReport} />;
}
