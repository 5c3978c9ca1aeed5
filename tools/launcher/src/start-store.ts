import type { LaunchContext } from './launch-context.ts';
import { claimablePort } from './port-check.ts';
import { createStoreProcess, type StoreSpec } from './store-process.ts';

/** A store has 10 s before it is killed. The rest is time to wait for its end. */
const STORE_STOP_MS = 15_000;

/** A free port of this machine. */
export const anyPort = () => claimablePort({ port: 0, host: '127.0.0.1', variable: '' });

/** Starts a store that stops with `npm start`. Resolves to its URL once it answers. */
export async function startStore(context: LaunchContext, spec: StoreSpec): Promise<string> {
  const { config, output, releasers, killers, unlessStopping } = context;
  unlessStopping();
  const store = createStoreProcess({ spec, dataDir: config.DATA_DIR, say: output.say });
  releasers.push(spec.name, store.stop, { deadlineMs: STORE_STOP_MS });
  killers.push(store.kill);
  await store.start();
  return spec.url;
}
