import { HOUR_MS } from '@sluice/contract/durations';
import { type EraseDeps, eraseTraces } from '@sluice/leads/erase-lead';
import type { ErasedRecords } from '@sluice/outbound/publish/erased-records';
import { type Repeated, repeat } from '@sluice/runtime/timing/repeat';
import type { DueErasure } from '@sluice/store/erasure/lead-erasure';

export interface EraseAgainDeps
  extends Pick<
    EraseDeps,
    'leadErasure' | 'leadHistory' | 'idempotency' | 'erasedTraces' | 'forgetOutside' | 'now'
  > {
  /** Removes what subscribers have not got yet, and its log. */
  readonly eraseOutbound: ErasedRecords['eraseOutbound'];
  /** Called on failure. The next look tries again. */
  readonly onError: (error: unknown) => void;
}

const EVERY_MS = 10_000;
const BATCH = 20;
/** A process that was frozen during the erasure may have written for this long. Milliseconds. */
export const ERASE_AGAIN_AFTER_MS = HOUR_MS;

/**
 * Removes the traces of erased leads twice more: soon, which completes what a dying process began and reads logs that a
 * request has no time for, and after an hour, which removes what slow processes have written meanwhile.
 */
export function startErasingAgain(deps: EraseAgainDeps): Repeated {
  return repeat({ run: () => eraseAgain(deps), everyMs: EVERY_MS, onError: deps.onError });
}

/** Looks once. Throws if a store is unavailable. */
export async function eraseAgain(deps: Omit<EraseAgainDeps, 'onError'>): Promise<void> {
  for (const due of await deps.leadErasure.dueAgain(deps.now(), BATCH)) {
    await eraseOne(deps, due);
    const next = due.erased_at + ERASE_AGAIN_AFTER_MS;
    await deps.leadErasure.noteErasedAgain(due, due.due_at < next ? next : undefined);
  }
}

async function eraseOne(deps: Omit<EraseAgainDeps, 'onError'>, due: DueErasure): Promise<void> {
  const { lead_id: leadId, account_id: accountId, erased_at: erasedAt, sequence } = due;
  await eraseTraces(deps, { accountId, leadId, erasedAt });
  await deps.erasedTraces.removeRejected(accountId, leadId, erasedAt);
  const actor = { type: 'system', id: 'erase_again' } as const;
  const change = { sequence, kind: 'lead.erased', at: erasedAt, actor, data: { id: leadId } } as const;
  await deps.eraseOutbound(accountId, [
    { collection: 'leads', id: leadId, account_id: accountId, changes: [change] },
  ]);
}
