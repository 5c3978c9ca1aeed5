import type { LeadItem } from '@sluice/dashboard-api/leads';
import { describeLead } from '@sluice/leads/describe-lead';
import type { Lead } from '@sluice/store/leads/lead-document';

/** A lead as the dashboard gets it: as the public API returns it, with its revision. */
export function describeLeadItem(lead: Lead): LeadItem {
  return { ...describeLead(lead), revision: lead.revision };
}
