import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import { format } from 'node:util';
import mocha from 'mocha';
import { cpuSeconds } from './cpu-time.mjs';
import { createOpenHandles } from './open-handles.mjs';
import { ROOT } from './run.mjs';

const TELL_FD = 3;
const LOOK_AGAIN_MS = 10_000;
const { Base, Spec } = mocha.reporters;

/**
 * Sends the usual output to the parent process, which decides when to show it. Each line on file descriptor 3 is a JSON
 * object: `{ line }` at once, `{ pause: true }` after each file's tests, then `{ result }` with the time of each file. If
 * the process does not end after that, `{ open }` lists what keeps it alive.
 */
export default class TellingReporter extends Spec {
  constructor(runner, options) {
    super(runner, options);
    Base.consoleLog = (...args) => tell({ line: format(...args) });
    const handles = createOpenHandles();
    let began = { wall: performance.now() / 1000, cpu: cpuSeconds() };
    this.took = [];
    runner.on('suite end', (suite) => {
      if (!suite.parent?.root) return;
      handles.look(suite.title);
      const ended = { wall: performance.now() / 1000, cpu: cpuSeconds() };
      const file = relative(ROOT, suite.file ?? suite.title);
      // A child that ended unseen may take its time along.
      const cpu = ended.cpu === undefined ? undefined : Math.max(0, ended.cpu - began.cpu);
      this.took.push({ file, wall: ended.wall - began.wall, cpu });
      began = ended;
      tell({ pause: true });
    });
    runner.once('end', () => {
      // The timer is unreferenced, so it fires only in a process that something else keeps alive.
      setTimeout(() => tell({ open: handles.describe() }), LOOK_AGAIN_MS).unref();
    });
  }

  /** Spec calls this at the end. Failures are shown after the last process, so that they come last. */
  epilogue() {
    const { passes: passed, failures: failed } = this.stats;
    tell({ result: { passed, failed, failures: this.failures.map(described), took: this.took } });
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
  // Base.list numbers the failures, and several processes would use the same numbers.
  return { title, file, text: text.replace('1) ', '') };
}

function tell(message) {
  writeSync(TELL_FD, `${JSON.stringify(message)}\n`);
}
