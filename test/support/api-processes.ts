import { createKey } from '@sluice/accounts/keys/create-key';
import { createOwnerLink } from '@sluice/accounts/people/create-link';
import { SCOPES, type Scope } from '@sluice/contract/account/scopes';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { created } from './created.ts';
import { freePort } from './free-port.ts';
import type { Pipeline } from './pipeline.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import { use } from './use.ts';

/** API servers as operators run them, beside the other processes of a pipeline. */
export interface ApiProcesses {
  readonly urls: readonly string[];
  /** Kills one with SIGKILL, and resolves once another is ready at its address. */
  replace(index: number): Promise<void>;
  /** Kills all with SIGKILL. */
  stop(): Promise<void>;
  /** Starts all again, at their addresses. */
  start(): Promise<void>;
}

/** The rate of a key that no test reaches. */
const UNLIMITED = { KEY_RATE_PER_MINUTE: '1000000', KEY_RATE_BURST: '100000' };

/** API servers for the tests of a describe block, on the stores of its pipeline. */
export function useApis(
  pipeline: Pick<Pipeline, 'env'>,
  count: number,
  changed: () => Readonly<Record<string, string>> = () => ({}),
): ApiProcesses {
  return use(() => startApis(pipeline, count, changed()));
}

/** Starts API servers on the stores of a pipeline. Resolves once they are ready. */
export async function startApis(
  { env }: Pick<Pipeline, 'env'>,
  count: number,
  changed: Readonly<Record<string, string>> = {},
): Promise<ApiProcesses> {
  // Fixed ports: after a kill no other process may respond there.
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const processes: ServiceProcess[] = [];

  async function begin(index: number): Promise<void> {
    const port = String(ports[index]);
    const service = startService('api', {
      ...env,
      ...UNLIMITED,
      HOST: '127.0.0.1',
      API_PORT: port,
      ...changed,
    });
    processes[index] = service;
    await service.ready();
  }

  const stop = async () => {
    await Promise.all(processes.map((one) => one.kill('SIGKILL')));
  };
  const start = async () => {
    await Promise.all(ports.map((_, index) => begin(index)));
  };
  await start().catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    async replace(index) {
      await processes[index]?.kill('SIGKILL');
      await begin(index);
    },
    stop,
    start,
  };
}

/** A key of an account of the pipeline, with these scopes. Default: all. */
export async function addKey(
  { store }: Pick<Pipeline, 'store'>,
  accountId: string,
  scopes: readonly Scope[] = Object.keys(SCOPES) as Scope[],
): Promise<string> {
  const made = created(
    await createKey({ ...store, now: Date.now }, { accountId, name: 'Test', scopes, expiresAt: null }),
  );
  return made.key;
}

/** Creates the owner of an account of the pipeline by an API server at this URL. Returns the cookie of the session. */
export async function signInOwner(
  { store }: Pick<Pipeline, 'store'>,
  accountId: string,
  url: string,
): Promise<string> {
  const made = await createOwnerLink({ ...store, now: Date.now }, accountId);
  if (made.status !== 'created') throw new Error(made.status);
  const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' };
  const response = await fetch(`${url}${DASHBOARD_API}/welcome`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: made.token, ...person }),
  });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
