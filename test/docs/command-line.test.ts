import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { createProgram } from '../../services/cli/src/program.ts';

type Command = ReturnType<typeof createProgram>;

const TEXT = await readFile(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
/** The lines of the samples that are commands. */
const EXAMPLES = [...TEXT.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
  block.split('\n').filter((line) => line !== ''),
);

/** The words of a line without expansions, as a shell splits them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
}

/** A program whose commands only note that they were called. */
function dryProgram(called: string[]): Command {
  const nowhere = { write: () => true };
  const streams = { stdin: Readable.from([]), stdout: nowhere, stderr: nowhere };
  const program = createProgram({ env: {}, streams, now: Date.now, exitWith: () => {} });
  for (const { command, path } of leavesOf(program, '')) command.action(() => void called.push(path));
  return program;
}

function leavesOf(parent: Command, path: string): { command: Command; path: string }[] {
  const visible = parent
    .createHelp()
    .visibleCommands(parent)
    .filter((one) => one.name() !== 'help');
  return visible.flatMap((one) => {
    const own = `${path} ${one.name()}`.trim();
    return one.commands.length === 0 ? [{ command: one, path: own }] : leavesOf(one, own);
  });
}

describe('docs/command-line.md', () => {
  it('has an example of every command', () => {
    const called: string[] = [];
    const all = leavesOf(dryProgram(called), '').map(({ path }) => path);
    const shown = all.filter((path) => EXAMPLES.some((line) => `${line} `.startsWith(`sluice ${path} `)));
    expect(shown).to.deep.equal(all);
    expect(all).to.include.members(['listen', 'deliveries show', 'tail']);
  });

  for (const line of EXAMPLES)
    it(`has an example that the command line understands: ${line}`, async () => {
      const called: string[] = [];
      const [name, ...words] = wordsOf(line);
      expect(name).to.equal('sluice');
      await dryProgram(called).parseAsync(words, { from: 'user' });
      expect(called).to.have.length(1);
    });
});
