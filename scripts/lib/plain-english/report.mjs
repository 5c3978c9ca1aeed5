import { AIMS, median, medianOf, total } from './figures.mjs';
import { missesIn } from './misses.mjs';

const HEADINGS = [
  '',
  'words',
  'per 1,000',
  'fragments',
  'of blocks',
  'of lines',
  'docs',
  'sentence',
  'texts',
  'titles',
];

/** The figures of each folder as a table, with the sums and the aims. */
export function table(folders) {
  const sum = total(folders);
  const rows = [
    HEADINGS,
    ...[...folders].map(([name, figures]) => rowOf(name, figures)),
    rowOf('all', sum),
    [
      'aim',
      '',
      `< ${AIMS.words}`,
      '',
      `< ${percent(AIMS.fragments)}`,
      `< ${percent(AIMS.fragments)}`,
      '',
      `<= ${AIMS.sentence}`,
      '',
      '',
    ],
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '),
  );
  return [
    'Comments: words to avoid (per 1,000 words) and fragments (of comments, of lines). Docs: words to avoid and',
    'the median sentence in words. Texts and test titles: words to avoid.',
    ...lines,
  ];
}

/**
 * One line for each miss: `path:line  kind  name  (instead)  excerpt`.
 * @param {(miss: { kind: string, rule: string, path: string }) => boolean} wanted
 */
export function list(files, wanted, hints) {
  return files.flatMap((file) => [
    ...slowPage(file),
    ...file.pieces.flatMap((piece) =>
      missesIn(piece, { hints })
        .filter(({ rule }) => wanted({ kind: piece.kind, rule, path: file.path }))
        .map(({ line, rule, name, instead, excerpt }) => {
          const what = rule === 'word' ? piece.kind : rule;
          return `${file.path}:${line}  ${what}  "${name}" (${instead})  ${excerpt}`;
        }),
    ),
  ]);

  function slowPage(file) {
    const words = medianOf(file);
    if (words === undefined || words <= AIMS.sentence) return [];
    if (!wanted({ kind: 'doc', rule: 'sentence', path: file.path })) return [];
    return [`${file.path}:1  sentence  the median sentence has ${words} words (at most ${AIMS.sentence})`];
  }
}

function rowOf(name, figures) {
  const { words, misses, blocks, fragmentBlocks, lines, fragments, sentences } = figures;
  return [
    name,
    String(misses.comment),
    ratio(1000 * misses.comment, words.comment).toFixed(1),
    String(fragments),
    percent(ratio(fragmentBlocks, blocks)),
    percent(ratio(fragments, lines)),
    String(misses.doc),
    String(median(sentences) ?? ''),
    String(misses.text),
    String(misses.title),
  ];
}

function ratio(part, whole) {
  return whole === 0 ? 0 : part / whole;
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}
