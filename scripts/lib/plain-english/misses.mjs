import { FRAGMENT, FRAGMENT_INSIDE, HINTS, LONGEST_SENTENCE, WORDS } from './words.mjs';

const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
const WORD = /[\p{L}\d][\p{L}\d'’./-]*/gu;
/** In place of code and addresses: it counts as a word. */
const CODE = 'x';

/**
 * @typedef {{ line: number, rule: 'word' | 'fragment' | 'hint', name: string, instead: string, excerpt: string }} Miss
 */

/** Code between backticks, addresses and links of JSDoc, each replaced by one word without losing a line break. */
export function withoutCode(text) {
  return text.replaceAll(
    /`[^`]*`|\{@\w+ [^}]*\}|\bhttps?:\/\/[^\s)>'"]+/g,
    (code) => CODE + code.replaceAll(/[^\n]/g, ''),
  );
}

/** @returns {Miss[]} in the order of the lines */
export function missesIn(piece, { hints = false } = {}) {
  const text = withoutCode(piece.text);
  const misses = [
    ...found(text, WORDS, 'word'),
    ...(piece.kind === 'comment' ? fragments(text) : []),
    ...(hints ? hintsIn(piece, text) : []),
  ];
  return misses
    .map(({ at, ...miss }) => ({ ...miss, line: piece.line + at, excerpt: lineOf(piece.text, at) }))
    .sort((a, b) => a.line - b.line);
}

/** Whether a comment opens with a fragment. */
export function opensWithFragment(piece) {
  return FRAGMENT.test(withoutCode(piece.text).trimStart());
}

export function countWords(text) {
  return withoutCode(text).match(WORD)?.length ?? 0;
}

/** The lengths of the sentences of a paragraph, in words. */
export function sentenceLengths(piece) {
  return sentencesOf(withoutCode(piece.text)).map(({ words }) => words);
}

/** The lines of a comment that have a word. */
export function proseLines(piece) {
  return piece.text.split('\n').filter((line) => /[a-z]/i.test(line)).length;
}

function found(text, patterns, rule) {
  return patterns.flatMap(({ name, instead, pattern }) =>
    [...text.matchAll(pattern)].map(({ index }) => ({ at: breaksBefore(text, index), rule, name, instead })),
  );
}

function hintsIn(piece, text) {
  const inside = piece.kind === 'comment' ? found(text, [FRAGMENT_INSIDE], 'hint') : [];
  return [...found(text, HINTS, 'hint'), ...inside, ...longSentences(piece, text)];
}

function fragments(text) {
  return text.split('\n').flatMap((line, at) => {
    const name = FRAGMENT.exec(line.trimStart())?.[0];
    return name === undefined
      ? []
      : [{ at, rule: 'fragment', name, instead: 'a sentence with a subject and a verb' }];
  });
}

function longSentences(piece, text) {
  if (piece.kind !== 'comment' && !piece.sentences) return [];
  return sentencesOf(text)
    .filter(({ words }) => words > LONGEST_SENTENCE)
    .map(({ at, words }) => ({ at, rule: 'hint', name: `${words} words`, instead: 'two sentences' }));
}

function sentencesOf(text) {
  // The segmenter takes a line break for the end of a sentence.
  return [...SENTENCES.segment(text.replaceAll('\n', ' '))]
    .map(({ segment, index }) => ({ at: breaksBefore(text, index), words: countWords(segment) }))
    .filter(({ words }) => words > 0);
}

function breaksBefore(text, index) {
  return text.slice(0, index).split('\n').length - 1;
}

function lineOf(text, at) {
  return text.split('\n')[at].trim().slice(0, 160);
}
