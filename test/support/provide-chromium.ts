import { chromiumPath } from './chromium.ts';

/** Installs Chromium if it is missing. scripts/test.mjs runs this before it runs browser tests side by side. */
await chromiumPath().catch((error: Error) => process.stderr.write(`${error.message}\n`));
