import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { openTestMongo } from '../../support/mongo-server.ts';
import { uniqueNamespace } from '../../support/shared-redis.ts';
import { type ComposeFile, environmentOf, readComposeFile, startOrder } from './compose-file.ts';
import { imageEnvironment } from './dockerfile.ts';
import { localCommand } from './local-commands.ts';
import { choosePorts, type LocalPorts, localEnvironment } from './local-hosts.ts';
import { type End, runLocal } from './local-process.ts';
import { type LocalService, startLocalService } from './local-service.ts';

/** The services of docker-compose.yml as local processes, on free ports and with separate data. */
export interface LocalStack {
  readonly file: ComposeFile;
  /** In the order they were started. */
  readonly services: readonly LocalService[];
  /** Starts one more instance of a service, as `--scale` does, and waits until it is healthy. */
  add(name: string): Promise<LocalService>;
  /** Runs a service that ends on completion, as `docker compose run` does, with more arguments. */
  run(name: string, args: readonly string[]): Promise<{ end: End; output: string }>;
  /** The environment of a service's local process. */
  environment(name: string): Record<string, string>;
  /** Ends the remaining processes and deletes the data. */
  close(): Promise<void>;
}

/** The environment from which the user calls `docker compose`. */
async function callersEnvironment() {
  return {
    SLUICE_SECRET_KEY: randomBytes(32).toString('base64'),
    SLUICE_NAMESPACE: uniqueNamespace('compose'),
    INGRESS_PORT: String(await freePort()),
  };
}

/** `docker compose up --wait`, as far as that works without containers. If MONGO_URL is set, it replaces mongo. */
export async function composeUp(): Promise<LocalStack> {
  const env = await callersEnvironment();
  const file = readComposeFile(env);
  const given = process.env.MONGO_URL ? await openTestMongo('compose') : undefined;
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-compose-'));
  const services: LocalService[] = [];
  const hosts = new Map<string, LocalPorts>();

  function environment(
    name: string,
    ports: LocalPorts = hosts.get(name) ?? new Map(),
  ): Record<string, string> {
    const service = serviceOf(file, name);
    const image = service.build === undefined ? {} : imageEnvironment(service.build.target);
    const local = localEnvironment(environmentOf(service, image, env), ports, hosts);
    return given === undefined || local.MONGO_URL === undefined ? local : { ...local, MONGO_URL: given.url };
  }

  async function add(name: string): Promise<LocalService> {
    const ports = new Map(await choosePorts(file, name));
    // The other services reach the first instance under its name, and only that one has the host port.
    if (!hosts.has(name))
      hosts.set(name, name === 'ingress' ? ports.set(8080, Number(env.INGRESS_PORT)) : ports);
    const placement = { ports, dataDir: join(dataDir, `${name}-${services.length}`) };
    await mkdir(placement.dataDir);
    const service = serviceOf(file, name);
    const started = await startLocalService({ name, service, placement, env: environment(name, ports) });
    services.push(started);
    return started;
  }

  const stack: LocalStack = {
    file,
    services,
    add,
    environment,
    run: (name, args) => {
      const argv = localCommand(serviceOf(file, name).command, { ports: new Map(), dataDir });
      return runLocal({ argv: [...argv, ...args], env: environment(name) });
    },
    async close() {
      for (const service of services.toReversed()) await service.process.stop('SIGKILL', 0);
      await rm(dataDir, { recursive: true, force: true });
      await given?.close();
    },
  };
  try {
    for (const name of startOrder(file)) if (name !== 'mongo' || given === undefined) await add(name);
    return stack;
  } catch (error) {
    await stack.close();
    throw error;
  }
}

function serviceOf(file: ComposeFile, name: string) {
  const service = file.services[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
}
