import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withAddresses } from './lockfile.mjs';
import { ROOT, run, say } from './run.mjs';

const LOCK = join(ROOT, 'package-lock.json');
/** npm prefers this file to package-lock.json. */
const SHRINKWRAP = join(ROOT, 'npm-shrinkwrap.json');
const ARGS = ['ci', '--no-audit', '--no-fund'];

/**
 * Installs what package-lock.json names, with npm's cache if it has everything. A cache that is older than the lockfile makes
 * that fail. Resolves to an exit code.
 */
export async function install() {
  // A process that was killed has left it. npm would read it instead of package-lock.json.
  rmSync(SHRINKWRAP, { force: true });
  const code = await withShrinkwrap(() => run('npm', [...ARGS, '--prefer-offline'])).catch((error) => {
    say(`installing with the addresses of the packages failed: ${error.message}`);
    return 1;
  });
  if (code === 0) return code;
  say("installing again without npm's cache …");
  return run('npm', ARGS);
}

/**
 * The lockfile names no registry. So npm would read all that the registry tells about each package, to learn the address of one
 * version. That is half of its CPU time. It does not if a shrinkwrap has the addresses.
 */
async function withShrinkwrap(work) {
  const remove = () => rmSync(SHRINKWRAP, { force: true });
  // A signal ends this process during the work.
  process.once('exit', remove);
  try {
    const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry'], { cwd: ROOT });
    const lock = JSON.parse(readFileSync(LOCK, 'utf8'));
    writeFileSync(SHRINKWRAP, JSON.stringify(withAddresses(lock, stdout.trim())));
    return await work();
  } finally {
    remove();
    process.off('exit', remove);
  }
}
