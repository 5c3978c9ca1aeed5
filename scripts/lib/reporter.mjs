import { relative } from 'node:path';
import { format } from 'node:util';
import mocha from 'mocha';
import { deliver } from './results.mjs';
import { ROOT } from './run.mjs';

const { Base, Spec } = mocha.reporters;

/** mocha's `spec`. Its summary comes after the global teardown, and the last line is `N passed, N failed`. */
export default class extends Spec {
  epilogue() {}

  /** `failed` counts a failure of the global setup or teardown too. */
  done(failed, callback) {
    const failures = this.failures.map(described);
    void deliver({ passed: this.stats.passes, failed, failures }).then(() => callback(failed));
  }
}

function described(test) {
  const { consoleLog } = Base;
  let text = '';
  Base.consoleLog = (...args) => {
    text += `${format(...args)}\n`;
  };
  Base.list([test]);
  Base.consoleLog = consoleLog;
  const file = test.file ?? test.err?.file;
  const title = file === undefined ? test.fullTitle() : `${relative(ROOT, file)}: ${test.fullTitle()}`;
  // Base.list numbers the failures.
  return { title, text: text.replace('1) ', '') };
}
