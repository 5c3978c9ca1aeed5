import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '@sluice/machine/file-lock';
import { expect } from 'chai';
import { newFolder } from '../support/folder.ts';
import { rejection } from '../support/rejection.ts';
import { runScript } from '../support/run-script.ts';

describe('machine: file lock', () => {
  let path: string;
  beforeEach(() => {
    path = join(newFolder(), 'lock');
  });

  async function held(): Promise<() => void> {
    const lock = await lockFile(path);
    if (lock.kind !== 'held') throw new Error(`held by process ${lock.pid}`);
    return lock.release;
  }

  it('is released as soon as its holder is killed, even if child processes of the holder survive', async () => {
    const holder = runScript(`
      import { spawn } from 'node:child_process';
      import { lockFile } from '@sluice/machine/file-lock';
      const { kind } = await lockFile(${JSON.stringify(path)});
      const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
      console.log(kind, child.pid);
    `);
    const child = Number((await holder.line(/^held \d+$/)).split(' ')[1]);
    try {
      holder.child.kill('SIGKILL');
      await holder.ended;
      (await held())();
    } finally {
      process.kill(child, 'SIGKILL');
    }
  });

  it('reports the pid of its holder, including this process, and can be locked again after its release', async () => {
    const release = await held();
    expect(await lockFile(path)).to.deep.equal({ kind: 'taken', pid: process.pid });
    release();
    expect(readFileSync(path, 'utf8')).to.equal('');
    (await held())();
  });

  it('reports no pid if the holder is not visible here, as in another container', async () => {
    const release = await held();
    writeFileSync(path, JSON.stringify({ pid: process.pid, started: 'in another container' }));
    expect(await lockFile(path)).to.deep.equal({ kind: 'taken', pid: undefined });
    release();
  });

  it('fails with an error that names flock if flock is not installed', async () => {
    const { PATH } = process.env;
    process.env.PATH = '';
    const error = await rejection(lockFile(path));
    process.env.PATH = PATH;
    expect(error.message).to.equal('flock (util-linux) failed: spawnSync flock ENOENT');
  });
});
