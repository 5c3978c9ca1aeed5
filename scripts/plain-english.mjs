#!/usr/bin/env node
// npm run plain-english: counts words to avoid and fragments in comments, docs, texts and test titles. Fails when a folder
// has more of them than scripts/plain-english-baseline.json allows.
//   -- --list packages/queue docs   each miss in these files and folders, with its line; --hints adds doubtful words
//   -- --update                     rewrites the baseline, unless the whole tree has more misses than it allows
//   -- --update --allow-more        rewrites it in any case; the commit explains why
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { baselineOf, fewerInTotal, moreInTotal, slowerPages, worse } from './lib/plain-english/baseline.mjs';
import { changedFiles } from './lib/plain-english/changed-files.mjs';
import { figuresByFolder } from './lib/plain-english/figures.mjs';
import { folderOf } from './lib/plain-english/files.mjs';
import { list, table } from './lib/plain-english/report.mjs';
import { survey } from './lib/plain-english/survey.mjs';
import { ROOT } from './lib/run.mjs';

/** Enough to find a new miss among those of its folder; `--list` has all. */
const MOST_LISTED = 40;
const LABELS = {
  comment: 'words to avoid in comments',
  doc: 'words to avoid in docs',
  text: 'words to avoid in texts',
  title: 'words to avoid in test titles',
  fragment: 'fragments in comments',
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    hints: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
    'allow-more': { type: 'boolean', default: false },
  },
});
const path = join(ROOT, 'scripts', 'plain-english-baseline.json');
const files = survey(ROOT);
const folders = figuresByFolder(files);

if (values.list) listChosen();
else if (values.update) process.exitCode = update();
else process.exitCode = check();

function listChosen() {
  const chosen = files.filter(isChosen);
  const lines = list(chosen, () => true, values.hints);
  print([...lines, `${lines.length} in ${chosen.length} files`]);
}

function check() {
  const baseline = readBaseline();
  const more = worse(folders, baseline);
  const slower = slowerPages(folders, baseline);
  print(table(folders));
  for (const excess of more) print(explained(excess));
  if (slower)
    print(['', `The median sentence of the docs has ${slower.now} words; ${slower.allowed} are allowed.`]);
  if (more.length > 0)
    print(['', 'Rewrite the new lines. Did files move between folders? npm run plain-english -- --update']);
  const fewer = fewerInTotal(folders, baseline);
  if (fewer > 0) print([`${fewer} misses fewer than the baseline allows: npm run plain-english -- --update`]);
  return more.length > 0 || slower ? 1 : 0;
}

/** The misses of a folder that has too many of one kind: in the files that changed, as most of the others are old. */
function explained({ folder, kind, now, allowed }) {
  const changed = changedFiles(ROOT);
  const inFolder = files.filter(({ path: file }) => folderOf(file) === folder);
  const inChanged = inFolder.filter(({ path: file }) => changed?.has(file));
  const lines = list(inChanged.length > 0 ? inChanged : inFolder, (miss) => isOf(kind, miss), false);
  return [
    '',
    `${folder}: ${now} ${LABELS[kind]}; ${allowed} are allowed.`,
    ...lines.slice(0, MOST_LISTED),
    ...(lines.length > MOST_LISTED ? [`… npm run plain-english -- --list ${folder}`] : []),
  ];
}

function update() {
  const more = values['allow-more'] ? [] : moreInTotal(folders, readBaseline());
  if (more.length > 0) {
    print(more.map(({ kind, now, allowed }) => `${now} ${LABELS[kind]}; the baseline allows ${allowed}`));
    print(['Baseline not written. --allow-more writes it in any case.']);
    return 1;
  }
  writeFileSync(path, `${JSON.stringify(baselineOf(folders), null, 2)}\n`);
  print(['Baseline written.']);
  return 0;
}

function readBaseline() {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function isOf(kind, miss) {
  return kind === 'fragment' ? miss.rule === 'fragment' : miss.rule === 'word' && miss.kind === kind;
}

function isChosen({ path: file }) {
  const chosen = positionals.map((name) => name.replace(/^\.\/|\/$/g, ''));
  return chosen.length === 0 || chosen.some((name) => file === name || file.startsWith(`${name}/`));
}

function print(lines) {
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
}
