import { formatInstant } from '../time/instant.ts';
import type { PendingChange } from './change.ts';
import { type ChangeKind, type EventKind, findEventKind } from './event-kinds.ts';
import { SAMPLE_AT } from './event-samples.ts';

/**
 * The text of a change: everything of a message's body after its id. It is stored once for all subscriptions. Deliveries and
 * samples use this text, so both have the same form.
 */
export function outboundText(
  { kind, at, sequence, actor, data, previous }: PendingChange,
  accountId: string,
): string {
  const rest = {
    type: kind,
    timestamp: formatInstant(at),
    account_id: accountId,
    sequence,
    // An import's id and the note of a change are for the history only.
    actor: { type: actor.type, id: actor.id },
    data: previous === undefined ? data : { ...data, previous },
  };
  return JSON.stringify(rest).slice(1);
}

/** The body of a message. Attempts sign and send exactly these characters, in UTF-8. */
export function messageBody(messageId: string, text: string): string {
  return `{"id":${JSON.stringify(messageId)},${text}`;
}

/** A made-up change of a kind. The serializer of deliveries turns it into a message. */
export function sampleChange(kind: ChangeKind): PendingChange {
  const at = Date.parse(SAMPLE_AT);
  const { sample } = findEventKind(kind) as EventKind;
  return { sequence: at * 1000, kind, at, actor: { type: 'system', id: 'sample' }, ...sample };
}
