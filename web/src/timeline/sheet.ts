// Pixels written one by one and drawn in one step, instead of thousands of rectangles.
/** Pixels to write one by one and draw in one step; shared, and as large as was ever needed. */
export interface Sheet {
  context: CanvasRenderingContext2D;
  image: ImageData;
  pixels: Uint32Array;
}

const sheets = new Map<boolean, Sheet>();

export function sheetOf(width: number, height: number): Sheet | null {
  // A separate line: taking a picture of the large one for every row would take longer than the row.
  const line = height === 1;
  const before = sheets.get(line);
  if (before && before.image.width >= width && before.image.height >= height) return before;
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(Math.max(1, width) / 512) * 512;
  canvas.height = line ? 1 : Math.ceil(height / 32) * 32;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return null;
  const image = context.createImageData(canvas.width, canvas.height);
  const sheet = { context, image, pixels: new Uint32Array(image.data.buffer) };
  sheets.set(line, sheet);
  return sheet;
}

const colours = new Map<string, number>();

/** "#rrggbb" with a shade, as a pixel in memory order. */
export function rgba(color: string, alpha: number): number {
  let bgr = colours.get(color);
  if (bgr === undefined) {
    const part = (at: number) => parseInt(color.slice(at, at + 2), 16);
    bgr = part(1) | (part(3) << 8) | (part(5) << 16);
    colours.set(color, bgr);
  }
  return (bgr | (Math.round(alpha * 255) << 24)) >>> 0;
}
