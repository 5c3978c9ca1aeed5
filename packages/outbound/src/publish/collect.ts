import { hasMessages, type MessageChange, type PendingChange } from '@sluice/contract/message/change';
import { changeId } from '@sluice/contract/message/outbound-ids';
import { outboundText } from '@sluice/contract/message/outbound-text';
import type { OutboundChange } from '@sluice/store/outbound/outbound-changes';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import type { SubscriptionFilter } from '@sluice/store/subscriptions/subscription-document';
import type { SubscriptionList } from './subscription-lists.ts';

/** A change without a text: it can never be sent. */
export interface Unsendable {
  readonly record_id: string;
  readonly account_id: string;
  readonly kind: string;
  readonly sequence: number;
  readonly reason: string;
}

/** Larger than any change within the limits of requests (docs/limits.md). In UTF-16 units. */
const MAX_TEXT = 1024 * 1024;

/**
 * The changes that some subscription collects, each once: a record that changed twice before it was published is there twice, the second time with both changes.
 */
export function collect(
  list: SubscriptionList,
  records: readonly PendingRecord[],
  onUnsendable: (change: Unsendable) => void,
): OutboundChange[] {
  const seen = new Set<string>();
  return records.flatMap((record) =>
    record.changes.flatMap((change, index): OutboundChange[] => {
      if (!hasMessages(change)) return [];
      try {
        const row = rowOf(list, record, { change, index });
        if (row === undefined || seen.has(row.change_id)) return [];
        seen.add(row.change_id);
        return [row];
      } catch (error) {
        const { kind, sequence } = change;
        const reason = error instanceof Error ? error.message : String(error);
        onUnsendable({ record_id: record.id, account_id: record.account_id, kind, sequence, reason });
        return [];
      }
    }),
  );
}

/** The ids of the messages. */
export function repliesWithoutUrl(
  list: Pick<SubscriptionList, 'collects'>,
  records: readonly PendingRecord[],
): readonly string[] {
  const replies = records.flatMap(({ changes }) => changes.filter(isReply));
  return replies
    .filter((reply) => !list.collects('conversation.reply', filteredBy(reply)))
    .map(({ data }) => String(data.id));
}

function isReply({ kind }: PendingChange): boolean {
  return kind === 'conversation.reply';
}

/** The stored form of a change. Undefined: no subscription collects it. Throws if it can't be sent. */
function rowOf(
  list: SubscriptionList,
  { id, account_id, texts }: PendingRecord,
  { change, index }: { readonly change: MessageChange; readonly index: number },
): OutboundChange | undefined {
  const { kind, sequence, at } = change;
  const filtered = filteredBy(change);
  if (!list.collects(kind, filtered)) return undefined;
  const text = texts?.[index] ?? outboundText(change, account_id);
  if (text.length > MAX_TEXT) throw new Error(`its text has ${text.length} characters`);
  const common = { change_id: changeId(id, sequence, kind), account_id, kind, record_id: id, sequence, at };
  return { ...common, text, ...filtered };
}

/** The values that filters of subscriptions compare. */
function filteredBy({ kind, data }: Pick<PendingChange, 'kind' | 'data'>): SubscriptionFilter {
  const text = (name: string, of: unknown = data) => {
    const value = (of as Record<string, unknown> | undefined)?.[name];
    return typeof value === 'string' ? { [name]: value } : {};
  };
  if (kind.startsWith('event.') || kind.startsWith('source.')) return text('source_id');
  if (kind.startsWith('lead.')) return text('stage');
  // A message has its conversation inside.
  return { ...text('channel_id'), ...text('channel_id', data.conversation ?? {}) };
}
