import { type AdmittedAction, GROUP_VERSION, RERUN_GROUP_PREFIX } from '@sluice/contract/groups';
import { newId } from '@sluice/credentials/ids';
import type { DeadLetters, StoredDeadLetter } from '@sluice/queue/dead-letters';
import type { Producer } from '@sluice/queue/producer';

export interface DeadLetterDeps {
  readonly deadLetters: Pick<DeadLetters, 'list' | 'get' | 'remove'>;
  readonly producer: Pick<Producer, 'enqueueActions'>;
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
 * nothing.
 */
export async function retryDeadLetter(deps: DeadLetterDeps, deliveryId: string): Promise<DeadLetterRetried> {
  const letter = await deps.deadLetters.get(deliveryId);
  if (letter === undefined) return { status: 'letter_not_found' };
  // The worker reads actions anew from every group, whatever this says of their shape.
  const action = letter.action as AdmittedAction;
  await deps.producer.enqueueActions({
    v: GROUP_VERSION,
    group_id: RERUN_GROUP_PREFIX + newId('grp'),
    actions: [action],
  });
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
