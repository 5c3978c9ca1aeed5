import { AIMS, KINDS, median, total } from './figures.mjs';

/**
 * The misses that the tree may have: of each kind for each folder, and the median sentence of all pages in words.
 * @typedef {{ sentence: number, folders: Record<string, Record<string, number>> }} Baseline
 */

/** @returns {Baseline} as the folders are now; counts of 0 are left out */
export function baselineOf(folders) {
  const entries = [...folders].map(([name, figures]) => [name, nonZero(countsOf(figures))]);
  return {
    sentence: median(total(folders).sentences) ?? 0,
    folders: Object.fromEntries(entries.filter(([, counts]) => Object.keys(counts).length > 0)),
  };
}

/**
 * The folders with more misses than allowed. A folder that the baseline does not name may have no miss.
 * @param {Baseline} baseline
 * @returns {{ folder: string, kind: string, now: number, allowed: number }[]}
 */
export function worse(folders, baseline) {
  return [...folders].flatMap(([folder, figures]) =>
    Object.entries(countsOf(figures))
      .map(([kind, now]) => ({ folder, kind, now, allowed: baseline.folders[folder]?.[kind] ?? 0 }))
      .filter(({ now, allowed }) => now > allowed),
  );
}

/** Whether the pages read more slowly than they may; a median within the aim is always allowed. */
export function slowerPages(folders, baseline) {
  const now = median(total(folders).sentences) ?? 0;
  const allowed = Math.max(AIMS.sentence, baseline.sentence);
  return now > allowed ? { now, allowed } : undefined;
}

/**
 * The kinds of which the whole tree has more than the baseline allows. Files that move between folders change no sum.
 * @returns {{ kind: string, now: number, allowed: number }[]}
 */
export function moreInTotal(folders, baseline) {
  return Object.entries(countsOf(total(folders)))
    .map(([kind, now]) => ({ kind, now, allowed: allowedInTotal(baseline, kind) }))
    .filter(({ now, allowed }) => now > allowed);
}

/** How many misses fewer than allowed the tree has, over all folders. */
export function fewerInTotal(folders, baseline) {
  const differences = Object.entries(countsOf(total(folders))).map(
    ([kind, now]) => allowedInTotal(baseline, kind) - now,
  );
  return differences.reduce((sum, difference) => sum + difference, 0);
}

/** The misses of some figures by kind: `fragment`, and the words to avoid in each kind of prose. */
export function countsOf({ misses, fragments }) {
  return { ...Object.fromEntries(KINDS.map((kind) => [kind, misses[kind]])), fragment: fragments };
}

function allowedInTotal({ folders }, kind) {
  return Object.values(folders).reduce((sum, counts) => sum + (counts[kind] ?? 0), 0);
}

function nonZero(counts) {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
