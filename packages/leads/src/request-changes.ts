import type { Lead } from '@sluice/store/lead-document';
import type { LeadDeps } from './deps.ts';

/** A request is repeated within 24 hours. A lead has fewer changes in that time, or else the repeat takes effect again. */
const CHANGES_LOOKED_AT = 500;

/** Whether a request has changed the lead already. */
export async function hasChangeOf(
  { leadHistory }: Pick<LeadDeps, 'leadHistory'>,
  lead: Lead,
  requestId: string,
): Promise<boolean> {
  const isOfIt = ({ request_id }: { readonly request_id?: string }) => request_id === requestId;
  if (lead.untold.some(isOfIt)) return true;
  const { items } = await leadHistory.pageRows(lead.lead_id, { limit: CHANGES_LOOKED_AT });
  return items.some(isOfIt);
}

/**
 * The lead that a request has changed, with its values of now. A change is first untold and then a row of the history, so
 * looking in this order misses none.
 */
export async function findChangedBy(
  { leadHistory, leads }: Pick<LeadDeps, 'leadHistory' | 'leads'>,
  accountId: string,
  requestId: string,
): Promise<Lead | undefined> {
  const untold = await leads.findUntoldOf(accountId, requestId);
  if (untold !== undefined) return untold;
  const leadId = await leadHistory.findChangedBy(accountId, requestId);
  return leadId === undefined ? undefined : leads.findLead(accountId, leadId);
}
