import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The most lines of a TypeScript file. */
export const MOST_LINES = 250;
/** The folders whose TypeScript files are measured. */
export const MEASURED = ['packages', 'services', 'tools', 'test', 'bench'];
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'data', 'generated']);

/** @returns {{ path: string, lines: number }[]} the TypeScript files below the measured folders, the longest first */
export function fileLengths(root) {
  return MEASURED.flatMap((folder) => typeScriptBelow(root, folder))
    .map((path) => ({ path, lines: linesOf(readFileSync(join(root, path), 'utf8')) }))
    .sort((a, b) => b.lines - a.lines || a.path.localeCompare(b.path));
}

/** Counts line ends, as an editor numbers lines: a last line without an end counts too. */
export function linesOf(text) {
  const ends = text.split('\n').length - 1;
  return text === '' || text.endsWith('\n') ? ends : ends + 1;
}

/** The files that exceed the most lines, from the figures of `fileLengths`. */
export function tooLong(files) {
  return files.filter(({ lines }) => lines > MOST_LINES);
}

/** The figures as lines of text: the number of files, the median, and the longest file of each folder. */
export function lengthTable(files) {
  const longest = MEASURED.flatMap((folder) => {
    const first = files.find(({ path }) => path.startsWith(`${folder}/`));
    return first ? [`${String(first.lines).padStart(5)} ${first.path}`] : [];
  });
  const median = files[Math.floor(files.length / 2)]?.lines ?? 0;
  return [
    `${files.length} TypeScript files, median ${median} lines, at most ${MOST_LINES}. The longest:`,
    ...longest,
  ];
}

function typeScriptBelow(root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : typeScriptBelow(root, path);
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}
