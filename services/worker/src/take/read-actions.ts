import { type AdmittedAction, READABLE_VERSIONS } from '@sluice/contract/groups';
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

/** A member of a group that can be applied, or else why it cannot. */
export type TakenAction =
  | { readonly status: 'readable'; readonly action: AdmittedAction }
  | {
      readonly status: 'unreadable';
      readonly raw: unknown;
      readonly reason: string;
      readonly letterId: string;
    };

/** What a job of the queue `actions` turned out to hold. */
export interface TakenActions extends GroupHead {
  readonly members: readonly TakenAction[];
}

/** Reads the payload of a job member by member, so that one that cannot be read harms no other. Never throws. */
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
    return { ...head, members: [unreadable(payload, 'The job holds no list of actions.', 0)] };
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
    return fault === null ? readable(raw as AdmittedAction) : unreadable(raw, fault, index);
  });
  return { ...head, members };
}

function readable(action: AdmittedAction): TakenAction {
  return { status: 'readable', action };
}

function faultOfAdmitted(raw: Fields): string | null {
  const ids = [raw.delivery_id, raw.request_id, raw.source_id, raw.account_id];
  if (!ids.every(isId)) return 'The action lacks one of delivery_id, request_id, source_id and account_id.';
  if (!isSequence(raw.sequence)) return 'The action has no sequence number.';
  if (!isInstant(raw.received_at)) return 'The action does not say when it was received.';
  if (!isTextOrNull(raw.duplicate_of)) return 'The action does not say whether it repeats another.';
  return faultOfAction(raw.action);
}
