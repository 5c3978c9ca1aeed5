import {
  type AdmittedAction,
  GROUP_VERSION,
  isNewerVersion,
  RERUN_GROUP_PREFIX,
  type RefusedRequest,
} from '@sluice/contract/groups';
import { newId } from '@sluice/credentials/ids';
import type { DeadLetters, StoredDeadLetter } from '@sluice/queue/dead-letters';
import type { Producer } from '@sluice/queue/producer';

export interface DeadLetterDeps {
  readonly deadLetters: Pick<DeadLetters, 'list' | 'get' | 'remove'>;
  readonly producer: Pick<Producer, 'enqueueActions' | 'enqueueRefusals'>;
}

/** The actions that could not be applied, oldest first. */
export function listDeadLetters(
  { deadLetters }: Pick<DeadLetterDeps, 'deadLetters'>,
  limit: number,
): Promise<readonly StoredDeadLetter[]> {
  return deadLetters.list(limit);
}

export type DeadLetterRetried = { readonly status: 'retried' } | { readonly status: 'letter_not_found' };

/**
 * Enqueues a dead letter's action once more, as it was: with its sequence number, so that it still changes nothing
 * that a newer action has set, and with its delivery, whose row the worker replaces. It may fail again and come back.
 *
 * The worker removes the letter, once the action is applied: until then it is kept, and running it twice changes
 * nothing. A refused request that could not be read is logged, as it was to be, and never applied.
 */
export async function retryDeadLetter(deps: DeadLetterDeps, deliveryId: string): Promise<DeadLetterRetried> {
  const letter = await deps.deadLetters.get(deliveryId);
  if (letter === undefined) return { status: 'letter_not_found' };
  const group_id = RERUN_GROUP_PREFIX + newId('grp');
  // The worker reads actions and refusals anew from every group, whatever this says of their shape; only what a newer
  // worker has written is for a newer one to read again, as is every group of its version.
  const v = isNewerVersion(letter.v) ? letter.v : GROUP_VERSION;
  const group = { v, group_id, letter_id: deliveryId };
  if (letter.refused === true)
    await deps.producer.enqueueRefusals({ ...group, refusals: [letter.action as RefusedRequest] });
  else await deps.producer.enqueueActions({ ...group, actions: [letter.action as AdmittedAction] });
  return { status: 'retried' };
}

export type DeadLetterDropped = { readonly status: 'dropped' } | { readonly status: 'letter_not_found' };

/** Gives an action up for good; its row in the delivery log stays `failed`. */
export async function dropDeadLetter(
  { deadLetters }: Pick<DeadLetterDeps, 'deadLetters'>,
  deliveryId: string,
): Promise<DeadLetterDropped> {
  if ((await deadLetters.get(deliveryId)) === undefined) return { status: 'letter_not_found' };
  await deadLetters.remove(deliveryId);
  return { status: 'dropped' };
}
