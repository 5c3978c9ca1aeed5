import { type Actor, nextSequence } from '@sluice/contract/change';
import type { Store } from '@sluice/store/connect';
import { untilWritten } from './contention.ts';
import type { LeadDeps } from './deps.ts';

export interface EraseDeps extends LeadDeps {
  readonly leadErasure: Store['leadErasure'];
  readonly leadHistory: Store['leadHistory'];
  readonly erasedTraces: Store['erasedTraces'];
  readonly idempotency: Pick<Store['idempotency'], 'forgetTarget'>;
}

export interface EraseLead {
  readonly accountId: string;
  readonly leadId: string;
  /** The lead is erased only if it has this revision. */
  readonly ifMatch?: number | undefined;
  readonly actor: Actor;
}

export type LeadErased =
  | { readonly status: 'erased' }
  | { readonly status: 'not_found' }
  /** The lead has another revision than `ifMatch`. */
  | { readonly status: 'changed_meanwhile' };

/**
 * Erases a lead: the tombstone keeps its id and one untold change. Then its history goes, and what requests have stored about
 * it, and what its conversations contain. Idempotent: a repeat removes what a process that died has left.
 */
export async function eraseLead(deps: EraseDeps, wanted: EraseLead): Promise<LeadErased> {
  const { accountId, leadId } = wanted;
  const erased = await untilWritten(() => writeTombstone(deps, wanted));
  if (erased.status !== 'erased') return erased;
  await deps.leadHistory.deleteRows([leadId]);
  await deps.idempotency.forgetTarget(accountId, leadId);
  await deps.erasedTraces.removeConversations(accountId, leadId);
  return erased;
}

async function writeTombstone(
  { leads, leadErasure, teller, now }: EraseDeps,
  { accountId, leadId, ifMatch, actor }: EraseLead,
): Promise<LeadErased | 'again'> {
  const lead = await leads.findLead(accountId, leadId);
  if (lead === undefined)
    return { status: (await leadErasure.isErased(accountId, leadId)) ? 'erased' : 'not_found' };
  if (ifMatch !== undefined && ifMatch !== lead.revision) return { status: 'changed_meanwhile' };
  const at = Math.max(now(), lead.updated_at);
  const sequence = nextSequence(lead.sequence, at);
  const change = { sequence, kind: 'lead.erased', at, actor, data: { id: leadId } } as const;
  if (!(await leadErasure.eraseLead(lead, change))) return 'again';
  teller.told({ collection: 'leads', id: leadId, account_id: accountId, changes: [change] });
  return { status: 'erased' };
}
