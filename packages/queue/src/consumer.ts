import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { Redis } from 'ioredis';
import type { QueueName } from './catalog.ts';
import { type ConsumerLogger, createErrorBrake } from './consumer-errors.ts';
import { createRunner } from './consumer-runner.ts';
import { createWatchdog } from './consumer-watchdog.ts';
import { createQueueWorker, type Handled, type QueueWorker, type TakenJob } from './consumer-worker.ts';
import { createJobAllowance, type Weighing } from './job-allowance.ts';

export interface ConsumerSettings {
  readonly queue: QueueName;
  /** BullMQ's key prefix, with the shard's hash tag. */
  readonly prefix: string;
  /** The most jobs to prefetch. */
  readonly concurrency: number;
  /** Limits the weight of the prefetched jobs as well. */
  readonly weighing?: Weighing | undefined;
  /** Opens a connection in the role `worker`. Every BullMQ worker needs two. */
  readonly connect: (name: string) => Redis;
  /** Rejects only because of a bug. The job is then given back after a pause. */
  readonly handle: (job: TakenJob) => Promise<Handled>;
  readonly logger: ConsumerLogger;
  /** How long jobs may wait while the BullMQ worker fetches none, before it is replaced. Milliseconds. */
  readonly silenceMs?: number;
}

/** Processes the jobs of one queue, and replaces its BullMQ worker when that falls silent. */
export interface Consumer {
  /** Resolves once a worker is connected to Redis. */
  readonly ready: Promise<void>;
  /** Fetches no new job and waits for running ones, at most `deadlineMs`. Resolves to false when some still run. */
  close(deadlineMs: number): Promise<boolean>;
}

const SILENCE_MS = 30_000;

/** How long an idle worker may take to close. BullMQ's close does not return while Redis is down or frozen. */
const IDLE_CLOSE_MS = 1_500;

/** How long a closing worker waits without a connection. No job can finish without Redis, so another worker gets it. */
const CUT_OFF_CLOSE_MS = 500;

/** How long a replaced worker may take to finish its jobs. */
const RETIREMENT_MS = MINUTE_MS;

/** Starts to process jobs at once. */
export function createConsumer(settings: ConsumerSettings): Consumer {
  const { queue, logger, concurrency, weighing, silenceMs = SILENCE_MS } = settings;
  const allowance = createJobAllowance(concurrency, weighing);
  const runner = createRunner({
    ...settings,
    onTaken: ({ data }) => {
      watchdog.sawTaken();
      allowance.saw(data);
      current().hold(allowance.jobs());
    },
  });
  const workers: QueueWorker[] = [];
  const current = () => workers.at(-1) as QueueWorker;
  const brake = createErrorBrake({
    queue,
    logger,
    connected: () => current().connected(),
    stop: () => current().stopTaking(),
    goOn: () => current().goOn(),
  });
  const watchdog = createWatchdog({
    silenceMs,
    waiting: () => current().waiting(),
    excused: () => !current().connected() || brake.resting() || runner.held() >= allowance.jobs(),
    onSilence: (waiting) => {
      logger.error(
        { event: 'consumer.silent', queue, waiting },
        'jobs wait and none is taken; replacing the worker',
      );
      const silent = current();
      build();
      void retire(silent);
    },
  });

  let isReady = () => {};
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  function build(): void {
    const worker = createQueueWorker({
      ...settings,
      concurrency: allowance.jobs(),
      run: runner.run,
      onError: brake.onError,
    });
    workers.push(worker);
    // A worker that closes before it was ready never becomes ready.
    worker.ready.then(isReady, () => undefined);
  }

  /** Lets the running jobs of a replaced worker finish, with their locks renewed. */
  async function retire(worker: QueueWorker): Promise<void> {
    await worker.close(RETIREMENT_MS);
    workers.splice(workers.indexOf(worker), 1);
  }

  async function close(deadlineMs: number): Promise<boolean> {
    runner.stop();
    watchdog.stop();
    brake.release();
    const idle = lasting(() => runner.held() === 0);
    const cutOff = lasting(() => !current().connected());
    const pointless = () => idle() >= IDLE_CLOSE_MS || cutOff() >= CUT_OFF_CLOSE_MS;
    await Promise.all(workers.map((worker) => worker.close(deadlineMs, pointless)));
    return runner.held() === 0;
  }

  build();
  return { ready, close };
}

/** Returns for how long `isSo` has been true at every call, in milliseconds. */
function lasting(isSo: () => boolean): () => number {
  let since = performance.now();
  return () => {
    const now = performance.now();
    if (!isSo()) since = now;
    return now - since;
  };
}
