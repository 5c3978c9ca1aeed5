import type { PendingChange } from '@sluice/contract/message/change';
import type { EventPending } from './event-document.ts';

/** A change with its text (contract/message/outbound-text.ts). */
export interface TextedChange {
  readonly change: PendingChange;
  readonly text: string;
}

/**
 * A document of MongoDB has 16 MiB. What an event waits to tell gets half of it. One write adds at most two changes of 1 MiB, and the
 * event itself takes less than the rest. Bytes.
 */
const MOST_PENDING = 8 * 2 ** 20;
/** A text has at most so many bytes for each UTF-16 unit. */
const BYTES_PER_UNIT = 3;

/** Whether an event must publish some of its changes before it gets a further one. */
export function isFull({ json }: Pick<EventPending, 'json'>): boolean {
  return json.length * BYTES_PER_UNIT >= MOST_PENDING && Buffer.byteLength(json) >= MOST_PENDING;
}

/** Adds changes to those that are not published yet. They are the texts of messages: so they are encoded once. */
export function withPending(
  before: EventPending | undefined,
  changes: readonly TextedChange[],
): EventPending | undefined {
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined) return before;
  const added = changes.map(({ text }) => `{${text}`).join(',');
  const json = before === undefined ? `[${added}]` : `${before.json.slice(0, -1)},${added}]`;
  return { json, at: before?.at ?? first.change.at, sequence: last.change.sequence };
}

/** The changes of an event, with their texts. Throws for JSON that `withPending` has not made. */
export function readPending({ json }: Pick<EventPending, 'json'>): TextedChange[] {
  const list = JSON.parse(json) as Message[];
  return list.map((message) => {
    const { type: kind, timestamp, sequence, actor, data } = message;
    const { previous, ...record } = data;
    const change = { kind, at: Date.parse(timestamp), sequence, actor, data: record };
    return {
      change: previous === undefined ? change : { ...change, previous },
      // Objects keep the order of their keys, so this is the same text.
      text: JSON.stringify(message).slice(1),
    };
  });
}

/** A change as JSON, as outboundText makes it. */
interface Message extends Pick<PendingChange, 'sequence' | 'actor'> {
  readonly type: PendingChange['kind'];
  readonly timestamp: string;
  readonly data: { readonly previous?: PendingChange['previous'] };
}
