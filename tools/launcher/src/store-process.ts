import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UncleanRelease } from '@sluice/runtime/process/releasers';
import { readIdentity, stillRuns, writeIdentity } from '@sluice/runtime/process-identity';
import { spaceTroubleAt } from './free-space.ts';
import { type LaunchContext, LaunchError } from './launch-context.ts';
import { storeEnvironment } from './needed-environment.ts';
import { claimablePort } from './port-check.ts';
import { supervise } from './supervise.ts';

/** The command, files and checks of one store. */
export interface StoreSpec {
  readonly name: string;
  readonly url: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Resolves once it answers. */
  readonly ready: (signal: AbortSignal) => Promise<void>;
}

export interface StoreProcess {
  readonly url: string;
  start(): Promise<void>;
  /** Rejects with an UncleanRelease if it had to be killed. */
  stop(): Promise<void>;
  kill(): void;
}

const READY_MS = 60_000;
const STOP_MS = 10_000;
const POLL_MS = 50;

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

/** Starts a store, restarts it when it dies, and finds a running one after we were killed. */
export function createStoreProcess({
  spec,
  dataDir,
  say,
}: {
  spec: StoreSpec;
  dataDir: string;
  say: (line: string) => void;
}): StoreProcess {
  const pidFile = join(dataDir, `${spec.name}.pid`);
  const logFile = join(dataDir, 'logs', `${spec.name}.log`);
  const giveUp = new AbortController();

  function spawnStore(): ChildProcess {
    mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
    const log = openSync(logFile, 'a', 0o600);
    // The store gets a separate process group: Ctrl-C in a terminal must not reach it before the services have finished.
    // Its log is a file, not a pipe to us, so that the store survives when we are killed.
    const env = storeEnvironment(process.env);
    const child = spawn(spec.command, spec.args, { detached: true, env, stdio: ['ignore', log, log] });
    closeSync(log);
    if (child.pid !== undefined) note(child.pid);
    return child;
  }

  // Writes run one by one and finish before the file is deleted. A late one would name a process that is gone,
  // in a folder that may be gone too.
  let noted: Promise<void> = Promise.resolve();
  function note(pid: number): void {
    noted = noted
      .then(() => writeIdentity(pidFile, pid))
      .catch((error: Error) =>
        say(
          `could not write ${pidFile} (${error.message}); if npm start is killed, stop process ${pid} yourself`,
        ),
      );
  }

  let started = false;
  const onEnd = () => {
    if (!started) giveUp.abort();
  };
  const hint = () => spaceTroubleAt(dataDir);
  const supervised = supervise({ name: spec.name, spawn: spawnStore, say, onEnd, hint });

  async function start(): Promise<void> {
    await stopLeftOver(pidFile, () => say(`stopping the ${spec.name} that a killed npm start left behind`));
    supervised.start();
    try {
      await spec.ready(AbortSignal.any([giveUp.signal, AbortSignal.timeout(READY_MS)]));
      await noted;
      started = true;
    } catch {
      const why = giveUp.signal.aborted
        ? 'ended while starting'
        : `did not answer within ${READY_MS / 1000} s`;
      const likely = hint();
      throw new LaunchError(
        `${spec.name} ${why}; see ${logFile}${likely === undefined ? '' : `. ${likely}`}`,
      );
    }
  }

  return {
    url: spec.url,
    start,
    stop: async () => {
      giveUp.abort();
      const polite = await supervised.stop(STOP_MS);
      await noted;
      await rm(pidFile, { force: true });
      if (!polite) throw new UncleanRelease(`${spec.name} did not stop within ${STOP_MS / 1000} s: killed`);
    },
    kill: () => supervised.kill(),
  };
}

/** Ends a store that still runs on the same data, because only one process may write there. */
async function stopLeftOver(pidFile: string, report: () => void): Promise<void> {
  const left = await readIdentity(pidFile);
  if (left === undefined || !(await stillRuns(left))) return;
  report();
  signalIfThere(left.pid, 'SIGTERM');
  for (let waited = 0; await stillRuns(left); waited += POLL_MS) {
    if (waited >= STOP_MS) signalIfThere(left.pid, 'SIGKILL');
    await sleep(POLL_MS);
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process ended meanwhile, as intended.
  }
}
