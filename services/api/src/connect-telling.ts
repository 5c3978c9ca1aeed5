import type { ReplicaWait } from '@sluice/admission/replica-wait';
import { createLinker } from '@sluice/conversations/linker';
import { createLeadDeps } from '@sluice/leads/deps';
import { connectOutbound } from '@sluice/outbound/publish/connect-outbound';
import { createTeller, type Teller } from '@sluice/outbound/publish/teller';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Store } from '@sluice/store/connect';
import type { Conversation } from '@sluice/store/conversations/conversation-document';
import type { Redis } from 'ioredis';
import type { Warnings } from './warnings.ts';

export interface ConnectTellingDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: Store;
  readonly replicaWaits: readonly ReplicaWait[];
  readonly logger: Pick<Logger, 'error'>;
  readonly warnings: Warnings;
  readonly now: () => number;
}

/** Changes leads and conversations, links them to each other, and reports their changes to webhook subscriptions. */
export function connectTelling(deps: ConnectTellingDeps) {
  const { redis, shards, store, replicaWaits, logger, warnings, now } = deps;
  const onError = warnings.warn('telling.failed');
  const telling = connectOutbound({
    ...{ redis, shards, store, replicaWaits, now, onError },
    eraseLog: store.webhookMessages.eraseRecords,
    onUnsendable: (change) =>
      logger.error({ event: 'telling.unsendable', ...change }, 'a change can never be sent'),
  });
  const teller: Teller = createTeller({
    ...{ ...store, outbound: telling.outbound, onError },
    linkLeads: (accountId, records) => linker.leadsChanged(accountId, records),
  });
  const leadDeps = createLeadDeps(store, { teller, now });
  const linker = createLinker({
    ...{ ...store, leadDeps },
    onChange: warnings.warnUnexpected('linking.failed'),
  });
  return {
    ...{ telling, teller, leadDeps, linker, linkSoon: linker.linkSoon },
    onTellingChanged: warnings.warnUnexpected('telling.failed'),
    tell({ conversation_id: id, account_id, untold: changes }: Conversation) {
      if (changes.length > 0) teller.told({ collection: 'conversations', id, account_id, changes });
    },
  };
}
