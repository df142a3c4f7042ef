// What a page file knows about single slices: those that its finest level of tiles shows separately. It has
// their positions and names; only the program knows their details and related slices.
import { words } from "../base/words";
import { readColumns } from "./columns";
import type { TileHeader } from "../base/wire";
import type { SearchAnswer, SliceKind } from "../base/wire";
import type { Hit, SliceDetail } from "./timeline";

export class SlicesInFile {
  private header: TileHeader;
  private start: Float64Array;
  private end: Float64Array;
  private count: Uint32Array;
  private slice: Uint32Array;
  private name: Uint32Array;
  private kind: Uint8Array;

  /** `level` is an answer of /api/tiles. */
  constructor(level: ArrayBuffer) {
    const { header, column } = readColumns<TileHeader>(level);
    const { marks } = header;
    this.header = header;
    this.start = column("start", "f64", marks);
    this.end = column("end", "f64", marks);
    this.count = column("count", "u32", marks);
    this.slice = column("slice", "u32", marks);
    this.name = column("name", "u32", marks);
    this.kind = column("kind", "u8", marks);
  }

  /** Calls `visit` for each slice that is a separate mark; returns how many are not. */
  private each(visit: (mark: number, lane: number, row: number) => void): number {
    let others = 0;
    for (const { lane, row, first, count } of this.header.rows) {
      for (let mark = first; mark < first + count; mark++) {
        if (this.count[mark] === 1) visit(mark, lane, row);
        else others += this.count[mark];
      }
    }
    return others;
  }

  private at(mark: number, lane: number, row: number): Hit {
    const start = this.start[mark];
    const name = this.header.names[this.name[mark]];
    return { slice: this.slice[mark], lane, row, start, duration: this.end[mark] - start, name };
  }

  /** As /api/search answers; `partial` slices are in the file only together with others. */
  search(text: string, limit: number, offset: number, from: number): SearchAnswer & { partial: number } {
    const wanted = text.toLowerCase();
    const matches = this.header.names.map((name) => wanted !== "" && name.toLowerCase().includes(wanted));
    const hits: Hit[] = [];
    const partial = this.each((mark, lane, row) => {
      if (matches[this.name[mark]]) hits.push(this.at(mark, lane, row));
    });
    hits.sort((a, b) => a.start - b.start || a.slice - b.slice);
    const first = Math.max(offset, hits.filter(({ start }) => start < from).length);
    return { count: hits.length, first, hits: hits.slice(first, first + limit), partial };
  }

  /** As /api/slice answers, as far as the file knows; undefined if the file does not have the slice as a
   * separate mark. */
  find(slice: number): SliceDetail | undefined {
    let found: SliceDetail | undefined;
    this.each((mark, lane, row) => {
      if (found || this.slice[mark] !== slice) return;
      const kind = this.header.kinds[this.kind[mark]] as SliceKind;
      const nothing = { facts: [], related: [], links: [], event: null };
      found = { ...this.at(mark, lane, row), kind, ...nothing, note: words.sliceInFile };
    });
    return found;
  }
}
