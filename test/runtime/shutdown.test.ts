import { expect } from 'chai';
import { type RunningScript, runScript } from '../support/run-script.ts';

/** A process with a timer that prints what it releases. */
const service = (body = '') => `
  import { createLogger } from '@sluice/runtime/telemetry/logger';
  import { createReleasers } from '@sluice/runtime/process/releasers';
  import { stopOnSignal } from '@sluice/runtime/process/shutdown';
  const logger = createLogger({ service: 'test', level: 'info' });
  const releasers = createReleasers({ logger });
  stopOnSignal({ releasers, logger, graceMs: 5000, onStop: () => console.log('draining') });
  const timer = setInterval(() => {}, 1000);
  releasers.push('redis', () => console.log('released redis'));
  releasers.push('timer', () => { clearInterval(timer); console.log('released timer'); });
  ${body}
  console.log('up');
`;

const RELEASED = ['draining', 'released timer', 'released redis'];
const plain = (script: RunningScript) =>
  script.lines.filter((line) => !line.startsWith('{') && line !== 'up');

describe('a process that stops', () => {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    it(`releases everything in reverse order on ${signal} and exits with 0`, async () => {
      const script = runScript(service());
      await script.line(/^up$/);
      script.child.kill(signal);
      expect(await script.ended).to.equal(0);
      expect(plain(script)).to.deep.equal(RELEASED);
    });
  }

  it('releases everything when its launcher is gone', async () => {
    const script = runScript(service(), { ipc: true });
    await script.line(/^up$/);
    script.child.disconnect();
    expect(await script.ended).to.equal(0);
    expect(plain(script)).to.deep.equal(RELEASED);
  });

  it('releases once, for any number of signals', async () => {
    const slow = `releasers.push('slow', () => new Promise((done) => {
      process.once('SIGUSR2', done);
      console.log('releasing slow');
    }));`;
    const script = runScript(service(slow));
    await script.line(/^up$/);
    script.child.kill('SIGINT');
    await script.line(/^releasing slow$/);
    script.child.kill('SIGTERM');
    script.child.kill('SIGINT');
    script.child.kill('SIGUSR2');
    expect(await script.ended).to.equal(0);
    expect(plain(script)).to.deep.equal(['draining', 'releasing slow', ...RELEASED.slice(1)]);
  });

  it('exits with 1 when a release overruns its deadline', async () => {
    const script = runScript(
      service(`releasers.push('hangs', () => new Promise(() => {}), { deadlineMs: 50 });`),
    );
    await script.line(/^up$/);
    script.child.kill('SIGTERM');
    expect(await script.ended).to.equal(1);
    expect(plain(script)).to.deep.equal(RELEASED);
  });

  for (const [what, crash] of [
    ['an uncaught exception', 'setImmediate(() => { throw new Error("boom"); });'],
    ['an unhandled rejection', 'Promise.reject(new Error("boom"));'],
  ] as const) {
    it(`logs ${what} as fatal, releases, and exits with 1`, async () => {
      const script = runScript(service(crash));
      expect(await script.ended).to.equal(1);
      expect(plain(script)).to.deep.equal(RELEASED);
      expect(script.lines.some((line) => line.includes('"level":60') && line.includes('boom'))).to.equal(
        true,
      );
    });
  }
});
