import type { Delivery } from '@sluice/contract/delivery/delivery';
import { GROUP_VERSION, isNewerVersion } from '@sluice/contract/delivery/groups';
import type { Handled, TakenJob } from '@sluice/queue/consumer-worker';
import { rowOfRefusal } from './delivery-log/delivery-rows.ts';
import { keptAgain } from './delivery-log/kept-again.ts';
import type { DeadLetterBox, DeliveryLog } from './ports.ts';
import { readRefusals, type TakenRefusals } from './take/read-refusals.ts';
import { fieldsOf } from './take/untrusted-fields.ts';
import { StoppedWhileWaiting } from './wait/wait-out.ts';

export interface ProcessRefusalsDeps {
  readonly deadLetters: DeadLetterBox;
  readonly log: Pick<DeliveryLog, 'insertDeliveries'>;
  /** How long the log keeps rows. Milliseconds. */
  readonly retentionMs: number;
  readonly observer: {
    refused(group: { group_id: string; logged: number; unreadable: number }): void;
    newer(version: number): void;
  };
  /** Receives the rows that were logged. Never rejects. Absent: no source is watched. */
  readonly onLogged?: ((rows: readonly Delivery[]) => Promise<void>) | undefined;
  readonly now: () => number;
}

const REASON = "This version of Sluice can't read the refusal.";

/** The path of refused requests: read and log. An unreadable refusal is kept as a dead letter. */
export function createProcessRefusals(deps: ProcessRefusalsDeps) {
  const { deadLetters, log, retentionMs, observer, onLogged, now } = deps;
  async function process({ group_id, rerun, rerunLetterId, members }: TakenRefusals): Promise<void> {
    const unreadable = members.filter((member) => member.status === 'unreadable');
    for (const { letterId, raw } of unreadable) {
      const letter = {
        v: GROUP_VERSION,
        failed_at: now(),
        reason: REASON,
        action: raw,
        refused: true,
      } as const;
      await deadLetters.add(letterId, letter);
    }
    const loggedAt = now();
    const logged = members.flatMap((member) =>
      member.status === 'readable' ? [rowOfRefusal(member.refusal, loggedAt)] : [],
    );
    const rows = rerun ? logged.map((row) => keptAgain(row, { retentionMs, nowMs: loggedAt })) : logged;
    await log.insertDeliveries(rows);
    if (!rerun) await onLogged?.(rows);
    // Only after the row is in the log.
    if (rerun) for (const { delivery_id } of rows) await deadLetters.remove(rerunLetterId ?? delivery_id);
    observer.refused({ group_id, logged: rows.length, unreadable: unreadable.length });
  }

  return async ({ id, data }: TakenJob): Promise<Handled> => {
    const { v } = fieldsOf(data);
    if (isNewerVersion(v)) {
      observer.newer(v);
      return 'put_off';
    }
    try {
      await process(readRefusals(data, id));
      return 'done';
    } catch (error) {
      if (error instanceof StoppedWhileWaiting) return 'give_back';
      throw error;
    }
  };
}
