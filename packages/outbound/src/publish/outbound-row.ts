import type { MessageChange, PendingChange } from '@sluice/contract/message/change';
import { changeId } from '@sluice/contract/message/outbound-ids';
import { outboundText } from '@sluice/contract/message/outbound-text';
import type { OutboundChange } from '@sluice/store/outbound/outbound-changes';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import type { SubscriptionFilter } from '@sluice/store/subscriptions/subscription-document';

/** A change without a text: it can never be sent. */
export interface Unsendable {
  readonly record_id: string;
  readonly account_id: string;
  readonly kind: string;
  readonly sequence: number;
  readonly reason: string;
}

export type ReadRow =
  | { readonly status: 'row'; readonly row: OutboundChange }
  /** No subscription collects it. */
  | { readonly status: 'unwanted' }
  | { readonly status: 'unsendable'; readonly change: Unsendable };

/** Larger than any change within the limits of requests (docs/limits.md). In UTF-16 units. */
const MAX_TEXT = 1024 * 1024;

/** The stored form of a change, if a subscription collects it. Never throws. */
export function outboundRow(
  { id, account_id, texts }: Pick<PendingRecord, 'id' | 'account_id' | 'texts'>,
  change: MessageChange,
  index: number,
  isWanted: (of: SubscriptionFilter) => boolean,
): ReadRow {
  const { kind, sequence, at } = change;
  const unsendable = (reason: string): ReadRow => ({
    status: 'unsendable',
    change: { record_id: id, account_id, kind, sequence, reason },
  });
  try {
    const filtered = filteredBy(change);
    if (!isWanted(filtered)) return { status: 'unwanted' };
    const text = texts?.[index] ?? outboundText(change, account_id);
    if (text.length > MAX_TEXT) return unsendable(`its text has ${text.length} characters`);
    const common = { change_id: changeId(id, sequence, kind), account_id, kind, record_id: id, sequence, at };
    return { status: 'row', row: { ...common, text, ...filtered } };
  } catch (error) {
    return unsendable(String(error));
  }
}

/** The values that filters of subscriptions compare. */
export function filteredBy({ kind, data }: Pick<PendingChange, 'kind' | 'data'>): SubscriptionFilter {
  const text = (name: string, of: unknown = data) => {
    const value = (of as Record<string, unknown> | undefined)?.[name];
    return typeof value === 'string' ? { [name]: value } : {};
  };
  if (kind.startsWith('event.') || kind.startsWith('source.')) return text('source_id');
  if (kind.startsWith('lead.')) return text('stage');
  // A message has its conversation inside.
  return { ...text('channel_id'), ...text('channel_id', data.conversation ?? {}) };
}
