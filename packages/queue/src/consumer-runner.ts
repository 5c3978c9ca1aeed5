import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerLogger } from './consumer-errors.ts';
import type { Handled, TakenJob } from './consumer-worker.ts';

export interface RunnerDeps {
  readonly queue: string;
  readonly handle: (job: TakenJob) => Promise<Handled>;
  readonly logger: ConsumerLogger;
  readonly onTaken: (job: TakenJob) => void;
}

/** Runs the handler, and knows how many jobs it is running for. */
export interface Runner {
  run(job: TakenJob): Promise<Handled>;
  held(): number;
  /** From now on nothing is handled that was not before. */
  stop(): void;
}

/** How long a job stays with a handler that threw: a bug must not turn into a hot loop. */
const BUG_PAUSE_MS = 5_000;

/** Wraps a handler so that whatever it throws ends with the job given back. */
export function createRunner({ queue, handle, logger, onTaken }: RunnerDeps): Runner {
  const stopping = new AbortController();
  let held = 0;

  async function handleOrHold(job: TakenJob): Promise<Handled> {
    try {
      return await handle(job);
    } catch (error) {
      const fields = { event: 'job.bug', queue, job_id: job.id, err: error };
      logger.error(fields, 'handling a job threw; it is given back');
      await sleep(BUG_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      return 'give_back';
    }
  }

  return {
    async run(job) {
      // A worker that closes may still get the job that it was blocked for.
      if (stopping.signal.aborted) return 'give_back';
      held += 1;
      onTaken(job);
      const handled = await handleOrHold(job);
      held -= 1;
      return handled;
    },
    held: () => held,
    stop: () => stopping.abort(),
  };
}
