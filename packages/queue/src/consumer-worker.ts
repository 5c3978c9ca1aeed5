import { hostname } from 'node:os';
import { DelayedError, type Job, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import {
  LOCK_DURATION_MS,
  MAX_STALLED_COUNT,
  NO_VERSION_CHECK,
  type QueueName,
  STALLED_INTERVAL_MS,
} from './catalog.ts';

/** A job as it stands in the queue. What it carries is as the catalog says only if nobody else wrote it: look first. */
export interface TakenJob {
  readonly id: string;
  readonly data: unknown;
}

/**
 * - `done`: the job is finished and removed.
 * - `give_back`: it goes back to the queue as it was.
 * - `put_off`: it goes back too, and nobody takes it for PUT_OFF_MS.
 */
export type Handled = 'done' | 'give_back' | 'put_off';

export interface QueueWorkerSettings {
  readonly queue: QueueName;
  readonly prefix: string;
  readonly concurrency: number;
  /** A new connection that waits for Redis for as long as it takes, without auto-pipelining. */
  readonly connect: (name: string) => Redis;
  readonly run: (job: TakenJob) => Promise<Handled>;
  readonly onError: (error: Error) => void;
}

/** One BullMQ worker with connections of its own. */
export interface QueueWorker {
  /** Resolves once both its connections are there. */
  readonly ready: Promise<void>;
  /** False while it has no connection to Redis. */
  connected(): boolean;
  /** From now on so many jobs at a time; what is held already stays. */
  hold(jobs: number): void;
  /** How many jobs wait to be taken. */
  waiting(): Promise<number>;
  stopTaking(): void;
  goOn(): void;
  /** Takes nothing new and waits for what is held, at most so long, and not when that has become `pointless`. */
  close(deadlineMs: number, pointless?: () => boolean): Promise<void>;
}

/** While Redis is away BullMQ tries again this often; its default is 15 s. */
const RUN_RETRY_DELAY_MS = 1000;

/** A job that could not be moved, such as when Redis was full for a moment, is run again this much later. */
const FAILED_MOVE_DELAY_MS = 1000;

/** A job that this process cannot handle, and another one can: any may get it next. */
export const PUT_OFF_MS = 5_000;

/** BullMQ counts finished jobs only where it also keeps a history of so many minutes. */
const METRICS_MINUTES = 60;

/** Builds one BullMQ worker: the only place that does. */
export function createQueueWorker({
  queue,
  prefix,
  concurrency,
  connect,
  run,
  onError,
}: QueueWorkerSettings): QueueWorker {
  const connections = openConnections(connect, {
    main: `worker-${queue}`,
    blocking: listedName(prefix, queue),
  });
  const process = async (job: Job, token?: string): Promise<void> => {
    neverFail(job);
    const handled = await run({ id: job.id ?? '', data: job.data as unknown });
    // The errors tell BullMQ that the job was moved already; no attempt is counted.
    switch (handled) {
      case 'done':
        return;
      case 'give_back':
        // Put back at the end that is taken from next; should the lock be lost, the job waits there already.
        await job.moveToWait(token).catch(onError);
        throw new WaitingError();
      case 'put_off':
        await job.moveToDelayed(Date.now() + PUT_OFF_MS, token).catch(onError);
        throw new DelayedError();
    }
  };
  const worker = new AbandonableWorker(queue, process, {
    ...NO_VERSION_CHECK,
    connection: connections.main,
    prefix,
    concurrency,
    lockDuration: LOCK_DURATION_MS,
    stalledInterval: STALLED_INTERVAL_MS,
    maxStalledCount: MAX_STALLED_COUNT,
    runRetryDelay: RUN_RETRY_DELAY_MS,
    removeOnComplete: { count: 0 },
    metrics: { maxDataPoints: METRICS_MINUTES },
  });
  worker.on('error', onError);
  return {
    ready: worker.waitUntilReady(),
    connected: () => connections.main.status === 'ready',
    hold: (jobs) => {
      worker.concurrency = jobs;
    },
    waiting: () => connections.main.llen(worker.keys.wait ?? ''),
    // BullMQ's pause would wait for what is held; told not to, it takes effect at once.
    stopTaking: () => void worker.pause(true),
    goOn: () => void worker.resume(),
    async close(deadlineMs, pointless = () => false) {
      const inTime = await within(deadlineMs, worker.close(), pointless);
      if (!inTime) worker.abandonLocks();
      connections.close();
    },
  };
}

/** A close that does not return would go on renewing the locks of the jobs it waits for, and keep the process alive. */
class AbandonableWorker extends Worker {
  /** Leaves what is held to another worker: its locks run out. */
  abandonLocks(): void {
    void this.lockManager.close();
  }
}

/**
 * Nothing fails a job on purpose, so BullMQ must never move one to `failed`, where nobody would look: when it cannot
 * move a finished job it tries to fail it, and Redis may be back to normal by then.
 */
function neverFail(job: Job): void {
  job.opts.attempts = Number.MAX_SAFE_INTEGER;
  job.opts.backoff = { type: 'fixed', delay: FAILED_MOVE_DELAY_MS };
}

/**
 * BullMQ duplicates the connection it is given for its blocking command. We hold both, because closing a worker never
 * returns while Redis is down (bullmq#4656), and then the connections must be cut under it.
 */
function openConnections(
  connect: (name: string) => Redis,
  names: { readonly main: string; readonly blocking: string },
): { main: Redis; close(): void } {
  const main = connect(names.main);
  const all = [main];
  main.duplicate = () => {
    const blocking = connect(names.blocking);
    all.push(blocking);
    return blocking;
  };
  return {
    main,
    close: () => {
      for (const connection of all) connection.disconnect();
    },
  };
}

/**
 * As BullMQ names the blocking connection of a worker that has a name (`Queue.getWorkers` and Bull Board count workers by
 * it): a connection that it is given keeps the name it has.
 */
function listedName(prefix: string, queue: QueueName): string {
  return `${prefix}:${Buffer.from(queue).toString('base64')}:w:${hostname()}.${process.pid}`;
}

const LOOK_EVERY_MS = 50;

/** Whether `work` settled in time, and before it was given up as pointless. */
async function within(
  deadlineMs: number,
  work: Promise<unknown>,
  pointless: () => boolean,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const startedAt = performance.now();
  const late = new Promise<false>((resolve) => {
    timer = setInterval(() => {
      if (performance.now() - startedAt >= deadlineMs || pointless()) resolve(false);
    }, LOOK_EVERY_MS);
  });
  const settled = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearInterval(timer);
  }
}
