import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { ROOT } from '../lib/run.mjs';
import { must, run } from './command.mjs';

const LABEL = 'com.docker.compose';
const POLL_MS = 300;

/** The services of docker-compose.yml, by name. */
export async function readServices() {
  return parse(await readFile(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }).services;
}

/** The services to start, each after its dependencies. Without names: all that need no profile. */
export function startOrder(services, names, withDependencies) {
  const order = [];
  const visit = (name) => {
    if (withDependencies) for (const other of Object.keys(services[name].depends_on ?? {})) visit(other);
    if (!order.includes(name)) order.push(name);
  };
  const wanted = names.length > 0 ? names : Object.keys(services).filter((name) => !services[name].profiles);
  for (const name of wanted) visit(name);
  return order;
}

/** The containers of the project COMPOSE_PROJECT_NAME: `{ name, service, image, imageId }`. */
export async function containersOf() {
  const filter = `label=${LABEL}.project=${process.env.COMPOSE_PROJECT_NAME ?? 'sluice'}`;
  const listed = await must('podman', ['ps', '--all', '--filter', filter, '--format', 'json']);
  return JSON.parse(listed).map(({ Names, Labels, Image, ImageID }) => ({
    name: Names[0],
    service: Labels[`${LABEL}.service`],
    image: Image,
    imageId: ImageID,
  }));
}

/** Waits until the health check of a container passes. podman runs none without systemd, so this runs it. */
export async function healthyWithin(name, withinMs) {
  const until = Date.now() + withinMs;
  for (;;) {
    const { code, output } = await run('podman', ['healthcheck', 'run', name]);
    if (code === 0) return;
    if (Date.now() > until) throw new Error(`${name} is not healthy after ${withinMs / 1000} s: ${output}`);
    await sleep(POLL_MS);
  }
}
