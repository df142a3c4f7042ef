// Where answers come from: the server, or, in a page file, the embedded answers. Both use the same addresses.
import { Archive } from "./archive";

export type Source = (address: string, init: RequestInit) => Promise<Response>;

const server: Source = (address, init) => fetch(address, init);
let current: Source = server;

export function source(): Source {
  return current;
}

/** Whether the page is a file that contains its answers. */
export function inFile(): boolean {
  return current !== server;
}

/** Call this before any request. */
export function startSource(): void {
  const embedded = document.getElementById("answers");
  if (!embedded?.textContent || embedded.textContent.startsWith("@")) return;
  const archive = Archive.open(embedded.textContent);
  embedded.remove();
  current = async (address, init) => (await archive).answer(address, init);
}
