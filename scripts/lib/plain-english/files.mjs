import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'data', '.git', 'coverage']);
/** Folders whose figures are given for each subfolder. */
const SPLIT = new Set(['packages', 'services', 'tools']);
/** The list of the words to avoid holds all of them. */
const WORD_LIST = 'scripts/lib/plain-english/words.mjs';
const ROOT_FOLDER = '(root)';

/** The files below a folder whose prose is read, by their paths from there with `/`, sorted. */
export function filesBelow(root, folder = '') {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const paths = entries.flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : filesBelow(root, path);
    return entry.isFile() && languageOf(path) !== undefined ? [path] : [];
  });
  return paths.sort();
}

/** How to find the prose of a file; undefined: it has none that we read. */
export function languageOf(path) {
  if (path.endsWith('.d.ts') || path === WORD_LIST) return undefined;
  if (/\.(?:[cm]?[jt]s|[jt]sx)$/.test(path)) return 'code';
  if (path.endsWith('.md')) return 'markdown';
  if (path.endsWith('.css')) return 'css';
  if (path.endsWith('.lua')) return 'lua';
  if (/\.ya?ml$|(?:^|\/)Dockerfile$/.test(path)) return 'hash';
  return undefined;
}

/** The folder whose figures a file belongs to: `packages/queue`, `test`, `docs`. */
export function folderOf(path) {
  const [first, second, ...rest] = path.split('/');
  if (second === undefined) return ROOT_FOLDER;
  return SPLIT.has(first) && rest.length > 0 ? `${first}/${second}` : first;
}
