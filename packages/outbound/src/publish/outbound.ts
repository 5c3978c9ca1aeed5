import type { Store } from '@sluice/store/connect';
import type { SubscriptionDirectory } from '../directory/subscription-directory.ts';
import type { AccountLog } from '../log/account-log.ts';
import { createErasedRecords, type ErasedRecords } from './erased-records.ts';
import type { Unsendable } from './outbound-row.ts';
import type { Outbound } from './publish-records.ts';
import { createPublishToLog } from './publish-to-log.ts';
import { createRecent } from './recent.ts';
import { type CollectingSubscription, createSubscriptionLists } from './subscription-lists.ts';

export interface OutboundDeps {
  readonly store: Pick<
    Store,
    'leads' | 'untold' | 'erasedTraces' | 'outboundChanges' | 'conversationMessages'
  >;
  readonly directory: Pick<SubscriptionDirectory, 'version' | 'renewVersion'>;
  readonly log: AccountLog;
  /** Reads the subscriptions of an account that collect, in MongoDB. */
  readonly readSubscriptions: (accountId: string) => Promise<readonly CollectingSubscription[]>;
  /** Publishes the account's subscriptions, as MongoDB has them, in Redis. */
  readonly republish: (accountId: string) => Promise<unknown>;
  readonly eraseLog?: ((accountId: string, recordIds: readonly string[]) => Promise<void>) | undefined;
  readonly onUnsendable: (change: Unsendable) => void;
}

export interface OutboundPublishing extends Outbound {
  readonly erased: ErasedRecords;
  /** Whether a subscription collects reports of a source that rejects requests. Throws if a store is unavailable. */
  wantsRefusals(accountId: string, sourceId: string): Promise<boolean>;
  /** Call it when the connection to Redis was lost: Redis may have lost versions of lists. */
  dropLists(): void;
}

const NO_REPLY_URL = 'The channel has no reply URL.';

/** The parts that bring changes to subscriptions, made once for each process. */
export function createOutbound({ store, directory, log, ...deps }: OutboundDeps): OutboundPublishing {
  const lists = createSubscriptionLists({ read: deps.readSubscriptions });
  const erased = createErasedRecords({ ...store, directory, eraseLog: deps.eraseLog });
  const publishToLog = createPublishToLog({
    log,
    lists,
    outboundChanges: store.outboundChanges,
    withoutPublished: (records) => store.untold.withoutPublished(records),
    withoutErased: erased.withoutErased,
    republish: deps.republish,
    failReplies: (ids) => store.conversationMessages.failReplies(ids, NO_REPLY_URL),
    onUnsendable: deps.onUnsendable,
  });
  const refusals = createRecent({
    now: () => performance.now(),
    async read(accountId) {
      const found = await directory.version(accountId);
      return found.status === 'version' ? lists.of(accountId, found.version) : undefined;
    },
  });
  return {
    ...{ erased, publishToLog },
    async wantsRefusals(accountId, source_id) {
      const list = await refusals.of(accountId);
      // Not known: they are counted, and the publication of a report decides.
      return list === undefined || list.collects('source.refusing', { source_id });
    },
    dropLists: () => lists.clear(),
  };
}
