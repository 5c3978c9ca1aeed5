import { type AdmittedAction, type AnyAction, READABLE_VERSIONS } from '@sluice/contract/delivery/groups';
import { faultOfConversation, isOfConversation } from './conversation-fields.ts';
import { expandAction } from './expand-action.ts';
import { type GroupHead, letterIdOf, readHead } from './group-head.ts';
import {
  type Fields,
  faultOfAction,
  fieldsOf,
  isId,
  isInstant,
  isSequence,
  isTextOrNull,
} from './untrusted-fields.ts';

/** A readable member of a group, or an unreadable one with the reason. */
export type TakenAction =
  | { readonly status: 'readable'; readonly action: AdmittedAction<AnyAction> }
  | {
      readonly status: 'unreadable';
      readonly raw: unknown;
      readonly reason: string;
      readonly letterId: string;
    };

/** The content of a job of the queue `actions`. */
export interface TakenActions extends GroupHead {
  readonly members: readonly TakenAction[];
}

/** Reads the payload of a job member by member, so that an unreadable one doesn't affect the others. Never throws. */
export function readActions(payload: unknown, jobId: string): TakenActions {
  const { v, actions, sequences, repeated } = fieldsOf(payload);
  const head = readHead(payload, jobId);
  const unreadable = (raw: unknown, reason: string, index: number): TakenAction => ({
    status: 'unreadable',
    raw,
    reason,
    letterId: letterIdOf(head, raw, index),
  });
  if (!Array.isArray(actions)) {
    return { ...head, members: [unreadable(payload, 'The job contains no list of actions.', 0)] };
  }
  const wrongVersion = READABLE_VERSIONS.includes(v)
    ? null
    : `This version knows no group of version ${String(v)}.`;
  const repetitions = new Set(Array.isArray(repeated) ? repeated : []);
  const listed = (index: number) =>
    Array.isArray(sequences) ? { sequence: sequences[index], repeated: repetitions.has(index) } : undefined;
  const members = actions.map((enqueued: unknown, index) => {
    const raw = expandAction(enqueued, listed(index));
    const fault = wrongVersion ?? faultOfAdmitted(fieldsOf(raw));
    return fault === null ? readable(raw as AdmittedAction<AnyAction>) : unreadable(raw, fault, index);
  });
  return { ...head, members };
}

function readable(action: AdmittedAction<AnyAction>): TakenAction {
  return { status: 'readable', action };
}

function faultOfAdmitted(raw: Fields): string | null {
  const ids = [raw.delivery_id, raw.request_id, raw.source_id, raw.account_id];
  if (!ids.every(isId)) return 'The action lacks delivery_id, request_id, source_id or account_id.';
  if (!isSequence(raw.sequence)) return 'The action has no sequence number.';
  if (!isInstant(raw.received_at)) return 'The action has no valid received_at.';
  if (!isTextOrNull(raw.duplicate_of)) return 'The action has no valid duplicate_of.';
  return isOfConversation(raw.action) ? faultOfConversation(raw.action) : faultOfAction(raw.action);
}
