import { writeSync } from 'node:fs';
import mocha from 'mocha';

const RESULT_FD = 3;
const LOOK_AGAIN_MS = 10_000;

/** The usual output, and the counts as one JSON line on file descriptor 3. */
export default class CountingReporter extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures } = runner.stats;
      writeSync(RESULT_FD, `${JSON.stringify({ passed: passes, failed: failures })}\n`);
      // Unreferenced: it fires only in a process that something else keeps alive, and says what.
      setTimeout(() => {
        process.stderr.write(`still open after the tests: ${process.getActiveResourcesInfo().join(', ')}\n`);
      }, LOOK_AGAIN_MS).unref();
    });
  }
}
