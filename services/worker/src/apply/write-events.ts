import type { EventWriteResult, LatePending } from '@sluice/store/events/event-document';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import type { EventStore } from '../ports.ts';
import { type PlannedWrite, planWrite } from './event-write.ts';
import type { FoldedEvent } from './fold-event.ts';
import type { WantedAccounts } from './wanted-accounts.ts';

export interface EventPublishing {
  readonly wantedAccounts: WantedAccounts;
  /** Receives the pending changes of each event that was written. */
  readonly tell: (record: PendingRecord) => void;
  /** Adds changes to events that were written without them. */
  readonly keepPending: (late: readonly LatePending[]) => Promise<void>;
}

export interface WriteEventsDeps {
  readonly events: Pick<EventStore, 'writeEvents'>;
  readonly now: () => number;
  /** How long a deleted event is remembered. */
  readonly tombstoneMs: number;
  /** Absent: no subscription wants changes of events. */
  readonly publishing?: EventPublishing | undefined;
}

export type WriteEvents = (changed: readonly FoldedEvent[]) => Promise<readonly EventWriteResult[]>;

/** Writes changed events with their pending changes, and tells what was written. */
export function createWriteEvents({ events, now, tombstoneMs, publishing }: WriteEventsDeps): WriteEvents {
  /**
   * A write may wait for MongoDB for minutes, and an account's first subscription be created meanwhile. Then its changes are
   * kept afterwards. They are lost only if this process dies in between.
   */
  async function keepLate(
    { wantedAccounts, tell, keepPending }: EventPublishing,
    written: readonly FoldedEvent[],
    nowMs: number,
  ): Promise<void> {
    const keeps = await wantedAccounts.ask(accountsOf(written));
    const planned = written.flatMap((one) => {
      const { write, untold } = planWrite(one, { nowMs, tombstoneMs, keeps });
      return untold === undefined || write.event.untold === undefined ? [] : [{ write, untold }];
    });
    if (planned.length === 0) return;
    await keepPending(planned.map(({ write }) => toLate(write)));
    // The tombstone expires in any case, long after the changes are published.
    for (const { untold } of planned) tell({ ...untold, expires_at: undefined });
  }

  return async (changed) => {
    if (changed.length === 0) return [];
    const accounts = accountsOf(changed);
    const asked = (await publishing?.wantedAccounts.ask(accounts)) ?? keepsNothing;
    const kept = new Set([...accounts].filter(asked));
    const keeps = (accountId: string) => kept.has(accountId);
    const nowMs = now();
    const planned = changed.map((one) => planWrite(one, { nowMs, tombstoneMs, keeps }));
    const results = await events.writeEvents(planned.map(({ write }) => write));
    if (publishing === undefined) return results;
    const isWritten = (_: unknown, index: number) => results[index]?.status === 'written';
    for (const { untold } of planned.filter(isWritten)) if (untold !== undefined) publishing.tell(untold);
    const unsure = [...accounts].filter((id) => !kept.has(id) && !publishing.wantedAccounts.isCurrent(id));
    if (unsure.length > 0) {
      const late = changed.filter(isWritten).filter(({ event }) => unsure.includes(event.account_id));
      await keepLate(publishing, late, nowMs);
    }
    return results;
  };
}

const keepsNothing = () => false;

function accountsOf(folded: readonly FoldedEvent[]): ReadonlySet<string> {
  return new Set(folded.map(({ event }) => event.account_id));
}

function toLate({ event, newRevision }: PlannedWrite['write']): LatePending {
  const { event_id, untold } = event;
  if (untold === undefined) throw new Error(`${event_id} has no pending changes`);
  return { event_id, revision: newRevision, untold };
}
