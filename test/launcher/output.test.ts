import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openLogFile } from '../../tools/launcher/src/log-file.ts';
import { createOutput } from '../../tools/launcher/src/output.ts';
import { prettyLine } from '../../tools/launcher/src/pretty-line.ts';

const line = (level: number, msg: string) =>
  JSON.stringify({
    level,
    time: '2026-11-21T09:30:00.000Z',
    service: 'worker',
    pid: 1,
    queue: 'actions',
    msg,
  });

describe('the output of npm start', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'sluice-log-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  async function shown(tty: boolean, lines: readonly string[], said: readonly string[] = []) {
    const file = openLogFile(join(dir, 'services.log'));
    let text = '';
    const output = createOutput({
      write: (more) => {
        text += more;
      },
      tty,
      colours: false,
      terminalLevel: 'warn',
      file,
    });
    for (const one of lines) output.line('worker-1', one);
    for (const one of said) output.say(one);
    await file.close();
    return { text, logged: readFileSync(file.path, 'utf8') };
  }

  it('shows only problems in the terminal, and everything in the file', async () => {
    const { text, logged } = await shown(false, [line(30, 'applied'), line(40, 'redis is away')]);
    expect(text).to.equal(`${line(40, 'redis is away')}\n`);
    expect(logged).to.equal(`${line(30, 'applied')}\n${line(40, 'redis is away')}\n`);
  });

  it('is readable lines in a terminal, and passes other lines through unchanged', async () => {
    const { text } = await shown(true, [line(40, 'redis is away'), 'Error: out of memory', '{not json']);
    expect(text).to.equal(
      '09:30:00 WARN  worker-1 redis is away queue=actions\nworker-1: Error: out of memory\nworker-1: {not json\n',
    );
  });

  for (const tty of [true, false])
    it(`escapes control characters of a terminal, ${tty ? 'in readable lines' : 'in JSON'}`, async () => {
      // A window title, a cleared screen, a C1 control, a forged line, and reversed text.
      const hostile = 'x\u001b]0;gone\u0007\u001b[2J\u009b2J\rsluice: ready\nsluice: ready\u202eexe';
      const record = {
        level: 50,
        time: '2026-11-21T09:30:00.000Z',
        msg: hostile,
        title: hostile,
        err: { hostile },
      };
      const { text, logged } = await shown(
        tty,
        [JSON.stringify(record), hostile.replace('\n', ' ')],
        [hostile],
      );
      for (const written of [text, logged])
        expect(written.replaceAll('\n', '')).not.to.match(/[\p{Cc}\p{Bidi_Control}]/u);
      expect(text).to.contain(
        'x\\u001b]0;gone\\u0007\\u001b[2J\\u009b2J\\rsluice: ready\\nsluice: ready\\u202eexe',
      );
      // The record, the other line, and the two lines of the launcher.
      expect(text.split('\n')).to.have.length(5);
      expect(JSON.parse(logged.split('\n')[0] as string)).to.deep.equal(record);
    });

  it('colours only problems', () => {
    expect(prettyLine('w', { level: 30, msg: 'fine' }, true)).not.to.include('\u001b');
    const bad = prettyLine('w', { level: 50, msg: 'bad' }, true);
    expect(bad.startsWith('\u001b[31m') && bad.endsWith('\u001b[0m')).to.equal(true);
  });

  it('keeps the log within its size limit', async () => {
    const file = openLogFile(join(dir, 'services.log'), 100);
    for (let count = 0; count < 10; count += 1) file.write('x'.repeat(39));
    await file.close();
    expect(readFileSync(file.path, 'utf8').length).to.be.at.most(100);
    expect(readFileSync(`${file.path}.1`, 'utf8').length).to.be.at.most(100);
  });

  it('continues in the old log if no new one can be created', async () => {
    const file = openLogFile(join(dir, 'services.log'), 100);
    // A file cannot be renamed to the name of a folder.
    mkdirSync(`${file.path}.1`);
    for (let count = 0; count < 10; count += 1) file.write('x'.repeat(39));
    await file.close();
    expect(readFileSync(file.path, 'utf8')).to.have.length(400);
  });
});
