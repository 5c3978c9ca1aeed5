/** A line of a comparison: in both, only before, or only now. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** The table below has a cell for each pair of lines: so many take a moment, more would take too long. */
const MOST_CELLS = 4_000_000;

/** Compares texts line by line by their longest common subsequence; null where they are too long for it. */
export function diffLines(before: string, now: string): DiffLine[] | null {
  const [old, fresh] = [before.split('\n'), now.split('\n')];
  if (old.length * fresh.length > MOST_CELLS) return null;
  const common = commonLengths(old, fresh);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      lines.push({ kind: 'same', text: old[i] as string });
      i += 1;
      j += 1;
    } else if (j >= fresh.length || (i < old.length && at(common, i + 1, j) >= at(common, i, j + 1))) {
      lines.push({ kind: 'gone', text: old[i] as string });
      i += 1;
    } else {
      lines.push({ kind: 'new', text: fresh[j] as string });
      j += 1;
    }
  }
  return lines;
}

/** How many lines the two have in common from the i-th and the j-th on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: old.length + 1 }, () => new Uint32Array(fresh.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    const row = table[i] as Uint32Array;
    for (let j = fresh.length - 1; j >= 0; j--) {
      row[j] =
        old[i] === fresh[j]
          ? at(table, i + 1, j + 1) + 1
          : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  }
  return table;
}

function at(table: readonly Uint32Array[], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}
