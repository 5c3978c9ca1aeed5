// Takes the arguments of `docker compose` and runs podman-compose (PODMAN_COMPOSE). It adds what docker compose does and
// podman-compose 1.6 with podman 4.3 does not: the conditions of depends_on, `--wait`, the replacement of containers
// whose image is a new one and of no others, and commands without a terminal.
import { spawn } from 'node:child_process';
import { must } from './command.mjs';
import { containersOf, healthyWithin, readServices, startOrder } from './project.mjs';

const TAKE_A_VALUE = new Set([
  '--profile',
  '-p',
  '--project-name',
  '-f',
  '--file',
  '--scale',
  '--timeout',
  '-t',
  '--wait-timeout',
]);
/** The flags of `up` that this file reads. */
const OWN_FLAGS = ['--wait', '--detach', '-d', '--build', '--force-recreate', '--no-deps'];
const HEALTHY_WITHIN_MS = 180_000;
const BEFORE = ['--in-pod=false', '--podman-build-args=--network=host'];

const { before, name, rest } = splitArguments(process.argv.slice(2));
process.exitCode = await runCommand();

async function runCommand() {
  if (name === 'up') return up();
  if (name === 'build') return build(await readServices(), rest);
  if (['stop', 'start', 'restart'].includes(name)) return toEveryContainer(await readServices());
  return podmanCompose(withoutTerminal());
}

/** podman-compose reaches only the first container of a scaled service. */
async function toEveryContainer(services) {
  const named = rest.filter((arg) => services[arg] !== undefined);
  const isMeant = (service) => (named.length > 0 ? named.includes(service) : !services[service].profiles);
  const meant = (await containersOf()).filter(({ service }) => isMeant(service));
  await Promise.all(
    meant.map(({ name: container, service }) => {
      const grace = name === 'start' ? [] : graceOf(services[service]);
      return must('podman', [name, ...grace, container]);
    }),
  );
  return 0;
}

/** A declaration, because this file runs its command before its last lines. */
function graceOf({ stop_grace_period: period = '10s' }) {
  return ['--time', String(Number.parseInt(period, 10))];
}

/** The options before the subcommand, the subcommand, and what follows. */
function splitArguments(args) {
  let at = 0;
  while (args[at]?.startsWith('-')) at += TAKE_A_VALUE.has(args[at]) ? 2 : 1;
  return { before: args.slice(0, at), name: args[at], rest: args.slice(at + 1) };
}

function withoutTerminal() {
  const flag = (name === 'exec' || name === 'run') && !process.stdin.isTTY ? ['-T'] : [];
  return [name, ...flag, ...rest].filter((arg) => arg !== undefined);
}

function podmanCompose(args) {
  const child = spawn(process.env.PODMAN_COMPOSE, [...BEFORE, ...before, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}

/**
 * Builds each image once, one after the other, so that the second reuses the stages of the first. podman-compose builds an
 * image once for each of its services, all at the same time.
 */
async function build(services, names) {
  const profiles = before.filter((_, index) => before[index - 1] === '--profile');
  const isWanted = (service) =>
    names.length > 0
      ? names.includes(service)
      : (services[service].profiles ?? []).every((profile) => profiles.includes(profile));
  const byImage = new Map();
  for (const [service, { build: built, image }] of Object.entries(services))
    if (built && isWanted(service) && !byImage.has(image)) byImage.set(image, service);
  for (const service of byImage.values()) {
    const code = await podmanCompose(['build', service]);
    if (code !== 0) return code;
  }
  return 0;
}

/** Creates the containers, then starts each once its dependencies are healthy. */
async function up() {
  const services = await readServices();
  const named = rest.filter(
    (arg, index) => services[arg] !== undefined && !TAKE_A_VALUE.has(rest[index - 1]),
  );
  const withDependencies = !rest.includes('--no-deps');
  const chosen = startOrder(services, named, withDependencies);
  if (rest.includes('--build')) {
    const code = await build(services, chosen);
    if (code !== 0) return code;
  }
  await removeOld(services, chosen, rest.includes('--force-recreate'));
  const flags = rest.filter((arg) => !OWN_FLAGS.includes(arg) && !named.includes(arg));
  // Without --no-deps podman removes a container only together with those of dependent services.
  const create = ['up', '--no-start', '--detach', '--no-deps', ...flags, ...chosen];
  const created = await podmanCompose(create);
  if (created !== 0) return created;
  const containers = await containersOf();
  for (const service of chosen) {
    if (withDependencies) await allHealthy(Object.keys(services[service].depends_on ?? {}), containers);
    const own = containers.filter((one) => one.service === service);
    await Promise.all(own.map((container) => must('podman', ['start', container.name])));
  }
  if (rest.includes('--wait')) await allHealthy(chosen, containers);
  return 0;
}

async function allHealthy(names, containers) {
  const those = containers.filter(({ service }) => names.includes(service));
  await Promise.all(those.map((container) => healthyWithin(container.name, HEALTHY_WITHIN_MS)));
}

/**
 * Removes the containers whose image no longer has the name in the compose file, or all of them. podman-compose would
 * remove the containers of dependent services too, even with --no-deps.
 */
async function removeOld(services, chosen, all) {
  for (const { name: container, service, image, imageId } of await containersOf()) {
    if (!chosen.includes(service)) continue;
    const current = await must('podman', ['image', 'inspect', '--format', '{{.Id}}', image]);
    if (!all && current.trim() === imageId) continue;
    await must('podman', ['stop', ...graceOf(services[service]), container]);
    await must('podman', ['rm', container]);
  }
}
