import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { resultOf } from './results.mjs';
import { ROOT } from './run.mjs';

const MOCHA = join(ROOT, 'node_modules', 'mocha', 'lib', 'cli', 'cli.js');
/** Tests wait for locks to expire, which is much of their time. One more file uses that time. More than four would wait for the disk. */
const JOBS = Math.min(4, Math.max(2, availableParallelism()) + 1);

/** Runs mocha. Resolves to its result (results.mjs). `args` are its arguments. */
export function runMocha(name, args, { env, parallel = false } = {}) {
  const how = parallel ? ['--parallel', '--jobs', `${JOBS}`] : [];
  return resultOf(name, ['--import=tsx', '--conditions=source', MOCHA, '--exit', ...how, ...args], env);
}
