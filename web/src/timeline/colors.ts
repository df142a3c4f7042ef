// The colour of a mark: device work and what has a fixed category takes that category's hue, everything
// else (operators, modules, annotations) the stable hue of its name, as in the tables and charts.
import { categoryHue, inkOn, nameHue, type Theme } from "../base/hues";

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
  step: "idle",
  other: "other",
};
const kMostKept = 20_000;

/** The category word of a kind of slice; empty when it is coloured by name. */
export function categoryOfKind(kind: string): string {
  return kCategoryOf[kind] ?? "";
}

/** Answers the hue of (kind, name) and the ink that is legible on it; remembers both. */
export class Colors {
  private hues = new Map<string, string>();
  private inks = new Map<string, string>();

  constructor(private theme: Theme) {}

  hue(kind: string, name: string): string {
    const category = categoryOfKind(kind);
    const key = category || name;
    let hue = this.hues.get(key);
    if (hue === undefined) {
      if (this.hues.size > kMostKept) this.hues.clear();
      hue = category ? categoryHue(category, this.theme) : nameHue(name);
      this.hues.set(key, hue);
    }
    return hue;
  }

  ink(hue: string): string {
    let ink = this.inks.get(hue);
    if (ink === undefined) this.inks.set(hue, (ink = inkOn(hue)));
    return ink;
  }
}
