import { parseConversationText } from '@sluice/contract/conversation/parse-conversation';
import { admittedDeliveryId, otherDeliveryId } from '@sluice/contract/delivery/delivery-id';
import type { AnyAction } from '@sluice/contract/delivery/groups';
import { parseActionText } from '@sluice/contract/event/parse-action';
import { type Fields, fieldsOf, isId, isSequence, isText } from './untrusted-fields.ts';

/** The sequence of a member, from the lists of its group if it has them (contract: ActionGroup). */
export interface ListedOrder {
  readonly sequence: unknown;
  readonly repeated: boolean;
}

/** Restores the fields that a job omits because they can be derived (contract: EnqueuedAction). */
export function expandAction(enqueued: unknown, listed: ListedOrder | undefined): unknown {
  const fields = fieldsOf(enqueued);
  const order = listed && orderOf(fields, listed);
  const action = actionOf(fields);
  if (order === undefined && action === undefined) return enqueued;
  // Not a spread, which takes V8 ten times as long.
  return Object.assign({}, fields, order, action && { action });
}

/** Undefined if the fields for it are missing or invalid. */
function orderOf({ source_id, request_id }: Fields, { sequence, repeated }: ListedOrder) {
  if (!isId(source_id) || !isId(request_id) || !isSequence(sequence)) return undefined;
  const first = admittedDeliveryId(source_id, sequence);
  return repeated
    ? { sequence, delivery_id: otherDeliveryId(request_id), duplicate_of: first }
    : { sequence, delivery_id: first, duplicate_of: null };
}

function actionOf({ action, request, source_kind }: Fields): AnyAction | undefined {
  const { body } = fieldsOf(request);
  if (action !== undefined || !isText(body)) return undefined;
  const parsed = source_kind === 'channel' ? parseConversationText(body) : parseActionText(body);
  return parsed.outcome === 'valid' ? parsed.action : undefined;
}
