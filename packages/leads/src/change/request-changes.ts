import type { Lead } from '@sluice/store/leads/lead-document';
import type { LeadDeps } from '../deps.ts';

/** Whether a request has changed the lead already. */
export async function hasChangeOf(
  { leadHistory }: Pick<LeadDeps, 'leadHistory'>,
  lead: Lead,
  requestId: string,
): Promise<boolean> {
  if (lead.untold.some(({ request_id }) => request_id === requestId)) return true;
  return (await leadHistory.findChangedBy(lead.account_id, requestId)) === lead.lead_id;
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
  const untold = await leads.findPendingOf(accountId, requestId);
  if (untold !== undefined) return untold;
  const leadId = await leadHistory.findChangedBy(accountId, requestId);
  return leadId === undefined ? undefined : leads.findLead(accountId, leadId);
}
