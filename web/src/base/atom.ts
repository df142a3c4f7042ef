// One value that can be watched: the page's only state mechanism. A watcher is called after the value
// changed; setting an identical value calls no watcher. Widgets subscribe through widgets/hooks.ts.
export class Atom<T> {
  private watchers = new Set<(value: T) => void>();

  constructor(private value: T) {}

  get(): T {
    return this.value;
  }

  set(value: T): void {
    if (Object.is(value, this.value)) return;
    this.value = value;
    for (const watcher of [...this.watchers]) watcher(value);
  }

  update(change: (value: T) => T): void {
    this.set(change(this.value));
  }

  /** Calls `watcher` after every change; returns a function that stops this. */
  watch(watcher: (value: T) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }
}
