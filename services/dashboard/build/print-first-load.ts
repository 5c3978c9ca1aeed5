import { fileURLToPath } from 'node:url';
import { firstLoad } from './first-load.ts';

// npm run size -w services/dashboard: how much a browser loads before each page, after a build.
const pages = await firstLoad(fileURLToPath(new URL('../dist/', import.meta.url)));
for (const { name, bytes } of pages.toSorted((a, b) => b.bytes - a.bytes)) {
  process.stdout.write(
    `${(bytes / 1024).toFixed(1).padStart(7)} KB gzip  ${name.replace('src/pages/', '')}\n`,
  );
}
