import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTurnWriter, createWaitingLines } from '@sluice/runtime/telemetry/turn-writer';
import { expect } from 'chai';
import { build } from 'esbuild';
import { useFolder } from '../support/folder.ts';
import { runScript, watch } from '../support/run-script.ts';

/** Far more than a pipe or socket holds. */
const LINES = 20_000;

/** Logs LINES lines in one turn. */
const BURST = `
  import { createLogger } from '@sluice/runtime/telemetry/logger';
  const logger = createLogger({ service: 'test', level: 'info' });
  for (let number = 0; number < ${LINES}; number++) logger.info({ number }, 'burst');
`;

const describeDropped = (count: number) => `dropped ${count}\n`;

describe('log lines on stdout', () => {
  const folder = useFolder();

  it('wait for a reader that is late, while the bundled process goes on', async () => {
    // A bundle as services have it: the loader of the other tests makes stdout non-blocking.
    const outfile = join(folder(), 'bundle.mjs');
    const contents = `${BURST}
      setImmediate(() => process.send('goes on'));
      process.once('message', () => process.disconnect());
    `;
    const banner = {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    };
    await build({
      ...{ stdin: { contents, resolveDir: import.meta.dirname }, outfile, banner },
      ...{ bundle: true, format: 'esm', platform: 'node', conditions: ['source'] },
    });
    const child = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    // Nobody reads until the process has shown that it goes on.
    expect((await once(child, 'message'))[0]).to.equal('goes on');
    const { lines, ended } = watch(child);
    child.send('end');
    expect(await ended).to.equal(0);
    expect(numbersOf(lines)).to.deep.equal([...Array(LINES).keys()]);
  });

  it('are all written when the process exits in the same turn and its reader is slow', async () => {
    const { child, lines, ended } = runScript(`${BURST} process.exit(3);`);
    const { stdout } = child;
    if (stdout === null) throw new Error('stdout is not a pipe');
    // Together the pauses are longer than a process waits for a reader that takes nothing.
    stdout.on('data', () => {
      stdout.pause();
      setTimeout(() => stdout.resume(), 80);
    });
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

  it('of a timer are written although nothing else happens', async () => {
    const { child, line, ended } = runScript(`
      import { createLogger } from '@sluice/runtime/telemetry/logger';
      const logger = createLogger({ service: 'test', level: 'info' });
      setTimeout(() => logger.info('by a timer'), 20);
      setTimeout(() => {}, 600_000);
    `);
    await line(/by a timer/);
    child.kill('SIGKILL');
    expect(await ended).to.equal('SIGKILL');
  });

  it('of one turn are written together, and in their order', async () => {
    const file = join(folder(), 'log');
    const fd = openSync(file, 'a');
    try {
      const writer = createTurnWriter(fd, describeDropped);
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
    }
  });

  it('after an error are lost, but not those after them', async () => {
    const file = join(folder(), 'log');
    const { lines, ended } = runScript(`
      import { closeSync, openSync } from 'node:fs';
      import { createTurnWriter } from '@sluice/runtime/telemetry/turn-writer';
      const full = openSync('/dev/full', 'w');
      const writer = createTurnWriter(full, () => '');
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
  });
});

describe('waiting log lines', () => {
  it('are taken in their order, as many as a pipe takes whole', () => {
    const waiting = createWaitingLines(describeDropped);
    const line = `${'語'.repeat(500)}\n`;
    for (let number = 0; number < 5; number++) waiting.add(`${number}${line}`);
    waiting.add(`${'x'.repeat(10_000)}\n`);
    waiting.add('last\n');
    const taken = [];
    for (let next = waiting.take(); next !== undefined; next = waiting.take()) taken.push(next);
    expect(taken.map(({ length }) => length <= 4096)).to.deep.equal([true, true, true, false, true]);
    const text = `${[0, 1, 2, 3, 4].map((number) => `${number}${line}`).join('')}${'x'.repeat(10_000)}\nlast\n`;
    expect(Buffer.concat(taken).toString()).to.equal(text);
  });

  it('beyond 8 MiB are dropped, and a last line tells their number', () => {
    const waiting = createWaitingLines(describeDropped);
    const line = `${'x'.repeat(1023)}\n`;
    for (let number = 0; number < 8 * 1024 + 7; number++) waiting.add(line);
    let all = 0;
    let last = '';
    for (let next = waiting.take(); next !== undefined; next = waiting.take()) {
      all += next.length;
      last = next.toString();
    }
    expect(last).to.equal('dropped 7\n');
    expect(all - last.length).to.equal(8 * 1024 * 1024);
    waiting.add(line);
    expect(waiting.take()?.toString()).to.equal(line);
    expect(waiting.take()).to.equal(undefined);
  });
});

function numbersOf(lines: readonly string[]): number[] {
  return lines.map((line) => JSON.parse(line).number);
}
