import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { countEvent, countsEvent, readCount } from '../../bench/support/instructions.ts';
import { reportNotRun } from '../support/report-not-run.ts';
import { until } from '../support/until.ts';

/** An event that every kernel counts, also in virtual machines: CPU time in milliseconds. */
const CPU_TIME = 'task-clock:u';

describe('bench: counts of perf', () => {
  it('are read from its lines, and are 0 where it has counted nothing', () => {
    expect(readCount('     0.020112,1234567,,instructions:u,20000,100.00,,')).to.equal(1_234_567);
    expect(readCount('     0.020112,<not counted>,,instructions:u,0,0.00,,')).to.equal(0);
    expect(readCount('')).to.equal(0);
  });

  it('grow while a process works', async function () {
    if (!(await countsEvent(CPU_TIME))) {
      reportNotRun('the tests of counts', ['perf']);
      this.skip();
    }
    const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    const count = countEvent(busy.pid as number, CPU_TIME);
    try {
      await until(() => count.read() > 50);
    } finally {
      busy.kill('SIGKILL');
      await count.stop();
    }
    expect(await countsEvent('no-such-event')).to.equal(false);
  });
});
