import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTurnWriter } from '@sluice/runtime/telemetry/turn-writer';
import { expect } from 'chai';
import { runScript } from '../support/run-script.ts';

/** Far more than a pipe or socket holds. */
const LINES = 20_000;

/** A process whose stdout does not block, and that logs LINES lines in one turn. */
const BURST = `
  import { createLogger } from '@sluice/runtime/telemetry/logger';
  process.stdout.isTTY; // Node makes a pipe non-blocking when it is first used
  const logger = createLogger({ service: 'test', level: 'info' });
  for (let number = 0; number < ${LINES}; number++) logger.info({ number }, 'burst');
`;

describe('log lines on stdout', () => {
  it('wait for a reader that is late, while the process goes on', async () => {
    const { child, lines, ended } = runScript(
      `${BURST}
      setImmediate(() => process.send('goes on'));
      process.once('message', () => process.disconnect());
      `,
      { ipc: true },
    );
    // Nobody reads until the process has shown that it goes on.
    child.stdout?.pause();
    expect((await once(child, 'message'))[0]).to.equal('goes on');
    child.stdout?.resume();
    child.send('end');
    expect(await ended).to.equal(0);
    expect(numbersOf(lines)).to.deep.equal([...Array(LINES).keys()]);
  });

  it('are all written when the process exits in the same turn', async () => {
    const { lines, ended } = runScript(`${BURST} process.exit(3);`);
    expect(await ended).to.equal(3);
    expect(numbersOf(lines)).to.deep.equal([...Array(LINES).keys()]);
  });

  it('of fatal errors are written at once', async () => {
    const { lines, ended } = runScript(`
      import { createLogger } from '@sluice/runtime/telemetry/logger';
      const logger = createLogger({ service: 'test', level: 'info' });
      logger.info({ number: 0 }, 'before');
      logger.fatal({ number: 1 }, 'the last');
      process.kill(process.pid, 'SIGKILL');
    `);
    expect(await ended).to.equal('SIGKILL');
    expect(numbersOf(lines)).to.deep.equal([0, 1]);
  });

  it('of one turn are written together, and in their order', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-log-'));
    const file = join(folder, 'log');
    const fd = openSync(file, 'a');
    try {
      const writer = createTurnWriter(fd);
      writer.write('one\n');
      writer.write('two\n');
      expect(readFileSync(file, 'utf8')).to.equal('');
      await new Promise(setImmediate);
      expect(readFileSync(file, 'utf8')).to.equal('one\ntwo\n');
      writer.write('three\n');
      writer.flushSync();
      expect(readFileSync(file, 'utf8')).to.equal('one\ntwo\nthree\n');
    } finally {
      closeSync(fd);
      rmSync(folder, { recursive: true });
    }
  });

  it('after an error are lost, but not those after them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-log-'));
    const file = join(folder, 'log');
    const { lines, ended } = runScript(`
      import { closeSync, openSync, writeSync } from 'node:fs';
      import { createTurnWriter } from '@sluice/runtime/telemetry/turn-writer';
      const full = openSync('/dev/full', 'w');
      const writer = createTurnWriter(full);
      writer.write('for nobody\\n');
      writer.flushSync();
      closeSync(full);
      // The lowest free number, so the same one.
      if (openSync(${JSON.stringify(file)}, 'w') !== full) throw new Error('another descriptor');
      writer.write('kept\\n');
      writer.flushSync();
    `);
    expect(await ended, lines.join('\n')).to.equal(0);
    expect(readFileSync(file, 'utf8')).to.equal('kept\n');
    rmSync(folder, { recursive: true });
  });
});

function numbersOf(lines: readonly string[]): number[] {
  return lines.map((line) => JSON.parse(line).number);
}
