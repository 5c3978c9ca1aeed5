import type { Store } from '@sluice/store/connect';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import type { AccountLog } from '../log/account-log.ts';
import { createErasedRecords, type ErasedRecords } from './erased-records.ts';
import { createFanOut } from './fan-out.ts';
import { createForgetLater } from './forget-later.ts';
import type { Unsendable } from './outbound-row.ts';
import type { DirectoryPort, MailboxPort } from './ports.ts';
import type { Outbound } from './publish-records.ts';
import { createPublishToLog } from './publish-to-log.ts';
import { createRecent } from './recent.ts';
import { type CollectingSubscription, createSubscriptionLists } from './subscription-lists.ts';

export interface OutboundDeps {
  readonly store: Pick<
    Store,
    'leads' | 'untold' | 'erasedTraces' | 'outboundChanges' | 'conversationMessages'
  >;
  readonly directory: DirectoryPort;
  readonly mailboxes: MailboxPort;
  /** Present: changes go into it, and into no mailbox. */
  readonly log?: AccountLog | undefined;
  /** Reads the subscriptions of an account that collect, in MongoDB. */
  readonly readSubscriptions: (accountId: string) => Promise<readonly CollectingSubscription[]>;
  /** Publishes the account's subscriptions, as MongoDB has them, in Redis. */
  readonly republish: (accountId: string) => Promise<unknown>;
  readonly eraseLog?: ((accountId: string, recordIds: readonly string[]) => Promise<void>) | undefined;
  readonly replicaWait?: ((accountId: string) => () => Promise<void>) | undefined;
  readonly onUnsendable: (change: Unsendable) => void;
}

export interface OutboundPublishing extends Outbound {
  readonly erased: ErasedRecords;
  /** Whether a subscription collects reports of a source that rejects requests. Throws if a store is unavailable. */
  wantsRefusals(accountId: string, sourceId: string): Promise<boolean>;
  /** Call it when the connection to Redis was lost: Redis may have lost versions of lists. */
  dropLists(): void;
  /** Lets mailboxes forget what was published. Never rejects. */
  close(): Promise<void>;
}

const NO_REPLY_URL = 'The channel has no reply URL.';

/** The parts that bring changes to subscriptions, made once for each process. */
export function createOutbound({ store, directory, mailboxes, ...deps }: OutboundDeps): OutboundPublishing {
  const lists = createSubscriptionLists({ read: deps.readSubscriptions });
  const erased = createErasedRecords({ ...store, directory, mailboxes, eraseLog: deps.eraseLog });
  const forgetLater = createForgetLater({ mailboxes });
  const { log } = deps;
  const toSubscriptions = {
    ...{ directory, mailboxes, lists, outboundChanges: store.outboundChanges },
    withoutPublished: (records: readonly PendingRecord[]) => store.untold.withoutPublished(records),
    withoutErased: erased.withoutErased,
    republish: deps.republish,
    replicaWait: deps.replicaWait,
    failReplies: (ids: readonly string[]) => store.conversationMessages.failReplies(ids, NO_REPLY_URL),
    onUnsendable: deps.onUnsendable,
  };
  const fanOut =
    log === undefined
      ? createFanOut(toSubscriptions)
      : createPublishToLog({ ...toSubscriptions, outboundChanges: store.outboundChanges, log });
  const refusals = createRecent({
    now: () => performance.now(),
    async read(accountId) {
      const found = await directory.version(accountId);
      return found.status === 'version' ? lists.of(accountId, found.version) : undefined;
    },
  });
  return {
    ...{ erased, forgetLater, fanOut },
    async wantsRefusals(accountId, source_id) {
      const list = await refusals.of(accountId);
      // Not known: they are counted, and the fan-out of a report decides.
      return list === undefined || list.collecting('source.refusing', { source_id }).length > 0;
    },
    dropLists: () => lists.clear(),
    close: () => forgetLater.close(),
  };
}
