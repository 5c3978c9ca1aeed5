import { titleOf } from '@sluice/contract/delivery/action-title';
import { type Delivery, type Outcome, UNAPPLIED } from '@sluice/contract/delivery/delivery';
import type { AdmittedAction, AnyAction, RefusedRequest } from '@sluice/contract/delivery/groups';
import type { Action } from '@sluice/contract/event/action';
import { eventIdOf } from '@sluice/contract/event/event-id';
import { PROBLEMS } from '@sluice/contract/problem/problem';
import { optionalRowFields } from '../take/optional-row-fields.ts';
import {
  fieldsOf,
  isDeliveryAction,
  isId,
  isIdentity,
  isInstant,
  isSequence,
  isText,
} from '../take/untrusted-fields.ts';

/** Fields of every accepted request. It got a 200, whatever its outcome. */
const ACCEPTED = { http_status: 200, code: null, count: 1 } as const;

export interface AppliedOutcome {
  /** Null for an action of a channel. */
  readonly event_id: string | null;
  /** Only an action of a channel has it. */
  readonly conversation_id?: string;
  readonly outcome: Outcome;
  readonly reason: string | null;
  /** The action is of an erased person, so the row gets no content. */
  readonly isErased?: boolean;
}

/** The row of an action that was applied or rejected by the store at `appliedAt` (ms since the Unix epoch). */
export function rowOfAction(
  admitted: AdmittedAction<AnyAction>,
  { event_id, conversation_id, outcome, reason, isErased = false }: AppliedOutcome,
  appliedAt: number,
): Delivery {
  const { action } = admitted;
  // Assigned field by field. A spread would create an object in V8's slow mode, which costs seven times as much.
  const row: Delivery = {
    delivery_id: admitted.delivery_id,
    source_id: admitted.source_id,
    account_id: admitted.account_id,
    request_id: admitted.request_id,
    sequence: admitted.sequence,
    received_at: admitted.received_at,
    duplicate_of: admitted.duplicate_of,
    http_status: ACCEPTED.http_status,
    code: ACCEPTED.code,
    count: ACCEPTED.count,
    action: action.kind,
    title: isErased ? null : titleOf(action),
    event_id,
    outcome,
    reason,
    applied_at: appliedAt,
  };
  const more = conversation_id === undefined ? idIn((action as Action).external_id) : { conversation_id };
  const kept = isErased ? { ...admitted, request: undefined } : admitted;
  return Object.assign(row, more, optionalRowFields(kept, outcome));
}

function idIn(external_id: unknown): Pick<Delivery, 'external_id'> {
  return isText(external_id) ? { external_id } : {};
}

/** The row of a request that was rejected or not applied, logged at `loggedAt` (ms since the Unix epoch). */
export function rowOfRefusal(refusal: RefusedRequest, loggedAt: number): Delivery {
  const result = resultOf(refusal);
  const kept = optionalRowFields(refusal, result.outcome);
  const { delivery_id, request_id, source_id, account_id, received_at, action, title, reason } = refusal;
  const known = { delivery_id, request_id, source_id, account_id, received_at, action, title, reason };
  const unknown = { sequence: null, event_id: null, duplicate_of: null };
  return {
    ...known,
    ...unknown,
    ...idIn(refusal.external_id),
    ...kept,
    ...result,
    count: 1,
    applied_at: loggedAt,
  };
}

function resultOf({
  code,
  unapplied,
}: RefusedRequest): Pick<Delivery, 'http_status' | 'outcome' | 'code' | 'unapplied'> {
  if (code !== null) return { http_status: PROBLEMS[code].status, outcome: 'rejected', code };
  return { http_status: ACCEPTED.http_status, outcome: UNAPPLIED[unapplied], code, unapplied };
}

/**
 * The row of an accepted request that this version can't read, from its readable fields.
 * Null if not even its owner is readable; it is then kept only as a dead letter.
 */
export function rowOfUnreadable(raw: unknown, reason: string, loggedAt: number): Delivery | null {
  const { delivery_id, request_id, source_id, account_id, received_at, sequence, duplicate_of, action } =
    fieldsOf(raw);
  if (!isId(delivery_id) || !isId(source_id) || !isId(account_id) || !isInstant(received_at)) return null;
  const { kind, identity, external_id } = fieldsOf(action);
  const { title } = fieldsOf(identity);
  return {
    ...ACCEPTED,
    delivery_id,
    source_id,
    account_id,
    received_at,
    request_id: isId(request_id) ? request_id : null,
    sequence: isSequence(sequence) ? sequence : null,
    duplicate_of: isText(duplicate_of) ? duplicate_of : null,
    action: isDeliveryAction(kind) ? kind : null,
    title: isText(title) ? title : null,
    event_id: isIdentity(identity) ? eventIdOf(source_id, { identity, ...idIn(external_id) }) : null,
    ...idIn(external_id),
    outcome: 'failed',
    reason,
    applied_at: loggedAt,
    ...optionalRowFields(raw, 'failed'),
  };
}
