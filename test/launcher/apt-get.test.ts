import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { aptGet } from '../../tools/launcher/src/apt-get.ts';
import { useFolder } from '../support/folder.ts';

const LOCKED = 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)';

describe('an installation by apt-get', () => {
  const folder = useFolder();
  /** A fake apt-get that counts its runs and executes a line of shell. */
  const fake = (line: string) => {
    const command = join(folder(), 'apt-get');
    writeFileSync(command, `#!/bin/sh\ncd '${folder()}'\necho run >> runs\n${line}\n`);
    chmodSync(command, 0o755);
    return command;
  };
  const runs = () => readFileSync(join(folder(), 'runs'), 'utf8').trim().split('\n').length;

  it('waits for another apt-get, whichever lock that one has', async () => {
    const command = fake(`test "$(wc -l < runs)" -gt 1 || { echo '${LOCKED}' >&2; exit 100; }`);
    expect(await aptGet(['update'], { command })).to.equal(true);
    expect(runs()).to.equal(2);
  });

  it('stops waiting for another apt-get after the timeout', async () => {
    const command = fake(`echo '${LOCKED}' >&2; exit 100`);
    expect(await aptGet(['update'], { command, waitMs: 0 })).to.equal(false);
  });

  it('is not retried after another error', async () => {
    const command = fake("echo 'E: Unable to locate package nothing' >&2; exit 100");
    expect(await aptGet(['install', 'nothing'], { command })).to.equal(false);
    expect(runs()).to.equal(1);
  });

  it('is not tried without apt-get', async () => {
    expect(await aptGet(['update'], { command: join(folder(), 'none') })).to.equal(false);
  });
});
