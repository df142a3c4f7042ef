// The words of a SQL text, for its colours and for completion. No parser: a text that is being typed is rarely a whole statement.
export type TokenKind = "keyword" | "function" | "name" | "text" | "number" | "comment" | "mark" | "blank";

export interface Token {
  kind: TokenKind;
  text: string;
  from: number;
  to: number;
}

/** Keywords of a SELECT. */
export const kKeywords = (
  "ALL AND AS ASC BETWEEN BY CASE CAST CROSS DESC DISTINCT ELSE END EXCEPT EXISTS FALSE FILTER FROM FULL GROUP HAVING " +
  "ILIKE IN INNER INTERSECT IS JOIN LATERAL LEFT LIKE LIMIT NOT NULL OFFSET ON OR ORDER OUTER OVER PARTITION QUALIFY RIGHT " +
  "SELECT THEN TRUE UNION USING VALUES WHEN WHERE WINDOW WITH"
).split(" ");

const known = new Set(kKeywords);

const kWords =
  /(?<comment>--[^\n]*|\/\*[^]*?(?:\*\/|$))|(?<text>'(?:[^']|'')*'?)|(?<quoted>"(?:[^"]|"")*"?)|(?<word>[$\p{L}_][\p{L}\d_]*)|(?<number>\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<blank>\s+)|(?<mark>[^])/uy;

export const isKeyword = (word: string) => known.has(word.toUpperCase());

function kindOf(groups: Record<string, string | undefined>, sql: string, to: number): TokenKind {
  if (groups.comment !== undefined) return "comment";
  if (groups.text !== undefined) return "text";
  if (groups.quoted !== undefined) return "name";
  if (groups.number !== undefined) return "number";
  if (groups.blank !== undefined) return "blank";
  if (groups.word === undefined) return "mark";
  if (isKeyword(groups.word)) return "keyword";
  return /^\s*\(/.test(sql.slice(to, to + 8)) ? "function" : "name";
}

/** The whole text, piece by piece. */
export function sqlTokens(sql: string): Token[] {
  const tokens: Token[] = [];
  kWords.lastIndex = 0;
  for (let match = kWords.exec(sql); match !== null; match = kWords.exec(sql)) {
    const from = match.index;
    const to = from + match[0].length;
    tokens.push({ kind: kindOf(match.groups ?? {}, sql, to), text: match[0], from, to });
    if (to === sql.length) break;
  }
  return tokens;
}
