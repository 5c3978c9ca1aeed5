import type { ActionGroup, DeadLetter, RefusalGroup } from '@sluice/contract/delivery/groups';
import type { DefaultJobOptions } from 'bullmq';

/**
 * Every queue by its name, with the data of its jobs. Producer and worker share this catalog.
 */
export interface QueuePayloads {
  readonly actions: ActionGroup;
  readonly refusals: RefusalGroup;
  readonly 'dead-letters': DeadLetter;
}

export type QueueName = keyof QueuePayloads;

/**
 * Finished jobs are removed at once, because retained jobs fill Redis (bullmq#366, #1070).
 * Attempts are unlimited because no job is failed on purpose. A handler waits until MongoDB is back, and moves an action
 * that can never be applied from its group to `dead-letters`.
 */
export const JOB_OPTIONS: Readonly<Record<QueueName, DefaultJobOptions>> = {
  actions: { removeOnComplete: true, removeOnFail: false },
  refusals: { removeOnComplete: true, removeOnFail: false },
  // No worker processes it: an operator retries or drops each job.
  'dead-letters': { removeOnComplete: true, removeOnFail: false },
};

/** Nobody reads BullMQ's stream of events. Its default length is 10,000 entries a queue. */
export const EVENTS_MAX_LENGTH = 100;

/**
 * BullMQ's version check also prints a warning about the eviction policy, as plain text outside our log. The ingress checks
 * the policy and says how to fix it. Without the check BullMQ rounds waits up to whole seconds, which only delays
 * jobs that were put off.
 */
export const NO_VERSION_CHECK = { skipVersionCheck: true } as const;
