import { createLinker } from '@sluice/conversations/linker';
import { createLeadDeps } from '@sluice/leads/deps';
import { connectOutbound } from '@sluice/outbound/publish/connect-outbound';
import { createPublisher, type Publisher } from '@sluice/outbound/publish/publisher';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Store } from '@sluice/store/connect';
import type { Conversation } from '@sluice/store/conversations/conversation-document';
import type { Redis } from 'ioredis';
import type { Warnings } from './warnings.ts';

export interface ConnectPublishingDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: Store;
  readonly logger: Pick<Logger, 'error'>;
  readonly warnings: Warnings;
  readonly now: () => number;
}

/** Changes leads and conversations, links them to each other, and reports their changes to webhook subscriptions. */
export function connectPublishing(deps: ConnectPublishingDeps) {
  const { redis, shards, store, logger, warnings, now } = deps;
  const onError = warnings.warn('publish.failed');
  const publishing = connectOutbound({
    ...{ redis, shards, store, now, onError },
    eraseLog: store.webhookMessages.eraseRecords,
    onUnsendable: (change) =>
      logger.error({ event: 'publish.unsendable', ...change }, 'a change can never be sent'),
  });
  const publisher: Publisher = createPublisher({
    ...{ ...store, outbound: publishing.outbound, onError },
    linkLeads: (accountId, records) => linker.leadsChanged(accountId, records),
  });
  const leadDeps = createLeadDeps(store, { publisher, now });
  const linker = createLinker({
    ...{ ...store, leadDeps },
    onChange: warnings.warnUnexpected('linking.failed'),
  });
  return {
    ...{ publishing, publisher, leadDeps, linker, linkSoon: linker.linkSoon },
    onPublishChanged: warnings.warnUnexpected('publish.failed'),
    tell({ conversation_id: id, account_id, untold: changes }: Conversation) {
      if (changes.length > 0) publisher.publishSoon({ collection: 'conversations', id, account_id, changes });
    },
  };
}
