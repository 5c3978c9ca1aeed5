import type { ChangeKind } from '@sluice/contract/change';
import { MINUTE_MS } from '@sluice/contract/durations';
import { sampleChange } from '@sluice/contract/event-samples';
import { changeId, messageId } from '@sluice/contract/outbound-ids';
import { messageBody, outboundText } from '@sluice/contract/outbound-text';

/**
 * The body of a made-up message, made as deliveries are. Messages with different `index` have different ids and times, because
 * platforms dedupe by the id.
 */
export function madeUpMessage(kind: ChangeKind, accountId: string, index = 0): string {
  const sample = sampleChange(kind);
  const at = sample.at - index * MINUTE_MS;
  const change = { ...sample, at, sequence: at * 1000 };
  const id = messageId(changeId('sample', change.sequence, kind), 'sample');
  return messageBody(id, outboundText(change, accountId));
}
