import { conversationId } from '@sluice/contract/conversation/conversation-id';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { linkWaiting } from '@sluice/conversations/link-waiting';
import { type EraseDeps, eraseTraces } from '@sluice/leads/change/erase-lead';
import type { LeadDeps } from '@sluice/leads/deps';
import type { ErasedRecords } from '@sluice/outbound/publish/erased-records';
import type { DeadLetters, StoredDeadLetter } from '@sluice/queue/dead-letters';
import { type Repeated, repeat } from '@sluice/runtime/timing/repeat';
import type { Store } from '@sluice/store/connect';
import type { LinkedConversation } from '@sluice/store/erasure/erased-traces';
import type { DueErasure } from '@sluice/store/erasure/lead-erasure';

export interface ErasureDeps extends ForgetOutsideDeps {
  readonly store: Store;
  readonly leadDeps: LeadDeps;
  readonly onError: (error: unknown) => void;
}

/** The dependencies of the erasure of a lead, in the store and outside of it. */
export function connectErasure({
  store,
  leadDeps,
  onError,
  ...outside
}: ErasureDeps): EraseDeps & Pick<ErasureDeps, 'onError'> {
  return {
    ...store,
    ...leadDeps,
    linkWaiting: (lead) => linkWaiting({ ...store, leadDeps }, lead),
    forgetOutside: createForgetOutside(outside),
    onError,
  };
}

interface ForgetOutsideDeps {
  readonly deadLetters: Pick<DeadLetters, 'list' | 'remove'>;
}

const PAGE = 1000;

/** Removes copies of conversations in Redis: actions that could not be applied. */
function createForgetOutside(deps: ForgetOutsideDeps): EraseDeps['forgetOutside'] {
  return async (conversations) => {
    const isTheirs = letterOf(conversations);
    const theirs: string[] = [];
    for (let from = 0, read = PAGE; read === PAGE; from += read) {
      const letters = await deps.deadLetters.list(PAGE, from);
      theirs.push(...letters.filter(isTheirs).map(({ delivery_id }) => delivery_id));
      read = letters.length;
    }
    for (const deliveryId of theirs) await deps.deadLetters.remove(deliveryId);
  };
}

/** Also finds letters that no version can read, by the quoted id of the conversation in their text. */
function letterOf(conversations: readonly LinkedConversation[]): (letter: StoredDeadLetter) => boolean {
  const ids = new Set(conversations.map(({ conversation_id }) => conversation_id));
  const externalIds = conversations.flatMap(({ external_id }) =>
    external_id === '' ? [] : [JSON.stringify(external_id)],
  );
  return ({ action }) => {
    const { source_id, action: inner } = fieldsOf(action);
    const { external_id } = fieldsOf(fieldsOf(inner).conversation);
    if (typeof source_id !== 'string' || !conversations.some(({ channel_id }) => channel_id === source_id))
      return false;
    if (typeof external_id === 'string') return ids.has(conversationId(source_id, external_id));
    // The body of the request is a text within the text.
    const text = JSON.stringify(action).replaceAll('\\"', '"');
    return externalIds.some((one) => text.includes(one));
  };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

interface EraseAgainDeps
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
