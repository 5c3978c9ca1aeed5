// npm run test:compose: builds the images, starts docker-compose.yml in real containers and runs test/compose/containers.
// Uses Docker Compose if its daemon answers, else podman, which root gets installed on Debian. What it installs is kept in
// SLUICE_CONTAINERS_DIR (default: ~/.cache/sluice-containers). The last line is `N passed, N failed`.
// `--if-possible`: without an engine it says why in one line and exits with 0.
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { endCommands, run } from './compose/command.mjs';
import { provideEngine } from './compose/engine.mjs';
import { freePorts } from './compose/free-ports.mjs';
import { provideImages } from './compose/images.mjs';
import { runMocha } from './lib/mocha.mjs';
import { say, seconds } from './lib/run.mjs';

const TESTS = 'test/compose/containers/**/*.test.ts';
/** A separate name, so that a deployment on this machine stays unchanged. */
const PROJECT = 'sluice-test';

const given = process.argv.slice(2).filter((arg) => arg !== '--if-possible');
const ifPossible = process.argv.includes('--if-possible');
const folder = process.env.SLUICE_CONTAINERS_DIR ?? join(homedir(), '.cache', 'sluice-containers');

await bootstrap();
const engine = await provideEngine(folder);
if (engine.why !== undefined) {
  say(`no test ran in containers: ${engine.why}`);
  console.log(`0 passed, ${ifPossible ? 0 : 1} failed`);
  process.exit(ifPossible ? 0 : 1);
}
say(`containers by ${engine.name}`);

const since = Date.now();
let stoppedBy;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    stoppedBy = signal;
    endCommands();
  });
const [ingress, ingressAdmin, api] = await freePorts(3);
const env = {
  ...engine.env,
  COMPOSE: engine.compose,
  CONTAINER_ENGINE: engine.engine,
  COMPOSE_PROJECT_NAME: PROJECT,
  SLUICE_IMAGE: 'sluice-of-tests',
  SLUICE_SECRET_KEY: randomBytes(32).toString('base64'),
  INGRESS_PORT: String(ingress),
  INGRESS_ADMIN_PORT: String(ingressAdmin),
  API_PORT: String(api),
};
let result = { passed: 0, failed: 1 };
try {
  await removeAll();
  const standIns = await provideImages({ ...engine, env }, folder);
  for (const line of standIns) say(`stand-in for ${line}`);
  if (stoppedBy === undefined)
    result = await runMocha('containers', given.length > 0 ? given : [TESTS], { env });
} catch (error) {
  if (stoppedBy === undefined) say(error.message);
} finally {
  await removeAll();
}
if (stoppedBy !== undefined) process.exit(stoppedBy === 'SIGINT' ? 130 : 143);
say(`containers: ${seconds(since)}`);
console.log(`${result.passed} passed, ${result.failed} failed`);
process.exit(result.failed === 0 ? 0 : 1);

/** Removes the containers, networks and volumes of this project, also those that an interrupted run left. */
async function removeAll() {
  const [command, ...args] = engine.compose.split(' ');
  const down = ['--profile', 'test', 'down', '--volumes', '--remove-orphans', '--timeout', '1'];
  await run(command, [...args, ...down], { env });
}
