const KIB = 1024;

/** Formats a size in bytes: 940 B, 1.2 KiB, 64 KiB. */
export function size(bytes: number | null): string {
  if (bytes === null) return '–';
  if (bytes < KIB) return `${bytes} B`;
  const kib = bytes / KIB;
  return `${kib < 10 ? kib.toFixed(1) : Math.round(kib)} KiB`;
}
