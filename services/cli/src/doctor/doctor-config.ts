import { type Config, loadConfig } from '@sluice/runtime/config/config';
import { readRunningStack, type Stack } from '@sluice/runtime/config/stack-file';
import { variables } from '@sluice/runtime/config/variables';
import { wrongUsage } from '../exit-codes.ts';

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
  const loaded = loadConfig(shape, env);
  if (loaded.ok) return loaded.config;
  throw wrongUsage(loaded.problems.map(({ variable, detail }) => `${variable}: ${detail}`).join('; '));
}

/** The addresses of a running `npm start`, unless the user names any address. `named`: those beside the environment's. */
export async function runningHere(
  { DATA_DIR, EVENTS_URL, INGRESS_URL, REDIS_URL, MONGO_URL }: DoctorConfig,
  named: readonly (string | undefined)[],
): Promise<Partial<Stack>> {
  const isNamed = [...named, EVENTS_URL, INGRESS_URL, REDIS_URL, MONGO_URL].some(Boolean);
  return (isNamed ? undefined : await readRunningStack(DATA_DIR)) ?? {};
}
