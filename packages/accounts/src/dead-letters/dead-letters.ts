import {
  type AdmittedAction,
  groupVersionOf,
  isNewerVersion,
  RERUN_GROUP_PREFIX,
  type RefusedRequest,
} from '@sluice/contract/delivery/groups';
import { EVENT_FIELDS } from '@sluice/contract/event/event-fields';
import { newId } from '@sluice/credentials/ids';
import type { DeadLetters, StoredDeadLetter } from '@sluice/queue/dead-letters';
import type { Producer } from '@sluice/queue/producer';

export interface DeadLetterDeps {
  readonly deadLetters: Pick<DeadLetters, 'get' | 'remove'>;
  readonly producer: Pick<Producer, 'enqueueActions' | 'enqueueRefusals'>;
}

export type DeadLetterRetried = { readonly status: 'retried' } | { readonly status: 'letter_not_found' };

/**
 * Enqueues a dead letter's action again, unchanged. It keeps its sequence number, so it cannot overwrite newer actions,
 * and its delivery, whose row the worker replaces. It may fail again and return to the dead letters.
 *
 * The worker removes the letter once the action is applied. Until then the letter stays; applying twice has one effect.
 * An unreadable rejected request is logged as intended and never applied.
 */
export async function retryDeadLetter(deps: DeadLetterDeps, deliveryId: string): Promise<DeadLetterRetried> {
  const letter = await deps.deadLetters.get(deliveryId);
  if (letter === undefined) return { status: 'letter_not_found' };
  const group_id = RERUN_GROUP_PREFIX + newId('grp');
  // The worker parses every group, whatever its version. Only a letter from a newer worker keeps its version, so that a
  // newer worker reads it.
  const v = isNewerVersion(letter.v) ? letter.v : groupVersionOf(fieldsOf(letter.action).action);
  const group = { v, group_id, letter_id: deliveryId };
  if (letter.refused === true)
    await deps.producer.enqueueRefusals({ ...group, refusals: [letter.action as RefusedRequest] });
  else await deps.producer.enqueueActions({ ...group, actions: [letter.action as AdmittedAction] });
  return { status: 'retried' };
}

export type DeadLetterDropped = { readonly status: 'dropped' } | { readonly status: 'letter_not_found' };

/** Whether there was such a letter, for the audit log. */
export const isFound = ({ status }: DeadLetterRetried | DeadLetterDropped): boolean =>
  status !== 'letter_not_found';

/** Drops an action permanently. Its row in the delivery log stays `failed`. */
export async function dropDeadLetter(
  { deadLetters }: Pick<DeadLetterDeps, 'deadLetters'>,
  deliveryId: string,
): Promise<DeadLetterDropped> {
  if ((await deadLetters.get(deliveryId)) === undefined) return { status: 'letter_not_found' };
  await deadLetters.remove(deliveryId);
  return { status: 'dropped' };
}

/** The fields of a dead letter that people see; null if the letter lacks the field. */
interface LetterFields {
  readonly account_id: string | null;
  readonly source_id: string | null;
  /** The kind of its action. */
  readonly kind: string | null;
  readonly title: string | null;
}

/** Reads a dead letter. An enqueued action or refusal may have any shape, so only strings are read from it. */
export function letterFields({ action: letter }: Pick<StoredDeadLetter, 'action'>): LetterFields {
  const raw = fieldsOf(letter);
  const action = fieldsOf(raw.action);
  const conversation = fieldsOf(action.conversation);
  const titles = [
    fieldsOf(action.identity).title,
    conversation.subject,
    conversation.external_id,
    // A refusal names its kind and title itself.
    raw.title,
  ];
  return {
    account_id: textOf(raw.account_id),
    source_id: textOf(raw.source_id),
    kind: textOf(action.kind) ?? textOf(raw.action),
    title:
      titles
        .map(textOf)
        .find((title) => title !== null)
        ?.slice(0, EVENT_FIELDS.title.max) ?? null,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A dead letter as shown in the audit log. */
export function letterTarget(letter: StoredDeadLetter): { id: string; name: string } {
  return { id: letter.delivery_id, name: letterFields(letter).title ?? letter.delivery_id };
}
