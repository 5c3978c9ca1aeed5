// npm run dev: npm start, with the services replaced whenever a source file changes. The compiler reports wrong types;
// the services run anyway.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { keepBundling } from './lib/bundle.mjs';
import { ROOT, say } from './lib/run.mjs';

/** A file that several services use is bundled again for each. */
const SETTLED_MS = 300;

await bootstrap();
const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const compiler = spawn(process.execPath, [tsc, '-b', '--watch', '--preserveWatchOutput'], {
  cwd: ROOT,
  stdio: 'inherit',
  detached: true,
});
const launcher = spawn(process.execPath, [join(ROOT, 'tools', 'launcher', 'dist', 'main.js')], {
  cwd: ROOT,
  stdio: 'inherit',
});

let timer;
const bundling = await keepBundling(onBundled);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => launcher.kill(signal));
launcher.once('exit', async (code) => {
  // tsc is a script that runs the real compiler. Both are in the process group of tsc.
  process.kill(-compiler.pid, 'SIGTERM');
  await bundling.stop();
  process.exit(code ?? 1);
});

function onBundled() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    say('bundled again; replacing the services (the launcher itself changes only with a new npm run dev)');
    launcher.kill('SIGUSR2');
  }, SETTLED_MS);
}
