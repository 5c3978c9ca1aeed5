// npm run dev: npm start, with the services replaced whenever a source file changes. The compiler says what is wrong
// with its types, and compiles it all the same.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { ROOT, say } from './lib/run.mjs';

/** The compiler writes many files in a row. */
const SETTLED_MS = 300;

await bootstrap();
const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const compiler = spawn(process.execPath, [tsc, '-b', '--watch', '--preserveWatchOutput'], {
  cwd: ROOT,
  stdio: 'inherit',
  detached: true,
});
const launcher = spawn(process.execPath, [join(ROOT, 'services', 'launcher', 'dist', 'main.js')], {
  cwd: ROOT,
  stdio: 'inherit',
});

let timer;
for (const dist of compiledFolders()) watch(dist, { recursive: true }, onCompiled);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => launcher.kill(signal));
launcher.once('exit', (code) => {
  // tsc is a script that runs the real compiler: both are in the group that it leads.
  process.kill(-compiler.pid, 'SIGTERM');
  process.exit(code ?? 1);
});

function onCompiled(_event, file) {
  if (!file?.endsWith('.js')) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    say('compiled anew; replacing the services (the launcher itself changes only with a new npm run dev)');
    launcher.kill('SIGUSR2');
  }, SETTLED_MS);
}

function compiledFolders() {
  return ['packages', 'services'].flatMap((group) =>
    readdirSync(join(ROOT, group))
      .map((name) => join(ROOT, group, name, 'dist'))
      .filter((path) => existsSync(path)),
  );
}
