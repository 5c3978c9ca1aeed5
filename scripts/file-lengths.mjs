#!/usr/bin/env node
// npm run file-lengths: prints how long the TypeScript files are. Fails when one has over 250 lines.
import { fileLengths, lengthTable, MOST_LINES, tooLong } from './lib/file-lengths.mjs';
import { ROOT } from './lib/run.mjs';

const files = fileLengths(ROOT);
const over = tooLong(files);
console.log(lengthTable(files).join('\n'));
for (const { path, lines } of over)
  console.error(`${path}: ${lines} lines. Split it: at most ${MOST_LINES}.`);
process.exit(over.length > 0 ? 1 : 0);
