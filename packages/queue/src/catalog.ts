import type { ActionGroup, DeadLetter, RefusalGroup } from '@sluice/contract/groups';
import type { DefaultJobOptions } from 'bullmq';

/**
 * Every queue by its name, with what its jobs carry. Producer and worker both read it here.
 */
export interface QueuePayloads {
  readonly actions: ActionGroup;
  readonly refusals: RefusalGroup;
  readonly 'dead-letters': DeadLetter;
}

export type QueueName = keyof QueuePayloads;

/**
 * How long finished jobs stay: not at all, as retained jobs are how Redis fills up (bullmq#366, #1070).
 * Attempts are not limited because no job is failed on purpose: infrastructure trouble is waited out inside
 * the job, and an action that can never be applied leaves its group for `dead-letters`.
 */
export const JOB_OPTIONS: Readonly<Record<QueueName, DefaultJobOptions>> = {
  actions: { removeOnComplete: true, removeOnFail: false },
  refusals: { removeOnComplete: true, removeOnFail: false },
  // Never processed: an operator retries or drops each one.
  'dead-letters': { removeOnComplete: true, removeOnFail: false },
};

/** BullMQ's stream of events is not read by anyone; its default length is 10,000 entries a queue. */
export const EVENTS_MAX_LENGTH = 100;

const SECOND = 1000;

/**
 * How soon the jobs of a killed worker go on. A lock is renewed every 5 s and lasts 10 s; every 2 s a worker looks for jobs
 * whose lock has run out. BullMQ skips a look that comes a moment before its interval is over (41 of 558 were), so it is at
 * most 10 + 2 times 2 s until another worker takes over: within the 15 s that are promised (59 s with BullMQ's defaults).
 */
export const LOCK_DURATION_MS = 10 * SECOND;
export const STALLED_INTERVAL_MS = 2 * SECOND;

/** A worker that is killed proves nothing about its job: never fail one for having stalled. */
export const MAX_STALLED_COUNT = Number.MAX_SAFE_INTEGER;

/**
 * BullMQ's look at Redis's version also prints, as plain text past our log, what it thinks of the eviction policy; the
 * ingress refuses a wrong one, and says how to mend it. Not looking makes it round waits up to whole seconds, which
 * delays nothing but what was put off.
 */
export const NO_VERSION_CHECK = { skipVersionCheck: true } as const;
