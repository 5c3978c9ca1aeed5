import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createOutput } from '../../tools/launcher/src/output.ts';
import { useFolder } from '../support/folder.ts';

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
  const dir = useFolder();

  async function shown(tty: boolean, lines: readonly string[], said: readonly string[] = []) {
    const logPath = join(dir(), 'services.log');
    let text = '';
    const output = createOutput({
      write: (more) => {
        text += more;
      },
      tty,
      terminalLevel: 'warn',
      logPath,
    });
    for (const one of lines) output.line('worker-1', one);
    for (const one of said) output.say(one);
    await output.close();
    return { text, logged: readFileSync(logPath, 'utf8') };
  }

  it('shows only problems in the terminal, and everything in the file', async () => {
    const { text, logged } = await shown(false, [line(30, 'applied'), line(40, 'redis is away')]);
    expect(text).to.equal(`${line(40, 'redis is away')}\n`);
    expect(logged).to.equal(`${line(30, 'applied')}\n${line(40, 'redis is away')}\n`);
  });

  it('is readable lines in a terminal, and passes other lines through unchanged', async () => {
    const { text } = await shown(true, [line(40, 'redis is away'), 'Error: out of memory', '{not json']);
    expect(text).to.match(
      /^\[\d\d:30:00] WARN: worker-1 redis is away \{"queue":"actions"}\nworker-1: Error: out of memory\nworker-1: \{not json\n$/,
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
});
