import { chromiumPath } from './chromium.ts';

/** Installs Chromium where it is missing. Started by scripts/test.mjs, before tests that need it run side by side. */
await chromiumPath().catch((error: Error) => process.stderr.write(`${error.message}\n`));
