import { execFileSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { isInstalled } from '../docs/support.ts';
import { newFolder } from '../support/folder.ts';
import { BIN, sluiceProcess } from './support.ts';

/** Not every machine has these shells. */
const OTHER_SHELLS = ['zsh', 'fish'].filter(isInstalled);

describe('sluice completion', () => {
  const dir = newFolder();
  let path: string;
  before(async () => {
    await symlink(BIN, join(dir, 'sluice'));
    path = `${dir}:${process.env.PATH}`;
    for (const shell of ['bash', ...OTHER_SHELLS]) {
      const done = await sluiceProcess(['completion', shell]);
      expect(done, done.stderr).to.include({ code: 0, stderr: '' });
      await writeFile(join(dir, `${shell}.sh`), done.stdout);
    }
  });

  /** The words that a real bash offers for the last word of a line. */
  const inBash = (...words: readonly string[]) => {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const script = `
      source ${join(dir, 'bash.sh')}
      COMP_WORDS=(sluice ${quoted}); COMP_CWORD=${words.length}; COMP_LINE="sluice ${words.join(' ')}"; COMP_POINT=\${#COMP_LINE}
      compopt() { :; }
      $(complete -p sluice | sed -E 's/.*-F ([^ ]+).*/\\1/') 2>&1
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['--norc', '-c', script], { env: { PATH: path }, encoding: 'utf8' });
    return out
      .trim()
      .split('\n')
      .map((one) => one.trim());
  };

  it('offers commands, subcommands, options and choices in bash', () => {
    expect(inBash('del')).to.deep.equal(['deliveries']);
    expect(inBash('deliveries', 'tail', '--outcome', 'rej')).to.deep.equal(['rejected']);
    expect(inBash('listen', '--for')).to.deep.equal(['--forward-to']);
    expect(inBash('webhook', 'create', '--events', 'lead.c')).to.deep.equal(['lead.created']);
  });

  for (const shell of OTHER_SHELLS) {
    it(`prints a script that ${shell} accepts`, () => {
      execFileSync(shell, ['-n', join(dir, `${shell}.sh`)]);
    });
  }

  it('exits with 2 for an unknown shell, and names the known ones', async () => {
    const done = await sluiceProcess(['completion', 'csh']);
    expect(done.code).to.equal(2);
    expect(done.stderr).to.contain('bash').and.contain('fish');
  });
});
