import type { Action } from '@sluice/contract/action';
import { admittedDeliveryId, otherDeliveryId } from '@sluice/contract/delivery-id';
import { parseActionText } from '@sluice/contract/parse-action';
import { type Fields, fieldsOf, isId, isSequence, isText } from './shapes.ts';

/** A member of a group with all that is left out of it because it can be told from the rest (contract: EnqueuedAction). */
export function sayAction(enqueued: unknown): unknown {
  const fields = fieldsOf(enqueued);
  const ids = idsOf(fields);
  const action = actionOf(fields);
  return ids === undefined && action === undefined
    ? enqueued
    : { ...fields, ...ids, ...(action && { action }) };
}

/** undefined: it has its own, or they cannot be told. */
function idsOf({ delivery_id, source_id, request_id, sequence, repeated }: Fields) {
  if (delivery_id !== undefined || !isId(source_id) || !isId(request_id) || !isSequence(sequence))
    return undefined;
  const first = admittedDeliveryId(source_id, sequence);
  return repeated === true
    ? { delivery_id: otherDeliveryId(request_id), duplicate_of: first }
    : { delivery_id: first, duplicate_of: null };
}

function actionOf({ action, request }: Fields): Action | undefined {
  const { body } = fieldsOf(request);
  if (action !== undefined || !isText(body)) return undefined;
  const parsed = parseActionText(body);
  return parsed.outcome === 'valid' ? parsed.action : undefined;
}
