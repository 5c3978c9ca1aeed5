// npm run test:compose: builds the images, starts docker-compose.yml in real containers and runs test/compose/containers.
// Uses Docker Compose if its daemon answers, else podman, which root gets installed on Debian. What it installs is kept in
// SLUICE_CONTAINERS_DIR (default: ~/.cache/sluice-containers). The last line is `N passed, N failed`.
// `--if-possible`: where no container can start it says why and exits with 0. `--within 360`: stops after so many seconds
// and counts the tests that ended. `--real-images`: fails where an image cannot be pulled, instead of building a stand-in.
// `--prepare`: ends once the images exist. `--prepared`: uses the images of a run with `--prepare`. .ci/run builds beside tests.
// Any other argument selects tests, as for mocha.
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bootstrap, checkTypes } from './bootstrap.mjs';
import { endCommands, must, run } from './compose/command.mjs';
import { provideEngine } from './compose/engine.mjs';
import { freePorts } from './compose/free-ports.mjs';
import { provideImages } from './compose/images.mjs';
import { runMocha } from './lib/mocha.mjs';
import { deliver } from './lib/results.mjs';
import { say, seconds } from './lib/run.mjs';

/** The most important first, because the time may be limited. */
const TESTS = [
  'whole-path',
  'signals',
  'health-checks',
  'locked-down',
  'image',
  'memory',
  'commands-of-the-pages',
].map((name) => `test/compose/containers/${name}.test.ts`);
const LAST_TEST_MS = 120_000;
/** A separate name, so that a deployment on this machine stays unchanged. */
const PROJECT = 'sluice-test';

const { values, positionals: given } = parseArgs({
  options: {
    'if-possible': { type: 'boolean', default: false },
    prepare: { type: 'boolean', default: false },
    prepared: { type: 'boolean', default: false },
    'real-images': { type: 'boolean', default: false },
    within: { type: 'string' },
  },
  allowPositionals: true,
});
const ifPossible = values['if-possible'];
const folder = process.env.SLUICE_CONTAINERS_DIR ?? join(homedir(), '.cache', 'sluice-containers');

await bootstrap();
await checkTypes();
const engine = await provideEngine(folder);
if (engine.why !== undefined) {
  say(`no test ran in containers: ${engine.why}`);
  await deliver({ passed: 0, failed: ifPossible ? 0 : 1, failures: [] });
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
let late = false;
const withinMs = Number(values.within ?? Number.NaN) * 1000;
if (withinMs > 0) setTimeout(stopLate, withinMs).unref();
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
  ...(withinMs > 0 && { SLUICE_TESTS_UNTIL: String(Date.now() + withinMs) }),
  // A receiver of the tests is in the network of the containers.
  OUTBOUND_PRIVATE_NETWORKS: 'true',
};
let result;
try {
  await removeAll();
  if (!values.prepared) {
    const standIns = await provideImages({ ...engine, env, realOnly: values['real-images'] }, folder);
    for (const line of standIns) say(`stand-in for ${line}`);
  }
  await must(engine.engine, ['run', '--rm', '--init', 'node:26-slim', 'node', '--version'], { env });
  if (values.prepare) process.exit(0);
  // A test that begins after the limit is skipped.
  const args = ['--no-forbid-pending', ...(given.length > 0 ? given : TESTS)];
  if (stoppedBy === undefined) result = await runMocha('containers', args, { env });
} catch (error) {
  if (stoppedBy === undefined) say(`no test ran in containers: ${error.message}`);
} finally {
  await removeAll();
  // Not before the tests: an image of a prepared build without a name is its cache.
  if (engine.engine === 'podman') await run('podman', ['image', 'prune', '--force'], { env });
}
// Images that are missing fail no build: the run that needs them builds them.
if (values.prepare) process.exit(1);
if (late)
  say(`the tests in containers were stopped after ${values.within} s; see above for those that ended`);
else if (stoppedBy !== undefined) process.exit(stoppedBy === 'SIGINT' ? 130 : 143);
if (result === undefined || (late && stoppedBy !== undefined))
  result = { passed: 0, failed: late || ifPossible ? 0 : 1, failures: [] };
say(`containers: ${seconds(since)}`);
await deliver(result);
process.exit(result.failed === 0 ? 0 : 1);

/** Ends a build. The tests read the same limit and skip what is left. */
function stopLate() {
  late = true;
  endCommands();
  setTimeout(() => process.emit('SIGTERM'), LAST_TEST_MS).unref();
}

/** Removes the containers, networks and volumes of this project, also those that an interrupted run left. */
async function removeAll() {
  const [command, ...args] = engine.compose.split(' ');
  const down = ['--profile', 'test', 'down', '--volumes', '--remove-orphans', '--timeout', '1'];
  await run(command, [...args, ...down], { env });
  // podman's storage is that of these tests. An interrupted build leaves containers there too.
  const filters = engine.engine === 'podman' ? ['--external'] : ['--filter', `name=${PROJECT}-alone`];
  const { output } = await run(engine.engine, ['ps', '--all', '--quiet', ...filters], { env });
  const others = output.split('\n').filter((id) => /^[0-9a-f]{12,}$/.test(id));
  if (others.length > 0) await run(engine.engine, ['rm', '--force', ...others], { env });
}
