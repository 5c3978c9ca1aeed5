import { freePort } from '../../support/free-port.ts';
import { startRedis } from '../../support/redis-server.ts';
import { createN8nProcess, type N8nProcess, type N8nProcessSettings } from './n8n-process.ts';

type Where = Pick<N8nProcessSettings, 'bin' | 'program'>;

/** The processes of one n8n. They start one after the other, because the first one makes the tables. */
export interface N8nProcesses {
  /** The address of the editor. */
  readonly url: string;
  /** The address of published webhooks. */
  readonly webhookUrl: string;
  readonly all: readonly N8nProcess[];
  /** Ends what they share. */
  end(): Promise<void>;
}

/** One process for everything, as `npx n8n` starts it. */
export async function oneProcess(where: Where, shared: NodeJS.ProcessEnv): Promise<N8nProcesses> {
  const { url, main } = await mainProcess(where, (origin) => ({ ...shared, WEBHOOK_URL: `${origin}/` }));
  return { url, webhookUrl: url, all: [main], end: async () => undefined };
}

/**
 * Queue mode: the main process has the editor and publishes, a second one receives webhooks, and a third one runs the workflows. They
 * share a database and a Redis.
 */
export async function queueMode(where: Where, shared: NodeJS.ProcessEnv): Promise<N8nProcesses> {
  const redis = await startRedis();
  const webhookPort = String(await freePort());
  const workerPort = String(await freePort());
  const webhookUrl = `http://127.0.0.1:${webhookPort}`;
  const queued = {
    ...shared,
    EXECUTIONS_MODE: 'queue',
    QUEUE_BULL_REDIS_HOST: '127.0.0.1',
    QUEUE_BULL_REDIS_PORT: String(redis.port),
    N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
    WEBHOOK_URL: `${webhookUrl}/`,
  };
  const { url, main } = await mainProcess(where, () => queued);
  const webhook = createN8nProcess({
    ...where,
    command: 'webhook',
    env: { ...queued, N8N_PORT: webhookPort, N8N_EDITOR_BASE_URL: `${url}/` },
    isReady: async () => (await fetch(`${webhookUrl}/healthz/readiness`)).status === 200,
  });
  const worker = createN8nProcess({
    ...where,
    command: 'worker',
    env: {
      ...queued,
      QUEUE_HEALTH_CHECK_ACTIVE: 'true',
      QUEUE_HEALTH_CHECK_PORT: workerPort,
      N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    },
    isReady: async () => (await fetch(`http://127.0.0.1:${workerPort}/healthz/readiness`)).status === 200,
  });
  return { url, webhookUrl, all: [main, webhook, worker], end: () => redis.stop() };
}

async function mainProcess(where: Where, envAt: (origin: string) => NodeJS.ProcessEnv) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...envAt(url),
    N8N_PORT: String(port),
    N8N_EDITOR_BASE_URL: `${url}/`,
    // Its fixed default would let one n8n run on a machine.
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
  };
  const isReady = async () =>
    (await fetch(`${url}/healthz/readiness`)).status === 200 &&
    (await fetch(`${url}/rest/settings`)).status === 200;
  return { url, main: createN8nProcess({ ...where, command: 'start', env, isReady }) };
}
