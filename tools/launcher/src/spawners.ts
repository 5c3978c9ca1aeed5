import { type ChildProcess, fork } from 'node:child_process';
import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Output } from './output.ts';

/** The root is as many folders above `src` as above `dist`. */
const root = new URL('../../../', import.meta.url);

/** The entry point of a compiled workspace, such as `services/worker`. */
export function mainOf(workspace: string): string {
  return fileURLToPath(new URL(`${workspace}/dist/main.js`, root));
}

export type Spawn = (name: string) => ChildProcess;
/** An undefined variable is omitted, even if the launcher has it. */
export type ChildEnvironment = Readonly<Record<string, string | undefined>>;

export interface SpawnerSettings {
  /** The path of the program. */
  readonly main: string;
  readonly env: ChildEnvironment;
  readonly output: Output;
}

/** Plain processes, each with its own ports. */
export function forkSpawner({ main, env, output }: SpawnerSettings): Spawn {
  return (name) => {
    const child = fork(main, [], {
      env: { ...process.env, ...env },
      silent: true,
      execArgv: [],
    });
    output.attach(name, child);
    return child;
  };
}

/**
 * Processes that share the ports they listen on. Each accepts its connections. Node's default is round robin: the
 * launcher accepts and hands over, and a connection handed to a replica that was just killed hangs until the sender
 * gives up (13 of 27,000 requests with a replica killed every 400 ms; 0 when each accepts).
 */
export function clusterSpawner({ main, env, output }: SpawnerSettings): Spawn {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: main, args: [], silent: true, execArgv: [] });
  return (name) => {
    const { process: child } = cluster.fork(env);
    output.attach(name, child);
    return child;
  };
}

/**
 * The environment of the services. A variable set here must not also come from a file, so NAME_FILE is blanked. A blank
 * variable counts as not set.
 */
export function childEnvironment(values: Readonly<Record<string, string | number>>): ChildEnvironment {
  const entries = Object.entries(values).flatMap(([name, value]) => [
    [name, String(value)],
    [`${name}_FILE`, ''],
  ]);
  return Object.fromEntries(entries);
}
