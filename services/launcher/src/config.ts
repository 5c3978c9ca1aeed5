import { resolve } from 'node:path';
import { type Config, configOrExit, lenient } from '@sluice/runtime/config';
import { variables } from '@sluice/runtime/variables';

/**
 * All variables, so that a wrong one is reported here and not by each replica in turn. Those without a default may be
 * missing: the launcher starts the stores, makes the key, and services know what to do without the others.
 */
const shape = lenient({
  ...variables,
  // No load balancer has to notice anything: the replicas share their port.
  DRAIN_MS: variables.DRAIN_MS.unwrap().prefault('300'),
});

export type LauncherConfig = Config<typeof shape>;

/** The configuration with DATA_DIR as a full path; ends the process (78) where something is wrong. */
export function launcherConfig(): LauncherConfig {
  const config = configOrExit(shape);
  return { ...config, DATA_DIR: resolve(config.DATA_DIR) };
}
