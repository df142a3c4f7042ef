// The colour of a mark. By category, device work and slices with a fixed category get that category's hue, and
// all others (operators, modules, annotations) get the stable hue of their name, as in the tables and charts.
// Other colourings use a mark's name, its module, program operator or layer, or its lane.
import type { Marks, Tile } from "../api/tiles";
import { categoryHue, inkOn, isCategory, nameHue, type Theme } from "../base/hues";
import { kGrouped, type ColourBy } from "./state";

const kCategoryOf: Record<string, string> = {
  kernel: "kernel",
  memcpy: "memcpy",
  memset: "memset",
  collective: "communication",
  host_communication: "communication",
  runtime: "runtime",
  data_loading: "dataloader",
  overhead: "other",
  sync: "idle",
  span: "idle",
  measurement: "idle",
  step: "idle",
  other: "other",
};
const kMostKept = 20_000;

/** The category of a kind of slice; empty if it is coloured by name. */
export function categoryOfKind(kind: string): string {
  return kCategoryOf[kind] ?? "";
}

/** Devices repeat the host's steps ("ProfilerStep#3"): they look like those, not each in another hue. */
function isStepOnDevice(kind: string, name: string): boolean {
  return kind === "device_annotation" && /step\W*\d+$/i.test(name);
}

/** What the legend distinguishes: the category, or the kind where there is none. */
export function classOfKind(kind: string): string {
  if (kind === "step" || kind === "span") return "step";
  if (kind === "device_annotation") return "annotation";
  return categoryOfKind(kind) || kind;
}

/** A name in the address, whatever letters it has. */
export function keyOfName(name: string): string {
  let hash = 2_166_136_261;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16_777_619);
  return `n${(hash >>> 0).toString(36)}`;
}

/** The texts that distinguish the marks of a tile in a colouring by names, and the index of each mark's text;
 * null: kinds distinguish them. */
export function namesOf(
  tile: Tile,
  by: ColourBy,
): { texts: string[]; of: (marks: Marks) => Uint32Array | Uint8Array | null } | null {
  if (tile.hues) return { texts: tile.kinds, of: (marks) => marks.kind };
  if (by === "name") return { texts: tile.names, of: (marks) => marks.name };
  if (kGrouped.includes(by)) return { texts: tile.groups, of: (marks) => marks.group };
  return null;
}

/** The hue of a class of derived lanes. */
export function classHue(hue: string, theme: Theme): string {
  return isCategory(hue) ? categoryHue(hue, theme) : nameHue(hue);
}

/** Returns the hue of a mark, and the ink that is legible on it; caches both. */
export class Colors {
  private hues = new Map<string, string>();
  private inks = new Map<string, string>();
  private ofTile = new WeakMap<Tile, Map<number, string>>();

  constructor(
    readonly theme: Theme,
    readonly by: ColourBy = "category",
    private titles: ReadonlyMap<number, string> = new Map(),
  ) {}

  /** Caches the hues of one tile's marks, by their numbers. */
  tableOf(tile: Tile): Map<number, string> {
    let table = this.ofTile.get(tile);
    if (!table) this.ofTile.set(tile, (table = new Map()));
    return table;
  }

  /** The hue of mark `i`: one look-up by number for all marks of the tile with its name and kind. */
  hueOf(table: Map<number, string>, tile: Tile, marks: Marks, i: number): string {
    const group = kGrouped.includes(this.by) && marks.group ? marks.group[i] : 0;
    const key = (group * 16_777_216 + marks.name[i]) * 256 + marks.kind[i];
    let hue = table.get(key);
    if (hue === undefined) {
      const kind = tile.kinds[marks.kind[i]] ?? "other";
      if (tile.hues) hue = classHue(tile.hues[marks.kind[i]] ?? "other", this.theme);
      else hue = this.hue(kind, tile.names[marks.name[i]] ?? "", tile.lane, tile.groups[group] ?? "");
      table.set(key, hue);
    }
    return hue;
  }

  hue(kind: string, name: string, lane: number, group: string): string {
    const category = isStepOnDevice(kind, name) ? kCategoryOf.step : categoryOfKind(kind);
    if (this.by === "stream") return this.named(this.titles.get(lane) ?? String(lane));
    if (this.by === "name") return this.named(name);
    if (kGrouped.includes(this.by)) return group === "" ? categoryHue("idle", this.theme) : this.named(group);
    return category ? categoryHue(category, this.theme) : this.named(name);
  }

  private named(name: string): string {
    let hue = this.hues.get(name);
    if (hue === undefined) {
      if (this.hues.size > kMostKept) this.hues.clear();
      this.hues.set(name, (hue = nameHue(name)));
    }
    return hue;
  }

  ink(hue: string): string {
    let ink = this.inks.get(hue);
    if (ink === undefined) this.inks.set(hue, (ink = inkOn(hue)));
    return ink;
  }
}
