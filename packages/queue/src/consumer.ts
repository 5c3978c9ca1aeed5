import type { Redis } from 'ioredis';
import type { QueueName } from './catalog.ts';
import { type ConsumerLogger, createErrorBrake } from './consumer-errors.ts';
import { createRunner } from './consumer-runner.ts';
import { createWatchdog } from './consumer-watchdog.ts';
import { createQueueWorker, type Handled, type QueueWorker, type TakenJob } from './consumer-worker.ts';
import { createJobAllowance, type Weighing } from './job-allowance.ts';

export interface ConsumerSettings {
  readonly queue: QueueName;
  /** BullMQ's key prefix, with the hash tag of the shard. */
  readonly prefix: string;
  /** Jobs held at a time, at most. */
  readonly concurrency: number;
  /** Where what they carry together is bounded too. */
  readonly weighing?: Weighing | undefined;
  /** A new connection in the role `worker`; every BullMQ worker takes two. */
  readonly connect: (name: string) => Redis;
  /** Rejects only with a bug; the job is then held for a while and given back. */
  readonly handle: (job: TakenJob) => Promise<Handled>;
  readonly logger: ConsumerLogger;
  /** How long waiting jobs may go untaken before the BullMQ worker is replaced. */
  readonly silenceMs?: number;
}

/** Takes the jobs of one queue, however often the BullMQ worker behind it has to be replaced. */
export interface Consumer {
  /** Resolves once a worker has its connections to Redis. */
  readonly ready: Promise<void>;
  /** Takes nothing new and waits for what is held, at most so long. False where something still is. */
  close(deadlineMs: number): Promise<boolean>;
}

const SILENCE_MS = 30_000;

/** How long a worker that holds nothing may take to close: with Redis down or frozen BullMQ's close does not return. */
const IDLE_CLOSE_MS = 1_500;

/** Without a connection for so long, what is held is left to another worker: no job can be finished without Redis. */
const CUT_OFF_CLOSE_MS = 500;

/** How long a replaced worker may take to finish what it holds. */
const RETIREMENT_MS = 60_000;

/** Starts to take jobs at once. */
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
    // One that is closed before it was ready never is.
    worker.ready.then(isReady, () => undefined);
  }

  /** What a replaced worker may still hold goes on, with its locks renewed, for a while. */
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

/** For how long something has been so, in milliseconds: since the first of the looks of which all found it so. */
function lasting(isSo: () => boolean): () => number {
  let since = performance.now();
  return () => {
    const now = performance.now();
    if (!isSo()) since = now;
    return now - since;
  };
}
