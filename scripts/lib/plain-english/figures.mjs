import { folderOf } from './files.mjs';
import { countWords, missesIn, opensWithFragment, proseLines, sentenceLengths } from './misses.mjs';

/** The aims. `words`: misses per 1,000 words. `fragments`: a share of 1. `sentence`: the median of the docs in words. */
export const AIMS = { words: 0.3, fragments: 0.01, sentence: 18 };
export const KINDS = ['comment', 'doc', 'text', 'title'];

/**
 * The figures of each folder, by name.
 * @param {{ path: string, pieces: import('./comments.mjs').Piece[] }[]} files
 */
export function figuresByFolder(files) {
  const folders = new Map();
  for (const { path, pieces } of files) {
    const folder = folderOf(path);
    const figures = folders.get(folder) ?? noFigures();
    for (const piece of pieces) count(figures, piece);
    folders.set(folder, figures);
  }
  return new Map([...folders].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The sum over all folders. */
export function total(folders) {
  const sum = noFigures();
  for (const figures of folders.values()) {
    for (const kind of KINDS) {
      sum.words[kind] += figures.words[kind];
      sum.misses[kind] += figures.misses[kind];
    }
    for (const key of ['blocks', 'fragmentBlocks', 'lines', 'fragments']) sum[key] += figures[key];
    sum.sentences.push(...figures.sentences);
  }
  return sum;
}

/** The median; undefined of nothing. */
export function median(lengths) {
  const sorted = lengths.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** The sentences of one page, as the median of their lengths in words. */
export function medianOf({ pieces }) {
  return median(pieces.filter(({ sentences }) => sentences).flatMap(sentenceLengths));
}

function noFigures() {
  const zeros = () => Object.fromEntries(KINDS.map((kind) => [kind, 0]));
  return {
    words: zeros(),
    misses: zeros(),
    blocks: 0,
    fragmentBlocks: 0,
    lines: 0,
    fragments: 0,
    sentences: [],
  };
}

function count(figures, piece) {
  const misses = missesIn(piece);
  const fragments = misses.filter(({ rule }) => rule === 'fragment').length;
  figures.words[piece.kind] += countWords(piece.text);
  figures.misses[piece.kind] += misses.length - fragments;
  if (piece.sentences) figures.sentences.push(...sentenceLengths(piece));
  if (piece.kind !== 'comment') return;
  figures.blocks += 1;
  figures.fragmentBlocks += opensWithFragment(piece) ? 1 : 0;
  figures.lines += proseLines(piece);
  figures.fragments += fragments;
}
