import { outboundText } from '@sluice/contract/message/outbound-text';
import type { EventWrite } from '@sluice/store/events/event-document';
import { readPending, type TextedChange, withPending } from '@sluice/store/events/event-pending';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import { eventChanges } from './event-changes.ts';
import type { FoldedEvent } from './fold-event.ts';

/** A write, and the changes to tell once it has taken effect. */
export interface PlannedWrite {
  readonly write: EventWrite;
  readonly untold: PendingRecord | undefined;
}

export interface WriteSettings {
  readonly nowMs: number;
  /** How long a deleted event is remembered. */
  readonly tombstoneMs: number;
  /** Whether a subscription wants the changes of an account's events. */
  readonly keeps: (accountId: string) => boolean;
}

/**
 * A revision is never reused, because it is at least the current time in milliseconds. An event whose tombstone has
 * expired is stored again at least a day after its last write. With a reused revision, a worker that loaded the
 * tombstone could overwrite the newer event.
 */
const nextRevision = (revision: number, nowMs: number): number => Math.max(revision + 1, nowMs);

/** The guarded write of a folded event, with its pending changes. */
export function planWrite(folded: FoldedEvent, { nowMs, tombstoneMs, keeps }: WriteSettings): PlannedWrite {
  const { event } = folded;
  const newRevision = nextRevision(event.revision, nowMs);
  const expiresAt = event.state.content === null ? nowMs + tombstoneMs : null;
  const write: EventWrite = {
    event,
    expectedRevision: event.revision,
    newRevision,
    expiresAt,
    expectedPending: event.untold?.sequence,
  };
  const changes = keeps(event.account_id)
    ? eventChanges(folded, { revision: newRevision, at: nowMs }).map((change) => ({
        change,
        text: outboundText(change, event.account_id),
      }))
    : [];
  const untold = withPending(event.untold, changes);
  if (untold === undefined) return { write, untold: undefined };
  const all = event.untold === undefined ? changes : [...readPending(event.untold), ...changes];
  return { write: { ...write, event: { ...event, untold } }, untold: recordOf(folded, all, expiresAt) };
}

function recordOf(
  { event: { event_id, account_id } }: FoldedEvent,
  changes: readonly TextedChange[],
  expiresAt: number | null,
): PendingRecord {
  return {
    collection: 'events',
    id: event_id,
    account_id,
    changes: changes.map(({ change }) => change),
    texts: changes.map(({ text }) => text),
    expires_at: expiresAt ?? undefined,
  };
}
