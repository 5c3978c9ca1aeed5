import { after, before, beforeEach } from 'mocha';
import { compose } from './containers.ts';

const UP_WITHIN_MS = 300_000;
/** The number of workers that the tests run. */
export const WORKERS = 4;

/** `npm run test:compose -- --within` sets it. Milliseconds since the Unix epoch. */
const UNTIL = Number(process.env.SLUICE_TESTS_UNTIL ?? Number.POSITIVE_INFINITY);

let up: Promise<string> | undefined;

/**
 * Starts docker-compose.yml once for all files, before the tests of a file. `npm run test:compose` removes everything at
 * the end, also after Ctrl C.
 */
export function inContainers(): void {
  before(async function () {
    if (Date.now() > UNTIL) this.skip();
    this.timeout(UP_WITHIN_MS);
    up ??= compose(`up --detach --wait --scale worker=${WORKERS}`, UP_WITHIN_MS);
    await up;
  });
  beforeEach(function () {
    if (Date.now() > UNTIL) this.skip();
  });
}

/** Prints the end of every log if a test of the file failed. */
export function logsOfFailures(): void {
  after(async function () {
    const failed = this.currentTest?.parent?.tests.some((test) => test.isFailed());
    if (failed) process.stderr.write(await compose('logs --no-color --tail 10'));
  });
}
