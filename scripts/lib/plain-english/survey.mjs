import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { proseOfCode } from './code.mjs';
import { cssComments, markedLines } from './comments.mjs';
import { filesBelow, languageOf } from './files.mjs';
import { proseOfMarkdown } from './markdown.mjs';

/** The prose of each file below a root that has some: `{ path, pieces }`. */
export function survey(root) {
  return filesBelow(root)
    .map((path) => ({ path, pieces: proseOf(path, readFileSync(join(root, path), 'utf8')) }))
    .filter(({ pieces }) => pieces.length > 0);
}

/** @returns {import('./comments.mjs').Piece[]} */
export function proseOf(path, source) {
  switch (languageOf(path)) {
    case 'code':
      return proseOfCode(path, source);
    case 'markdown':
      return proseOfMarkdown(source);
    case 'css':
      return cssComments(source);
    case 'lua':
      return markedLines(source, '--');
    case 'hash':
      return markedLines(source, '#');
    default:
      return [];
  }
}
