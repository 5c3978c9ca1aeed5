import type { LeadExport } from '@sluice/dashboard-api/leads';
import type { Lead } from '@sluice/store/leads/lead-document';
import type { LeadPage, LeadPlace } from '@sluice/store/leads/lead-query';
import { type Refusal, refuse } from '../http/result.ts';

/** The order of a list: newest first by default. */
export function listOrder(sort: LeadExport['sort'] = '-created_at'): Pick<LeadPage, 'by' | 'descending'> {
  return { by: sort.endsWith('updated_at') ? 'updated_at' : 'created_at', descending: sort.startsWith('-') };
}

/** The place where a list continues after a lead. */
export function placeOf(lead: Lead, by: LeadPage['by']): LeadPlace {
  return { at: lead[by], lead_id: lead.lead_id };
}

const detail = 'Type at least two characters of a word.';

export const SEARCH_TOO_SHORT: Refusal = refuse('validation_failed', detail, {
  errors: [{ pointer: '/q', detail }],
});
