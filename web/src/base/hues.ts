// One colour for one thing, everywhere. The nine categories have fixed hues, chosen so that any two
// stay apart for the colour-blind; every other name (operator, module) takes a hue from its own text,
// so that it keeps it in every chart. Red is absent: it means a problem.
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

export function nameHue(name: string): string {
  return kNamed[hash(name) % kNamed.length];
}

/** Hues for names drawn side by side: each keeps its own unless a larger one already has it. */
export function distinctHues(names: string[]): string[] {
  const used = new Set<number>();
  return names.map((name) => {
    let slot = hash(name) % kNamed.length;
    for (let i = 0; used.has(slot) && i < kNamed.length; i++) slot = (slot + 5) % kNamed.length;
    used.add(slot);
    return kNamed[slot];
  });
}
