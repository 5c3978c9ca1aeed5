import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFile } from '@sluice/machine/file-lock';
import { readOrMakeSecretKey } from '@sluice/runtime/config/secret-key';
import { sharedSettings } from '@sluice/runtime/config/shared-settings';
import { removeStack, writeStack } from '@sluice/runtime/config/stack-file';
import { identify } from '@sluice/runtime/process-identity';
import type { LauncherConfig } from './config.ts';
import { type LaunchContext, LaunchError } from './launch-context.ts';
import { startMongo } from './mongo-store.ts';
import { startRedis } from './redis-store.ts';
import { childEnvironment } from './spawners.ts';
import { prepareServices, type Services, startServices } from './start-services.ts';

/** The running installation once `launch` resolves. */
export interface Launched {
  readonly redisUrl: string;
  readonly mongoUrl: string;
  readonly eventsUrl: string;
  /** Address of the dashboard. */
  readonly apiUrl: string;
  readonly secretKey: Buffer;
  readonly services: Services;
}

/** Locks DATA_DIR, starts the stores, then the services. Resolves when all are ready. `releasers` stop what it starts. */
export async function launch(context: LaunchContext): Promise<Launched> {
  const { config, releasers, unlessStopping } = context;
  releasers.push('lock of DATA_DIR', await claimDataDir(config.DATA_DIR));
  const [redisUrl, mongoUrl] = await Promise.all([startRedis(context), startMongo(context)]);
  unlessStopping();

  const secretKey = config.SLUICE_SECRET_KEY ?? (await readOrMakeSecretKey(config.DATA_DIR));
  const eventsUrl = config.EVENTS_URL ?? `http://localhost:${config.INGRESS_PORT}`;
  const apiUrl = config.API_URL ?? `http://localhost:${config.API_PORT}`;
  const services = await prepareServices(
    context,
    childEnvironment({
      REDIS_URL: redisUrl,
      MONGO_URL: mongoUrl,
      SLUICE_SECRET_KEY: secretKey.toString('base64'),
      EVENTS_URL: eventsUrl,
      API_URL: apiUrl,
      DATA_DIR: config.DATA_DIR,
      DRAIN_MS: config.DRAIN_MS,
      // Each replica listens on any free port and reports it. The configured ports serve all replicas together.
      INGRESS_ADMIN_PORT: 0,
      WORKER_ADMIN_PORT: 0,
      DISPATCHER_ADMIN_PORT: 0,
      API_ADMIN_PORT: 0,
    }),
  );
  releasers.push('stack file', () => removeStack(config.DATA_DIR));
  await noteStack(config, { redisUrl, mongoUrl, eventsUrl, apiUrl });
  await startServices(context, services);
  return { redisUrl, mongoUrl, eventsUrl, apiUrl, secretKey, services };
}

/** After this `npx sluice` with the same DATA_DIR finds the stores, and applies the settings of the services. */
async function noteStack(
  config: LauncherConfig,
  urls: Pick<Launched, 'redisUrl' | 'mongoUrl' | 'eventsUrl' | 'apiUrl'>,
): Promise<void> {
  const self = (await identify(process.pid)) ?? { pid: process.pid, started: '' };
  await writeStack(config.DATA_DIR, {
    ...self,
    redis_url: urls.redisUrl,
    mongo_url: urls.mongoUrl,
    events_url: urls.eventsUrl,
    api_url: urls.apiUrl,
    namespace: config.SLUICE_NAMESPACE,
    settings: sharedSettings(),
    started_at: new Date().toISOString(),
  });
}

/** Creates DATA_DIR (readable by its owner only) and locks it for this process. Resolves to the function that releases it. */
export async function claimDataDir(dataDir: string): Promise<() => void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFile(join(dataDir, 'launcher.lock'));
  if (lock.kind === 'held') return lock.release;
  throw new LaunchError(
    `npm start already runs on ${dataDir} (process ${lock.pid ?? 'not visible from here'}). Stop it, or set DATA_DIR to another folder.`,
  );
}
