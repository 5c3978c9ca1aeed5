// npm run check: runs every check of a reviewer, does not stop at a failure, and prints a summary.
import { bootstrap } from './bootstrap.mjs';
import { run, say, seconds } from './lib/run.mjs';

const STEPS = [
  ['types', ['run', '--silent', 'types']],
  ['lint and format', ['run', '--silent', 'lint']],
  ['dead code', ['run', '--silent', 'deadcode']],
  ['.env.example', ['run', '--silent', 'env-example', '--', '--check']],
  ['licences', ['run', '--silent', 'licences']],
  ['tests', ['test', '--silent', '--', '--ci']],
];

await bootstrap();
const rows = [];
for (const [name, args] of STEPS) {
  const since = Date.now();
  say(`${name} …`);
  const code = await run('npm', args);
  rows.push({ name, ok: code === 0, took: seconds(since) });
}
process.stdout.write('\n');
for (const { name, ok, took } of rows) {
  process.stdout.write(`  ${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(18)}${took.padStart(9)}\n`);
}
process.exit(rows.every(({ ok }) => ok) ? 0 : 1);
