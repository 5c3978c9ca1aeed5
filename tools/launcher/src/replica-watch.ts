import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { ReplicaAdmin, ReplicaAdmins } from './replica-readiness.ts';

export interface ReplicaWatchSettings {
  readonly replicas: ReplicaAdmins;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  /** Interval between two probes. Milliseconds. */
  readonly everyMs?: number;
  /** Consecutive probes without a response after which a process counts as frozen. */
  readonly misses?: number;
}

export interface ReplicaWatch {
  /** Names each process that has not answered for 10 s, and the remedy. Null if all answer. */
  trouble(): string | null;
  stop(): void;
}

const EVERY_MS = 1000;
const MISSES = 10;

interface Seen {
  readonly url: string;
  missed: number;
  asking: boolean;
}

/**
 * Requests /livez of each process once a second. It counts probes, not seconds, because a machine that was suspended
 * has no frozen processes.
 */
export function watchReplicas({
  replicas,
  logger,
  everyMs = EVERY_MS,
  misses = MISSES,
}: ReplicaWatchSettings): ReplicaWatch {
  const seen = new Map<string, Seen>();
  const secondsOf = ({ missed }: Seen) => Math.round((missed * everyMs) / 1000);

  async function ask({ name, pid }: ReplicaAdmin, one: Seen): Promise<void> {
    one.asking = true;
    const answered = await answers(one.url, everyMs * 0.9);
    one.asking = false;
    // The process ended meanwhile, and another one has its name.
    if (seen.get(name) !== one) return;
    if (!answered) one.missed += 1;
    if (!answered && one.missed === misses)
      logger.error(
        { event: 'process.silent', process: name, pid },
        `${name} has not answered for ${secondsOf(one)} s. ${cure(pid)}`,
      );
    if (!answered) return;
    if (one.missed >= misses)
      logger.info({ event: 'process.answers', process: name, pid }, `${name} answers again`);
    one.missed = 0;
  }

  function askAll(): void {
    for (const replica of replicas.admins()) {
      const { name, url } = replica;
      const known = seen.get(name);
      if (url === undefined) seen.delete(name);
      else if (known?.url !== url) seen.set(name, { url, missed: 0, asking: false });
      const one = seen.get(name);
      if (one !== undefined && !one.asking) void ask(replica, one);
    }
  }

  const timer = setInterval(askAll, everyMs);
  timer.unref();
  return {
    trouble: () => {
      const frozen = replicas.admins().flatMap(({ name, pid, url }) => {
        const one = seen.get(name);
        if (one === undefined || one.url !== url || one.missed < misses) return [];
        return [`${name} (process ${pid}) has not answered for ${secondsOf(one)} s. ${cure(pid)}`];
      });
      return frozen.length === 0 ? null : frozen.join('\n');
    },
    stop: () => clearInterval(timer),
  };
}

/** A stopped process reads SIGTERM only when it continues. SIGKILL ends it at once. */
function cure(pid: number | undefined): string {
  return `If it is frozen, end it with: kill -KILL ${pid}. It is started again (docs/operations.md, Frozen processes).`;
}

async function answers(url: string, withinMs: number): Promise<boolean> {
  try {
    const response = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(withinMs) });
    await response.text();
    return true;
  } catch {
    return false;
  }
}
