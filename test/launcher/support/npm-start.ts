import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { freePort } from '../../support/free-port.ts';
import { type RunningScript, watch } from '../../support/run-script.ts';

export const ROOT = new URL('../../../', import.meta.url).pathname;

/** One `npm start` with one replica of each service unless `more` has others, on a separate DATA_DIR and separate ports. */
export async function npmStart(dataDir: string, more: Record<string, string> = {}) {
  const [ingress, ingressAdmin, workerAdmin, dispatcherAdmin, api, apiAdmin] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const { REDIS_URL: _, MONGO_URL: __, ...inherited } = process.env;
  const env = {
    ...inherited,
    DATA_DIR: dataDir,
    INGRESS_PORT: String(ingress),
    INGRESS_ADMIN_PORT: String(ingressAdmin),
    WORKER_ADMIN_PORT: String(workerAdmin),
    DISPATCHER_ADMIN_PORT: String(dispatcherAdmin),
    API_PORT: String(api),
    API_ADMIN_PORT: String(apiAdmin),
    INGRESS_REPLICAS: '1',
    WORKER_REPLICAS: '1',
    ...more,
  };
  // A separate process group, as a shell creates for a foreground command.
  const script = watch(
    spawn('npm', ['start'], { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  return { script, ports: { ingress, ingressAdmin, workerAdmin, api } };
}

/** Resolves to the endpoint URL, which is printed once the service accepts requests. */
export async function ready(script: RunningScript) {
  const url = (await script.line(/^ {2}http:.*webhook\/src_/)).trim();
  await script.line(/Ctrl-C stops everything/);
  return url;
}

/** Never signals process 0: that would be this process group. */
export function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (!pid) throw new Error(`nothing to send ${name} to`);
  process.kill(pid, name);
}

/** A port that this test process occupies until it ends. */
export async function takenPort(): Promise<number> {
  const server = createServer().unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}
