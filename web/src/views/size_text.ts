// The size of a file at a glance: three digits, "21.9 MiB".
const kUnits = ["B", "KiB", "MiB", "GiB", "TiB"];

export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < kUnits.length - 1; unit++) value /= 1024;
  const digits = unit === 0 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${kUnits[unit]}`;
}
