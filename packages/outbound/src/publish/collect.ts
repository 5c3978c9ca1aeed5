import { hasMessages, type PendingChange } from '@sluice/contract/message/change';
import type { OutboundChange } from '@sluice/store/outbound/outbound-changes';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import { filteredBy, outboundRow, type Unsendable } from './outbound-row.ts';
import type { SubscriptionList } from './subscription-lists.ts';

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
      const read = outboundRow(record, change, index, (of) => list.collects(change.kind, of));
      if (read.status === 'row') {
        if (seen.has(read.row.change_id)) return [];
        seen.add(read.row.change_id);
        return [read.row];
      }
      if (read.status === 'unsendable') onUnsendable(read.change);
      return [];
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
