#!/usr/bin/env node
// Separate from the compiled code, so that npm can link the command before the build.
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (!existsSync(main)) {
  console.error('sluice: not built yet. Run `npm run build` (or `npm start`, which builds first).');
  process.exit(1);
}
await import(main.href);
