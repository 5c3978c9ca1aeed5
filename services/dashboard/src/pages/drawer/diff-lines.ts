// The whole package would add 2.7 KB gzip, because bundlers keep the objects that its other files create.
import { diffArrays } from 'diff/lib/diff/array.js';

/** A line of a comparison: in both, only before, or only now. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Product of both line counts. More lines would make the page slow, however few of them differ. */
const MOST_PAIRS = 4_000_000;
/** Lines that differ. The time to compare grows with their square: these take 0.2 s. */
const MOST_CHANGES = 2000;

/** Compares texts line by line, with as few changed lines as possible; null where they exceed the limits. */
export function diffLines(before: string, now: string): DiffLine[] | null {
  const [old, fresh] = [before.split('\n'), now.split('\n')];
  if (old.length * fresh.length > MOST_PAIRS) return null;
  const changes = diffArrays(old, fresh, { maxEditLength: MOST_CHANGES });
  if (changes === undefined) return null;
  return changes.flatMap(({ added, removed, value }) => {
    const kind = added ? 'new' : removed ? 'gone' : 'same';
    return value.map((text) => ({ kind, text }) as const);
  });
}
