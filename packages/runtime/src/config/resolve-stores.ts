import { type Environment, loadConfig } from './config.ts';
import { readSecretKey } from './secret-key.ts';
import type { SharedSettings } from './shared-settings.ts';
import { readRunningStack } from './stack-file.ts';
import { variables } from './variables.ts';

/** The addresses of the stores, and other settings that tools and services must share. */
export interface Stores {
  readonly redisUrl: string;
  readonly mongoUrl: string;
  readonly namespace: string;
  readonly eventsUrl: string;
  readonly apiUrl: string;
  /** Undefined: neither the environment nor DATA_DIR has a key, and secrets cannot be read. */
  readonly secretKey: Buffer | undefined;
  /** Older keys. Some secrets may still be sealed with them. */
  readonly oldSecretKeys: readonly Buffer[];
  /** The settings of the running `npm start` with these stores. Empty without one. */
  readonly settings: SharedSettings;
}

export type StoresResult =
  | { readonly ok: true; readonly stores: Stores }
  /** `retry`: no `npm start` runs yet, so the same command may work later. */
  | { readonly ok: false; readonly retry: boolean; readonly detail: string };

const shape = {
  DATA_DIR: variables.DATA_DIR,
  REDIS_URL: variables.REDIS_URL.optional(),
  MONGO_URL: variables.MONGO_URL.optional(),
  EVENTS_URL: variables.EVENTS_URL.optional(),
  API_URL: variables.API_URL.optional(),
  INGRESS_PORT: variables.INGRESS_PORT,
  API_PORT: variables.API_PORT,
  // Without the default, because the running stack's value takes precedence over it.
  SLUICE_NAMESPACE: variables.SLUICE_NAMESPACE.unwrap().optional(),
  SLUICE_SECRET_KEY: variables.SLUICE_SECRET_KEY.optional(),
  SLUICE_SECRET_KEYS_OLD: variables.SLUICE_SECRET_KEYS_OLD,
};

/** Finds the stores: first from the environment, else from the running `npm start` with the same DATA_DIR. */
export async function resolveStores(env: Environment = process.env): Promise<StoresResult> {
  const loaded = loadConfig(shape, env);
  if (!loaded.ok) {
    return {
      ok: false,
      retry: false,
      detail: loaded.problems.map(({ variable, detail }) => `${variable}: ${detail}`).join('; '),
    };
  }
  const { config } = loaded;
  const stack = await readRunningStack(config.DATA_DIR);
  const redisUrl = config.REDIS_URL ?? stack?.redis_url;
  const mongoUrl = config.MONGO_URL ?? stack?.mongo_url;
  if (redisUrl === undefined || mongoUrl === undefined) {
    return { ok: false, retry: true, detail: notRunning(config.DATA_DIR) };
  }
  return {
    ok: true,
    stores: {
      redisUrl,
      mongoUrl,
      namespace: config.SLUICE_NAMESPACE ?? stack?.namespace ?? 'sluice',
      eventsUrl: config.EVENTS_URL ?? stack?.events_url ?? `http://localhost:${config.INGRESS_PORT}`,
      apiUrl: config.API_URL ?? stack?.api_url ?? `http://localhost:${config.API_PORT}`,
      secretKey: config.SLUICE_SECRET_KEY ?? (await readSecretKey(config.DATA_DIR)),
      oldSecretKeys: config.SLUICE_SECRET_KEYS_OLD,
      settings: (redisUrl === stack?.redis_url && stack.settings) || {},
    },
  };
}

function notRunning(dataDir: string): string {
  return `Sluice is not running with DATA_DIR ${dataDir}. Start it with npm start, or set REDIS_URL and MONGO_URL to its stores.`;
}
