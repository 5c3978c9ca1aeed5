import { type Config, type ConfigShape, loadConfig } from '@sluice/runtime/config/config';
import { withSettings } from '@sluice/runtime/config/shared-settings';
import { readRunningStack, type Stack } from '@sluice/runtime/config/stack-file';
import { variables } from '@sluice/runtime/config/variables';
import { wrongUsage } from '../exit-codes.ts';
import type { Allowed } from './check-allowed.ts';

const shape = {
  DATA_DIR: variables.DATA_DIR,
  REDIS_URL: variables.REDIS_URL.optional(),
  MONGO_URL: variables.MONGO_URL.optional(),
  EVENTS_URL: variables.EVENTS_URL.optional(),
  INGRESS_URL: variables.INGRESS_URL.optional(),
  // Without the default, because the running stack's value takes precedence over it.
  SLUICE_NAMESPACE: variables.SLUICE_NAMESPACE.unwrap().optional(),
};

/** Addresses are read as the services read them: also from `NAME_FILE`, and an empty value is none. */
export type DoctorConfig = Config<typeof shape>;

/** Throws if a value is invalid. */
export function readDoctorConfig(env: NodeJS.ProcessEnv): DoctorConfig {
  return read(shape, env);
}

/** The hosts that the services may reach though they are private: of this environment, else of the running `npm start`. Throws if a value is invalid. */
export function readAllowed(env: NodeJS.ProcessEnv, { settings = {} }: Partial<Stack>): Allowed {
  const { OUTBOUND_ALLOW, FEED_ALLOW } = variables;
  return read({ OUTBOUND_ALLOW, FEED_ALLOW }, withSettings(env, settings));
}

function read<S extends ConfigShape>(of: S, env: NodeJS.ProcessEnv): Config<S> {
  const loaded = loadConfig(of, env);
  if (loaded.ok) return loaded.config;
  throw wrongUsage(loaded.problems.map(({ variable, detail }) => `${variable}: ${detail}`).join('; '));
}

/** Addresses that the user names beside those of the configuration. */
export interface NamedAddresses {
  readonly apiUrl: string | undefined;
  readonly eventsUrl: string | undefined;
}

/** The addresses of a running `npm start`, unless the user names the address of another installation. */
export async function runningHere(
  { DATA_DIR, EVENTS_URL, INGRESS_URL, REDIS_URL, MONGO_URL }: DoctorConfig,
  { apiUrl, eventsUrl }: NamedAddresses,
): Promise<Partial<Stack>> {
  const running = await readRunningStack(DATA_DIR);
  if (running === undefined) return {};
  const named = [
    [apiUrl, running.api_url],
    [eventsUrl, running.events_url],
    [EVENTS_URL, running.events_url],
    [INGRESS_URL, running.events_url],
    [REDIS_URL, running.redis_url],
    [MONGO_URL, running.mongo_url],
  ] as const;
  const isOther = named.some(([one, ours]) => Boolean(one) && serverOf(one) !== serverOf(ours));
  return isOther ? {} : running;
}

/** The server of an address. All names of this machine are one. */
function serverOf(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return address;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host.replace(/^(?:127\.0\.0\.1|\[::1\])(?=:|$)/, 'localhost')}`;
}
