// The last queries, in the browser's storage, like settings.
const kKey = "sightline.queries";
const kMost = 20;

export function recentQueries(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(kKey) ?? "[]");
    return Array.isArray(kept) ? kept.filter((sql) => typeof sql === "string") : [];
  } catch {
    return [];
  }
}

export function rememberQuery(sql: string): void {
  const kept = [sql, ...recentQueries().filter((other) => other !== sql)].slice(0, kMost);
  try {
    localStorage.setItem(kKey, JSON.stringify(kept));
  } catch {
    // Storage refused: the last queries are lost when the page closes.
  }
}
