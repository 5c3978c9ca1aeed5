import { READABLE_VERSIONS } from '@sluice/contract/delivery/groups';
import type { Handled, TakenJob } from '@sluice/queue/consumer-worker';
import { unpackActions } from '@sluice/queue/packed-actions';
import { fieldsOf } from './untrusted-fields.ts';

type Handle = (job: TakenJob) => Promise<Handled>;

/**
 * Lists the actions of packed groups before the handler gets their jobs. A job whose packed text is damaged stays as it was
 * enqueued. The handler stores it as a dead letter, as it does with every job without actions.
 */
export function unpackJobs(handle: Handle): Handle {
  return ({ id, data }) => handle({ id, data: unpacked(data) });
}

function unpacked(data: unknown): unknown {
  const { packed, ...group } = fieldsOf(data);
  if (packed === undefined || !READABLE_VERSIONS.includes(group.v)) return data;
  const actions = unpackActions(packed);
  return actions === undefined ? data : { ...group, actions };
}

/** The number of actions in a job of the queue `actions`, packed or not. 1 for a malformed one. */
export function actionsIn(data: unknown): number {
  const { actions, packed, sequences } = fieldsOf(data);
  const listed = packed === undefined ? actions : sequences;
  return Array.isArray(listed) ? listed.length : 1;
}
