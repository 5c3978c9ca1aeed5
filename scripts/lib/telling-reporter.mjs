import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import { format } from 'node:util';
import mocha from 'mocha';
import { createOpenHandles } from './open-handles.mjs';
import { ROOT } from './run.mjs';

const TELL_FD = 3;
const LOOK_AGAIN_MS = 10_000;
const { Base, Spec } = mocha.reporters;

/**
 * The usual output, told to the parent process instead of printed, for it decides when it is shown. One JSON object a
 * line on file descriptor 3: `{ line }` as it comes, `{ pause: true }` after each file's tests, then `{ result }`, and
 * where the process does not end after that, `{ open }`: what keeps it alive, a string each.
 */
export default class TellingReporter extends Spec {
  constructor(runner, options) {
    super(runner, options);
    Base.consoleLog = (...args) => tell({ line: format(...args) });
    const handles = createOpenHandles();
    runner.on('suite end', (suite) => {
      if (!suite.parent?.root) return;
      handles.look(suite.title);
      tell({ pause: true });
    });
    runner.once('end', () => {
      // Unreferenced: it fires only in a process that something else keeps alive.
      setTimeout(() => tell({ open: handles.describe() }), LOOK_AGAIN_MS).unref();
    });
  }

  /** Called by Spec at the end. What failed is shown after the last of all processes, so that it stands at the end. */
  epilogue() {
    const { passes: passed, failures: failed } = this.stats;
    tell({ result: { passed, failed, failures: this.failures.map(described) } });
  }
}

function described(test) {
  let text = '';
  Base.consoleLog = (...args) => {
    text += `${format(...args)}\n`;
  };
  Base.list([test]);
  const file = test.file && relative(ROOT, test.file);
  const title = file === undefined ? test.fullTitle() : `${file}: ${test.fullTitle()}`;
  // Base.list numbers what it is given; the numbers of several processes would be the same.
  return { title, file, text: text.replace('1) ', '') };
}

function tell(message) {
  writeSync(TELL_FD, `${JSON.stringify(message)}\n`);
}
