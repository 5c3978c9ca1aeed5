import type { ChildProcess } from 'node:child_process';
import { EXIT_BAD_CONFIG } from '@sluice/runtime/config/config';
import { type Backoff, backoffMs } from '@sluice/runtime/timing/backoff';

const PAUSE: Backoff = { firstMs: 100, longestMs: 5000 };
/** A process that ran this long was well, so its next pause is the first one again. */
const SETTLED_MS = 10_000;

export interface SuperviseSettings {
  readonly name: string;
  readonly spawn: () => ChildProcess;
  readonly say: (line: string) => void;
  /** Runs after every end, intended or not. */
  readonly onEnd?: () => void;
  /** A sentence about the likely cause of an unintended end. */
  readonly hint?: () => string | undefined;
  /** The process reports a wrong configuration, so a restart would not help. */
  readonly onBadConfig?: (name: string) => void;
  /** True while everything stops. A process that ends before its turn got the same Ctrl-C and is not restarted. */
  readonly isStopping?: () => boolean;
}

/** One process that should run until `stop`. It is restarted when it dies. */
export interface Supervised {
  start(): void;
  /** Sends SIGTERM, then SIGKILL after `graceMs`. Resolves to true if SIGTERM was enough. */
  stop(graceMs: number): Promise<boolean>;
  /** Sends SIGTERM. The process is started again after its end. */
  replace(): void;
  /** Sends SIGKILL. The process is not restarted. */
  kill(): void;
}

/** Keeps one process running, with a pause between deaths that grows from 100 ms to 5 s. */
export function supervise({
  name,
  spawn,
  say,
  onEnd,
  hint,
  onBadConfig,
  isStopping = () => false,
}: SuperviseSettings): Supervised {
  let child: ChildProcess | undefined;
  let wanted = false;
  let timer: NodeJS.Timeout | undefined;
  let ends = 0;

  function start(): void {
    wanted = true;
    const startedAt = performance.now();
    const started = spawn();
    child = started;
    const ended = (how: string, code: number | null) => {
      if (child !== started) return;
      child = undefined;
      onEnd?.();
      if (!wanted || isStopping()) return;
      if (code === EXIT_BAD_CONFIG) return onBadConfig?.(name);
      startAgain(how, performance.now() - startedAt);
    };
    started.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`, code));
    started.once('error', (error) => ended(error.message, null));
  }

  function startAgain(how: string, livedMs: number): void {
    ends = livedMs >= SETTLED_MS ? 1 : ends + 1;
    const delay = backoffMs(PAUSE, ends);
    timer = setTimeout(start, delay);
    const likely = hint?.();
    const line = `${name} ended (${how}); starting it again in ${delay} ms`;
    say(likely === undefined ? line : `${line}. ${likely}`);
  }

  async function stop(graceMs: number): Promise<boolean> {
    wanted = false;
    clearTimeout(timer);
    return child === undefined ? true : terminate(child, graceMs);
  }

  return {
    start,
    stop,
    replace: () => void child?.kill('SIGTERM'),
    kill: () => {
      wanted = false;
      clearTimeout(timer);
      child?.kill('SIGKILL');
    },
  };
}

/** Ends a child with SIGTERM, then with SIGKILL. Resolves to true if SIGTERM was enough. */
async function terminate(child: ChildProcess, graceMs: number): Promise<boolean> {
  let polite = true;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const timer = setTimeout(() => {
    polite = false;
    child.kill('SIGKILL');
  }, graceMs);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
  return polite;
}
