import { createErasedRecords } from '@sluice/outbound/publish/erased-records';
import { createFanOut } from '@sluice/outbound/publish/fan-out';
import type { Unsendable } from '@sluice/outbound/publish/outbound-row';
import { createPublisher, type Publisher } from '@sluice/outbound/publish/publisher';
import {
  type CollectingSubscription,
  createSubscriptionLists,
} from '@sluice/outbound/publish/subscription-lists';
import type { UsedLeads } from '../../../leads/support.ts';
import { MemoryMailboxes } from './memory-mailboxes.ts';

export interface OutboundParts {
  readonly memory: MemoryMailboxes;
  readonly publisher: Publisher;
  readonly unsendable: Unsendable[];
  readonly errors: unknown[];
  /** The ids of replies that were ended for want of a reply URL. */
  readonly failedReplies: string[];
  /** The subscriptions of every account. Renew the version after a change. */
  subscriptions: CollectingSubscription[];
  reads: number;
}

/** A publisher whose mailboxes are in memory and whose store is real. */
export function createOutbound({ store }: Pick<UsedLeads, 'store'>): OutboundParts {
  const memory = new MemoryMailboxes();
  const parts = {
    ...{ memory, unsendable: [] as Unsendable[], errors: [] as unknown[], reads: 0 },
    failedReplies: [] as string[],
    subscriptions: [] as CollectingSubscription[],
  };
  const read = async () => {
    parts.reads += 1;
    return parts.subscriptions;
  };
  const erased = createErasedRecords({ ...store, directory: memory, mailboxes: memory });
  const fanOut = createFanOut({
    ...{ directory: memory, mailboxes: memory, outboundChanges: store.outboundChanges },
    lists: createSubscriptionLists({ read }),
    republish: (accountId) => memory.renewVersion(accountId),
    withoutPublished: (records) => store.untold.withoutPublished(records),
    withoutErased: erased.withoutErased,
    failReplies: async (ids) => void parts.failedReplies.push(...ids),
    onUnsendable: (change) => parts.unsendable.push(change),
  });
  const publisher = createPublisher({
    ...store,
    outbound: { erased, fanOut, forgetLater: { add: () => {} } },
    onError: (error) => parts.errors.push(error),
  });
  return Object.assign(parts, { publisher });
}

export const subscription = (
  subscription_id: string,
  events: readonly string[] = ['*'],
  rest: Partial<CollectingSubscription> = {},
): CollectingSubscription => ({ subscription_id, kind: 'webhook', events, ...rest });
