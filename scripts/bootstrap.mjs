// Provides what the code of the project needs to run: the right Node, the dependencies, the bundled services.
// It is plain JavaScript without dependencies, because nothing is installed yet.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, isBundled } from './lib/bundle.mjs';
import { dashboardIsBuilt, markBuilt } from './lib/dashboard.mjs';
import { install } from './lib/install.mjs';
import { ROOT, run, say, seconds } from './lib/run.mjs';

const OLDEST_NODE = [20, 19];

/** Checks Node, installs and bundles what is missing or out of date. Ends the process if that fails. */
export async function bootstrap() {
  checkNode();
  if (!isInstalled()) await step('installing dependencies (npm ci)', install);
  await Promise.all([
    isBundled() || step('bundling the services', bundleAll),
    dashboardIsBuilt() || step('building the dashboard', buildDashboard),
  ]);
}

async function buildDashboard() {
  const startedAt = Date.now();
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const code = await run(process.execPath, [vite, 'build', '--logLevel', 'warn', 'services/dashboard']);
  if (code === 0) markBuilt(startedAt);
  return code;
}

/** The services run without a check of their types. It matters only to someone who changes the code. */
export async function checkTypes() {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  await step('checking types', () => run(process.execPath, [tsc, '-b']));
}

async function bundleAll() {
  try {
    await bundle();
    return 0;
  } catch (error) {
    // esbuild has already reported errors in a source.
    if (error.errors === undefined) say(error.stack);
    return 1;
  }
}

/** `work` resolves to an exit code. */
async function step(what, work) {
  const since = Date.now();
  say(`${what} …`);
  const code = await work();
  if (code !== 0) {
    say(`${what} failed with exit code ${code}; see above`);
    process.exit(1);
  }
  say(`${what}: done in ${seconds(since)}`);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  say(
    `Node ${OLDEST_NODE.join('.')} or later is needed; this is ${process.versions.node}. See https://nodejs.org/en/download`,
  );
  process.exit(1);
}

/**
 * Whether node_modules matches package-lock.json. npm writes a second lockfile into node_modules as its last step. It is
 * missing after an interrupted install, and differs after a change of package-lock.json.
 */
export function isInstalled() {
  const kept = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(kept)) return false;
  const installed = JSON.parse(readFileSync(kept, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/')) return true;
    const present = installed[path];
    // Packages for other platforms are in the lockfile and never installed here.
    return present === undefined ? entry.optional === true : present.version === entry.version;
  });
}
