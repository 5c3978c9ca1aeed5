import { accessSync, constants, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Config,
  type ConfigProblem,
  type Environment,
  exitOver,
  lenient,
  loadConfig,
} from '@sluice/runtime/config/config';
import { variables } from '@sluice/runtime/config/variables';
import { assertAppendable, servicesLogPath } from './output.ts';

/**
 * All variables, so that a wrong one is reported once here and not by each replica. Those without a default may be
 * missing: the launcher starts the stores and creates the key, and services work without the others.
 */
const shape = lenient({
  ...variables,
  // The replicas share their port, so no load balancer has to notice a stop.
  DRAIN_MS: variables.DRAIN_MS.unwrap().prefault('300'),
});

export type LauncherConfig = Config<typeof shape>;

/** A separate process listens on each port. If two ports were equal, one process would fail to start repeatedly. */
const ports = {
  INGRESS_PORT: variables.INGRESS_PORT,
  API_PORT: variables.API_PORT,
  INGRESS_ADMIN_PORT: variables.INGRESS_ADMIN_PORT,
  WORKER_ADMIN_PORT: variables.WORKER_ADMIN_PORT,
  DISPATCHER_ADMIN_PORT: variables.DISPATCHER_ADMIN_PORT,
  API_ADMIN_PORT: variables.API_ADMIN_PORT,
};

/** The configuration, with DATA_DIR as the full path of an existing folder. Ends the process (78) if something is wrong. */
export function launcherConfig(env: Environment = process.env): LauncherConfig {
  const read = loadConfig(shape, env);
  const problems = [...(read.ok ? [] : read.problems), ...portsTwice(env), ...unusableDataDir(env)];
  if (!read.ok || problems.length > 0) return exitOver(problems);
  return { ...read.config, DATA_DIR: resolve(read.config.DATA_DIR) };
}

function portsTwice(env: Environment): ConfigProblem[] {
  const read = loadConfig(ports, env);
  if (!read.ok) return [];
  const taken = new Map<number, string>();
  return Object.entries(read.config).flatMap(([variable, port]) => {
    const other = taken.get(port);
    taken.set(port, variable);
    // 0 is any free port.
    if (port === 0 || other === undefined) return [];
    return [{ variable, detail: `is ${port}, the same as ${other}; set one of them to another port` }];
  });
}

function unusableDataDir(env: Environment): ConfigProblem[] {
  const read = loadConfig({ DATA_DIR: variables.DATA_DIR }, env);
  if (!read.ok) return [];
  const folder = resolve(read.config.DATA_DIR);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    assertAppendable(servicesLogPath(folder));
    return [];
  } catch (error) {
    const detail = `${folder} cannot be used (${(error as Error).message}); set it to a folder that you may write to`;
    return [{ variable: 'DATA_DIR', detail }];
  }
}
