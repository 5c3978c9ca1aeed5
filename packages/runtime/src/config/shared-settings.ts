import { type Environment, textOf } from './config.ts';

/** The variables that commands apply as the services do. None is a secret. */
const SHARED = [
  'RATE_LIMIT_PER_SECOND',
  'RATE_LIMIT_BURST',
  'BAD_SIGNATURES_PER_MINUTE',
  'SUBSCRIPTION_LIMIT',
  'PLANS',
  'BACKLOG_LIMIT',
  'FEED_PRIVATE_NETWORKS',
  'FEED_ALLOW',
  'OUTBOUND_PRIVATE_NETWORKS',
  'OUTBOUND_ALLOW',
  'QUEUE_SHARDS',
  'REDIS_WAIT_REPLICAS',
] as const;

/** The values of shared variables that are set, by name. */
export type SharedSettings = Readonly<Record<string, string>>;

/** Reads the shared variables of this environment. Those that are not set are left out. */
export function sharedSettings(env: Environment = process.env): SharedSettings {
  const set = SHARED.flatMap((name) => {
    const value = textOf(name, env);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(set);
}

/** Adds the settings of running services to an environment. What the environment sets has precedence. */
export function withSettings(env: Environment, settings: SharedSettings): Record<string, string | undefined> {
  const added: Record<string, string> = {};
  for (const name of SHARED) {
    const value = settings[name];
    if (value !== undefined && !isSet(name, env)) added[name] = value;
  }
  return { ...env, ...added };
}

/** A variable of which both NAME and NAME_FILE are set would be reported as wrong. */
function isSet(name: string, env: Environment): boolean {
  return Boolean(env[name]?.trim() || env[`${name}_FILE`]?.trim());
}
