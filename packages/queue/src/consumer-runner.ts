import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerLogger } from './consumer-errors.ts';
import type { Handled, TakenJob } from './consumer-worker.ts';

export interface RunnerDeps {
  readonly queue: string;
  readonly handle: (job: TakenJob) => Promise<Handled>;
  readonly logger: ConsumerLogger;
  readonly onTaken: (job: TakenJob) => void;
}

/** Runs the handler and counts its running jobs. */
export interface Runner {
  run(job: TakenJob): Promise<Handled>;
  held(): number;
  /** Starts no further handler. */
  stop(): void;
}

/** The pause before a job is given back after its handler threw. Without it a bug becomes a hot loop. */
const BUG_PAUSE_MS = 5_000;

/** Wraps a handler so that a thrown error gives the job back. */
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
      // A closing worker may still receive the job that its blocking command waited for.
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
