import type { Doer } from '@sluice/contract/account/doer';
import { type Actor, nextSequence, type PendingChange } from '@sluice/contract/message/change';
import { auditOfChanges } from '@sluice/store/audit/audit-of-changes';
import type { Store } from '@sluice/store/connect';
import type { LinkedConversation } from '@sluice/store/erasure/erased-traces';
import type { Lead } from '@sluice/store/leads/lead-document';
import { untilWritten } from '../contention.ts';
import type { LeadDeps } from '../deps.ts';

export interface EraseDeps extends LeadDeps {
  readonly leadErasure: Store['leadErasure'];
  readonly leadHistory: Store['leadHistory'];
  readonly erasedTraces: Store['erasedTraces'];
  readonly auditLog: Pick<Store['auditLog'], 'insertEntries'>;
  readonly idempotency: Pick<Store['idempotency'], 'forgetTarget'>;
  /** Links the conversations that wait and belong to this lead. After the erasure nothing tells whose they were. */
  readonly linkWaiting: (lead: Lead) => Promise<void>;
  /** Removes copies outside of MongoDB. Called only for leads with conversations. Idempotent. */
  readonly forgetOutside: (conversations: readonly LinkedConversation[]) => Promise<void>;
}

export interface EraseLead {
  readonly accountId: string;
  readonly leadId: string;
  /** The lead is erased only if it has this revision. */
  readonly ifMatch?: number | undefined;
  readonly actor: Actor;
  /** For the audit log, which gets its entry when the erasure is published. Absent: the caller writes it. */
  readonly doer?: Doer | undefined;
}

export type LeadErased =
  | { readonly status: 'erased' }
  | { readonly status: 'not_found' }
  /** The lead has another revision than `ifMatch`. */
  | { readonly status: 'changed_meanwhile' };

/**
 * Erases a lead: the tombstone keeps its id and one pending change. Then its history goes, and what requests have stored about
 * it, and what its conversations contain. Idempotent: a repeat removes what a process that died has left.
 */
export async function eraseLead(deps: EraseDeps, wanted: EraseLead): Promise<LeadErased> {
  const { accountId, leadId } = wanted;
  const erased = await untilWritten(() => writeTombstone(deps, wanted));
  if (erased.status !== 'erased') return erased;
  await eraseTraces(deps, { accountId, leadId, erasedAt: erased.erasedAt });
  return { status: 'erased' };
}

/** An erased lead. `erasedAt`: milliseconds since the Unix epoch. */
export interface Erasure {
  readonly accountId: string;
  readonly leadId: string;
  readonly erasedAt: number;
}

/** Removes what was stored about a lead until its erasure. Idempotent. */
export async function eraseTraces(
  deps: Pick<EraseDeps, 'leadHistory' | 'idempotency' | 'erasedTraces' | 'forgetOutside'>,
  { accountId, leadId, erasedAt }: Erasure,
): Promise<void> {
  await deps.leadHistory.deleteRows([leadId]);
  await deps.idempotency.forgetTarget(accountId, leadId);
  await deps.erasedTraces.removeConversations(accountId, leadId, erasedAt);
  const conversations = await deps.erasedTraces.linkedConversations(accountId, leadId);
  if (conversations.length > 0) await deps.forgetOutside(conversations);
}

type Tombstone =
  | { readonly status: 'erased'; readonly erasedAt: number }
  | Exclude<LeadErased, { readonly status: 'erased' }>;

async function writeTombstone(
  { leads, leadErasure, auditLog, linkWaiting, publisher, now }: EraseDeps,
  { accountId, leadId, ifMatch, actor, doer }: EraseLead,
): Promise<Tombstone | 'again'> {
  const lead = await leads.findLead(accountId, leadId);
  if (lead === undefined) {
    const erasedAt = await leadErasure.erasedAt(accountId, leadId);
    return erasedAt === undefined ? { status: 'not_found' } : { status: 'erased', erasedAt };
  }
  if (ifMatch !== undefined && ifMatch !== lead.revision) return { status: 'changed_meanwhile' };
  await linkWaiting(lead);
  // The tombstone drops what is not published yet.
  await auditLog.insertEntries(auditOfChanges({ id: leadId, account_id: accountId, changes: lead.untold }));
  const at = Math.max(now(), lead.updated_at);
  const sequence = nextSequence(lead.sequence, at);
  const change: PendingChange = {
    sequence,
    kind: 'lead.erased',
    at,
    actor,
    data: { id: leadId },
    ...(doer !== undefined && { doer }),
  };
  if (!(await leadErasure.eraseLead(lead, change))) return 'again';
  publisher.publishSoon({ collection: 'leads', id: leadId, account_id: accountId, changes: [change] });
  return { status: 'erased', erasedAt: at };
}
