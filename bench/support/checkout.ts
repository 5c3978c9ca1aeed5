import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './processes.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

/** A checkout of the repository whose services are bundled. */
export interface Checkout {
  /** The short hash of its commit. */
  readonly commit: string;
  /** Its folder, with a slash. */
  readonly root: string;
  stop(): Promise<void>;
}

/** The commit that a change is compared with if none is named: the last release. Throws if there is no tag. */
export async function lastRelease(): Promise<string> {
  return (await git('describe', '--tags', '--abbrev=0', '--match=v*')).trim();
}

/**
 * Another commit of this repository, in a temporary folder, with its own packages. Takes up to a minute. Throws with the
 * output of git or npm if there is no such commit, or if it cannot be installed.
 */
export async function checkOut(ref: string): Promise<Checkout> {
  const commit = (
    await git('rev-parse', '--short', '--verify', '--quiet', `${ref}^{commit}`).catch(() => '')
  ).trim();
  if (commit === '') throw new Error(`git has no commit ${ref}; name a branch, a tag or a hash with --base`);
  const { path, stop } = await temporaryFolder();
  try {
    const archive = join(path, 'archive.tar');
    const root = join(path, 'checkout');
    await mkdir(root);
    await git('archive', '--format=tar', `--output=${archive}`, commit);
    await run('tar', ['-xf', archive, '-C', root]);
    await run('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], {
      cwd: root,
    });
    await run(process.execPath, ['scripts/bundle.mjs'], { cwd: root });
    return { commit, root: `${root}/`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function git(...args: readonly string[]): Promise<string> {
  return (await run('git', [...args], { cwd: ROOT })).stdout;
}
