import { createHash, randomUUID } from 'node:crypto';
import type { IdempotencyRecord } from '@sluice/store/idempotency';
import type { RouteDeps } from '../parts.ts';

/** The right to make the one edit of a state of an event. */
export interface EditClaim {
  /** The edit was accepted. */
  keep(): Promise<void>;
  /** The edit was rejected, so another one may be made. */
  release(): Promise<void>;
}

/** A process that died with a claim keeps others away for this time. Milliseconds. */
const LEASE_MS = 30_000;
/**
 * An accepted edit is mostly applied within a second. Then the event has a newer state. One that became a dead letter, or waits for a
 * worker for longer, must not keep others away for long. Milliseconds.
 */
const KEPT_MS = 600_000;

/**
 * Claims the edit of an event that was last changed at `seen`. Undefined: another user has, and their edit waits for a worker. A
 * worker could not decide this, because the response has been sent by then.
 */
export async function claimEdit(
  { idempotency, now }: RouteDeps,
  { accountId, eventId, seen }: { accountId: string; eventId: string; seen: string | null },
): Promise<EditClaim | undefined> {
  const at = now();
  const claim: IdempotencyRecord = {
    record_id: createHash('sha256')
      .update(JSON.stringify(['event-edit', eventId, seen]))
      .digest('hex'),
    ...{ account_id: accountId, body_hash: '', ids: {}, holder: randomUUID(), answer: null },
    ...{ lease_until: at + LEASE_MS, expires_at: at + KEPT_MS },
  };
  const begun = await idempotency.begin(claim);
  if (begun.status === 'exists') {
    const { answer, lease_until, expires_at } = begun.record;
    const isFree = expires_at <= at || (answer === null && lease_until <= at);
    if (!isFree || !(await idempotency.replace(begun.record, claim))) return undefined;
  }
  return {
    async keep() {
      await idempotency.keepAnswer(claim, { status: 202, target: eventId });
    },
    release: () => idempotency.endLease(claim),
  };
}
