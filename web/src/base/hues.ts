// One colour for one thing, everywhere. The nine categories have fixed hues, which colour-blind readers can
// distinguish; every other name (operator, module) gets a hue computed from its text, so it has the same hue in
// every chart. Red is not used: it means a problem.
export type Theme = "light" | "dark";

const kCategories: Record<string, [light: string, dark: string]> = {
  kernel: ["#1f6fc2", "#4a93e0"],
  memcpy: ["#e08a00", "#e59a20"],
  memset: ["#d3bb17", "#dcc83a"],
  communication: ["#c86fb8", "#d383c6"],
  runtime: ["#0a9a74", "#21ab87"],
  dataloader: ["#66bfec", "#74c6f0"],
  host: ["#8a6d3b", "#ab8b55"],
  other: ["#656d76", "#868e98"],
  idle: ["#cdd3da", "#3b424b"],
  // Two profiles side by side.
  baseline: ["#8b98a8", "#7d8a9a"],
  compared: ["#6f4bc0", "#a487ea"],
};

const kNamed = [
  "#5876c4",
  "#c59f3a",
  "#078d84",
  "#ae598a",
  "#8fb359",
  "#9f98ef",
  "#aa6a08",
  "#19b9ca",
  "#3f8e4d",
  "#cd88ce",
  "#837f00",
  "#5eabee",
  "#e0925f",
  "#41bd94",
  "#8d65b4",
  "#0a86ac",
];

export function isCategory(name: string): boolean {
  return Object.hasOwn(kCategories, name);
}

export function categoryHue(category: string, theme: Theme): string {
  const pair = kCategories[isCategory(category) ? category : "other"];
  return pair[theme === "light" ? 0 : 1];
}

/** 32-bit FNV-1a: small, and spreads near-identical kernel names over the hues. */
function hash(name: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
  return (h ^ (h >>> 15)) >>> 0;
}

/** `color` towards black (share below 0) or white (above 0). */
function toned(color: string, share: number): string {
  const end = share < 0 ? 0 : 255;
  const channel = (at: number) => {
    const value = parseInt(color.slice(at, at + 2), 16);
    return Math.round(value + (end - value) * Math.abs(share))
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

const kTones = [0, 0.3, -0.22];

/** Calls of one module class ("Block_0", "Block_1") are one thing. */
const kCounter = /_\d+$/;

/** Sixteen hues in three tones, from the name without its counter alone. */
export function nameHue(name: string): string {
  return nameHueBeside(name, new Set());
}

/** The same hue in another tone if the mark beside it already has this one; then another hue. */
function nameHueBeside(name: string, used: Set<string>): string {
  const h = hash(name.replace(kCounter, ""));
  let color = "";
  for (let i = 0; i < kTones.length * kNamed.length; i++) {
    const tone = kTones[((h >>> 8) + i) % kTones.length];
    color = toned(kNamed[(h + 5 * Math.floor(i / kTones.length)) % kNamed.length], tone);
    if (!used.has(color)) break;
  }
  used.add(color);
  return color;
}

export function nameHues(names: string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => nameHueBeside(name, used));
}

/** Which of the hues are shades of one: blue, yellow, teal, pink, green, violet. */
const kShades = "0123451243101250";

/** For the few series of one chart: a name keeps its hue unless another series already has it, or a shade of it. */
export function seriesHues(names: string[]): string[] {
  const used: number[] = [];
  return names.map((name) => {
    const first = hash(name) % kNamed.length;
    const free = kNamed.map((_, i) => (first + 5 * i) % kNamed.length).filter((slot) => !used.includes(slot));
    const isOwn = (slot: number) => used.every((other) => kShades[other] !== kShades[slot]);
    const slot = free.find(isOwn) ?? free[0] ?? first;
    used.push(slot);
    return kNamed[slot];
  });
}

/** Black or white, whichever has more contrast on `color`. */
export function inkOn(color: string): string {
  const light = (at: number) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * light(1) + 0.7152 * light(3) + 0.0722 * light(5) > 0.179 ? "#0b0d10" : "#ffffff";
}
