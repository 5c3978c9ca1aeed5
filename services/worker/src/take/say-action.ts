import { parseActionText } from '@sluice/contract/parse-action';
import { fieldsOf, isText } from './shapes.ts';

/** A member of a group with its action, where it leaves that to its kept body (contract: EnqueuedAction). */
export function sayAction(enqueued: unknown): unknown {
  const { action, request } = fieldsOf(enqueued);
  const { body } = fieldsOf(request);
  if (action !== undefined || !isText(body)) return enqueued;
  const parsed = parseActionText(body);
  return parsed.outcome === 'valid' ? { ...fieldsOf(enqueued), action: parsed.action } : enqueued;
}
