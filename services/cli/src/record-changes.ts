import { createLinker, type Linker } from '@sluice/conversations/linker';
import { createLeadDeps, type LeadDeps } from '@sluice/leads/deps';
import { connectOutbound } from '@sluice/outbound/publish/connect-outbound';
import { createPublisher, type Publisher } from '@sluice/outbound/publish/publisher';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';
import type { OnClose } from './connecting.ts';

export interface RecordChangesParts {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: Store;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** The dependencies of changes of leads and conversations. */
export interface RecordChanges {
  readonly leadDeps: LeadDeps;
  readonly publisher: Pick<Publisher, 'publishSoon'>;
  readonly linkSoon: Linker['linkSoon'];
}

/**
 * Publishes the changes of this command, and links conversations to leads. The command ends once it has done so. What it cannot do
 * is stored with the records, and running services do it within 10 s.
 */
export function openRecordChanges(parts: RecordChangesParts, onClose: OnClose): RecordChanges {
  const { store, now } = parts;
  const leaveToServices = () => {};
  const { outbound } = connectOutbound({
    ...parts,
    eraseLog: store.webhookMessages.eraseRecords,
    onUnsendable: leaveToServices,
  });
  const publisher: Publisher = createPublisher({
    ...{ ...store, outbound, onError: leaveToServices },
    linkLeads: (accountId, records) => linker.leadsChanged(accountId, records),
  });
  const leadDeps = createLeadDeps(store, { publisher, now });
  const linker = createLinker({ ...store, leadDeps, onChange: leaveToServices });
  onClose(async () => {
    // Publishing finds conversations to link, and a link is a change that is published.
    await publisher.settled();
    await linker.stop();
    await publisher.settled();
  });
  return { leadDeps, publisher, linkSoon: linker.linkSoon };
}
