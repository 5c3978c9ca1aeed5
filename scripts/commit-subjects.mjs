#!/usr/bin/env node
// Checks the subjects of the commits that origin/main does not have: `area: what`, at most 72 characters.
import { execFileSync } from 'node:child_process';
import { ROOT } from './lib/run.mjs';

const LONGEST = 72;
const FORM = /^[a-z0-9.][\w./, -]*: \S/;

const subjects = subjectsSince('origin/main');
if (subjects === undefined) {
  console.log('no branch origin/main: nothing to compare with');
  process.exit(0);
}
const misses = subjects.flatMap((subject) => [
  ...(subject.length > LONGEST ? [`${subject.length} characters (at most ${LONGEST}): ${subject}`] : []),
  ...(FORM.test(subject) ? [] : [`not of the form "area: what": ${subject}`]),
]);
for (const miss of misses) console.error(miss);
console.log(`${subjects.length} commit subjects checked`);
process.exit(misses.length > 0 ? 1 : 0);

/** @returns {string[] | undefined} the subjects, without merges; undefined when Git does not know the branch */
function subjectsSince(branch) {
  try {
    const args = ['log', '--no-merges', '--format=%s', `${branch}..HEAD`];
    const output = execFileSync('git', args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.split('\n').filter((line) => line !== '');
  } catch {
    return undefined;
  }
}
