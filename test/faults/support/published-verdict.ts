import { changeId, messageId } from '@sluice/contract/message/outbound-ids';
import type { Store } from '@sluice/store/connect';
import type { ListedEvent } from '@sluice/store/events/listed-event';
import { PUBLISHED_COLLECTIONS } from '@sluice/store/pending/pending-record';

/** One message of a subscription, with the parts of its text that the test compares. */
export interface PublishedMessage {
  readonly message_id: string;
  readonly type: string;
  readonly sequence: number;
  readonly data: { readonly id: string; readonly title?: string; readonly price?: string } & {
    readonly previous?: { readonly price?: string };
  };
}

/** The number of records with pending changes. */
export async function countPending({ untold }: Pick<Store, 'untold'>): Promise<number> {
  const query = { before: Date.now() + 60_000, limit: 1000 };
  const pages = await Promise.all(
    PUBLISHED_COLLECTIONS.map((collection) => untold.pagePending({ ...query, collection })),
  );
  return pages.reduce((sum, { records, unreadable }) => sum + records.length + unreadable.length, 0);
}

/** The violations of the guarantee, in words. */
export function brokenChains(
  messages: readonly PublishedMessage[],
  events: readonly ListedEvent[],
): string[] {
  const broken: string[] = [];
  const ids = new Set(messages.map(({ message_id }) => message_id));
  if (ids.size < messages.length) broken.push(`${messages.length - ids.size} messages are doubled`);
  for (const [id, own] of groupedById(messages)) {
    own.slice(1).forEach(({ sequence }, index) => {
      if (sequence <= (own[index]?.sequence ?? 0)) broken.push(`${id}: out of order`);
    });
  }
  const byId = groupedById(messages);
  for (const { event_id, title, price } of events) {
    const own = byId.get(event_id) ?? [];
    if (own[0]?.type !== 'event.created') broken.push(`${title}: its creation is missing`);
    if (own.at(-1)?.data.price !== price) broken.push(`${title}: its last change is missing`);
    own.slice(1).forEach(({ data }, index) => {
      if (data.previous?.price !== own[index]?.data.price) broken.push(`${title}: a change is missing`);
    });
  }
  return broken;
}

/** The changes of leads, as their history has them, without a message. */
export async function pendingLeads(
  { leadHistory }: Pick<Store, 'leadHistory'>,
  messages: readonly PublishedMessage[],
  leadIds: readonly string[],
  subscriptionId: string,
): Promise<string[]> {
  const ids = new Set(messages.map(({ message_id }) => message_id));
  const missing: string[] = [];
  for (const leadId of leadIds) {
    let before: number | undefined;
    do {
      const { items, more } = await leadHistory.pageRows(leadId, {
        limit: 200,
        ...(before !== undefined && { before }),
      });
      for (const { kind, sequence } of items) {
        const id = messageId(changeId(leadId, sequence, kind), subscriptionId);
        if (!ids.has(id)) missing.push(`${leadId}: ${kind} ${sequence} is missing`);
      }
      before = more ? items.at(-1)?.sequence : undefined;
    } while (before !== undefined);
  }
  return missing;
}

function groupedById(messages: readonly PublishedMessage[]): Map<string, PublishedMessage[]> {
  const byId = new Map<string, PublishedMessage[]>();
  for (const message of messages) {
    const own = byId.get(message.data.id);
    if (own === undefined) byId.set(message.data.id, [message]);
    else own.push(message);
  }
  return byId;
}
