import { hostname } from 'node:os';
import { SECOND_MS } from '@sluice/contract/time/durations';
import { DelayedError, type Job, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { NO_VERSION_CHECK, type QueueName } from './catalog.ts';

/** A job from the queue. Check its data: it matches the catalog only when Sluice wrote it. */
export interface TakenJob {
  readonly id: string;
  readonly data: unknown;
}

/**
 * - `done`: the job is finished and removed.
 * - `give_back`: the job returns to the queue unchanged.
 * - `put_off`: the job returns too, and no worker gets it for PUT_OFF_MS.
 * - `rest`: the same, but a part of the job is finished, and these data of the others replace those of the job.
 */
export type Handled = 'done' | 'give_back' | 'put_off' | { readonly rest: unknown };

export interface QueueWorkerSettings {
  readonly queue: QueueName;
  readonly prefix: string;
  readonly concurrency: number;
  /** Opens a connection that waits for Redis without a timeout, without auto-pipelining. */
  readonly connect: (name: string) => Redis;
  readonly run: (job: TakenJob) => Promise<Handled>;
  readonly onError: (error: Error) => void;
}

/** One BullMQ worker with its own connections. */
export interface QueueWorker {
  /** Resolves once both connections are ready. */
  readonly ready: Promise<void>;
  /** False while it has no connection to Redis. */
  connected(): boolean;
  /** Changes how many jobs are prefetched. Jobs fetched before stay. */
  hold(jobs: number): void;
  /** How many jobs wait for a worker. */
  waiting(): Promise<number>;
  stopTaking(): void;
  goOn(): void;
  /** Fetches no new job. Waits for running ones until the deadline (milliseconds), or until waiting is `pointless`. */
  close(deadlineMs: number, pointless?: () => boolean): Promise<void>;
}

/** BullMQ's pause between attempts while Redis is away. Its default is 15 s. */
const RUN_RETRY_DELAY_MS = 1000;

/** The pause before a retry of a job that BullMQ could not move, for example because Redis was full. */
const FAILED_MOVE_DELAY_MS = 1000;

/** How long a job waits that this process cannot handle. After that any worker may get it. */
export const PUT_OFF_MS = 5_000;

/** BullMQ counts finished jobs only when it also keeps a history of this many minutes. */
const METRICS_MINUTES = 60;

/** Builds one BullMQ worker. No other code does. */
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
    // Without its lock, the job may run elsewhere, with all its data. That repeats what is finished, and has no effect.
    if (typeof handled === 'object') await job.updateData(handled.rest).catch(onError);
    const moved = typeof handled === 'object' ? 'put_off' : handled;
    // These errors tell BullMQ that the job has been moved. They count no attempt.
    switch (moved) {
      case 'done':
        return;
      case 'give_back':
        // It goes to the front of the queue. When the lock is lost, the job waits there already.
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
    // With `true`, pause does not wait for running jobs.
    stopTaking: () => void worker.pause(true),
    goOn: () => void worker.resume(),
    async close(deadlineMs, pointless = () => false) {
      const inTime = await settledInTime(deadlineMs, worker.close(), pointless);
      if (!inTime) worker.abandonLocks();
      connections.close();
    },
  };
}

/** A close that hangs would renew its locks forever and keep the process alive. */
class AbandonableWorker extends Worker {
  /** Leaves the running jobs to another worker: their locks expire. */
  abandonLocks(): void {
    void this.lockManager.close();
  }
}

/**
 * BullMQ must never move a job to `failed`, where nobody would look. When it cannot move a finished job it tries to fail it,
 * and by then Redis may be back to normal.
 */
function neverFail(job: Job): void {
  job.opts.attempts = Number.MAX_SAFE_INTEGER;
  job.opts.backoff = { type: 'fixed', delay: FAILED_MOVE_DELAY_MS };
}

/**
 * BullMQ duplicates the given connection for its blocking command. We keep both: closing a worker never returns while Redis
 * is down (bullmq#4656), so the connections must be cut.
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
 * The name that BullMQ would give the blocking connection of a named worker. `Queue.getWorkers` and pages that
 * show queues count workers by it. BullMQ does not rename a connection that it is given.
 */
function listedName(prefix: string, queue: QueueName): string {
  return `${prefix}:${Buffer.from(queue).toString('base64')}:w:${hostname()}.${process.pid}`;
}

const LOOK_EVERY_MS = 50;

/** Resolves to whether `work` settled before its deadline and before waiting became pointless. */
async function settledInTime(
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

/**
 * How soon another worker takes over the jobs of a killed one. A lock is renewed every 5 s and lasts 10 s. Every 2 s each
 * worker looks for expired locks. BullMQ skips a look that comes a moment before its interval is over (41 of 558 did). So a
 * takeover needs at most 10 s and two intervals of 2 s. The promise is 15 s; BullMQ's defaults need 59 s.
 */
const LOCK_DURATION_MS = 10 * SECOND_MS;
const STALLED_INTERVAL_MS = 2 * SECOND_MS;

/** A killed worker proves nothing about its job: a stalled job never fails. */
const MAX_STALLED_COUNT = Number.MAX_SAFE_INTEGER;
